import type { Tallies } from '@portico/server/operate';
import { Failure } from './failure.ts';

/** A database that was started for the command is stopped with it; then the signal does what it always does. */
function closeOnSignals(opening: Promise<Tallies>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await opening.then((tallies) => tallies.close()).catch(() => {});
      process.kill(process.pid, signal);
    });
  }
}

/** The server's code is loaded here alone: commands that speak HTTP need no database driver. */
export async function withTallies(work: (tallies: Tallies) => Promise<void>): Promise<void> {
  const { openTallies, OperateError } = await import('@portico/server/operate');
  const opening = openTallies(process.env);
  closeOnSignals(opening);
  try {
    const tallies = await opening;
    await work(tallies).finally(() => tallies.close());
  } catch (error) {
    if (!(error instanceof OperateError)) throw error;
    throw new Failure(error.message, error.isUnreachable ? 'connection' : 'usage');
  }
}
