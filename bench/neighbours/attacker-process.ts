import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../closing.ts';
import type { Order, Report, Tally } from './attacker.ts';
import type { Arms } from './tenants.ts';

export const victimAddress = '127.0.0.1';

/**
 * One for each attack, so that none finds its limits used up by the one before. Linux has all of 127.0.0.0/8; elsewhere
 * they must have been added by hand, or the attacks come from the address of the victim.
 */
export async function attackerAddress(index: number): Promise<string> {
  const address = `127.0.0.${index + 2}`;
  const server = createServer();
  const canBind = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(0, address, () => resolve(true));
  });
  server.close();
  return canBind ? address : victimAddress;
}

/** One attack, under way. */
type Attacker = { stop(): Promise<Tally> };

/** In a process of its own, so that what it does costs the measuring one nothing but a share of the processors. */
export async function startAttacker(
  attacks: string[],
  { arms, address, crowd }: { arms: Arms; address: string; crowd: number },
): Promise<Attacker> {
  const child = fork(fileURLToPath(new URL('./attacker.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    detached: true, // a session of its own, whose priority is not that of the service
  });
  const end = () => child.kill('SIGKILL');
  atEnd(end);
  const ask = async (order: Order): Promise<Report> => {
    child.send(order);
    const [report] = await once(child, 'message');
    return report as Report; // it says nothing else
  };
  await ask({ kind: 'start', attacks, arms, address, crowd });
  return {
    async stop() {
      const report = await ask({ kind: 'stop' });
      end();
      if (report.kind !== 'ended') throw new Error('the attacker did not stop');
      return report.tally;
    },
  };
}
