import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findClamd } from '../../../scripts/tools.mjs';
import { freePort, makeFolder, removeFolder } from '../service-process.ts';

/** What it finds: the one line of its database. */
export const malware = { text: 'this-is-what-the-tests-call-malware', name: 'Portico.Test' };

export type Clamd = { host: string; port: number; stop(): Promise<void> };

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  socket.destroy();
  return isOpen;
}

/** A real clamd on loopback, whose database is one signature. */
export async function startClamd(): Promise<Clamd> {
  const program = findClamd();
  if (program === undefined) throw new Error('clamd is missing: npm test installs it');
  const folder = makeFolder();
  const port = await freePort();
  writeFileSync(
    join(folder, 'tests.ndb'),
    `${malware.name}:0:*:${Buffer.from(malware.text).toString('hex')}\n`,
  );
  const lines = [
    `DatabaseDirectory ${folder}`,
    'TCPAddr 127.0.0.1',
    `TCPSocket ${port}`,
    'Foreground yes',
    'StreamMaxLength 2M',
    `TemporaryDirectory ${folder}`,
    'User root',
  ];
  const isRoot = process.getuid?.() === 0;
  writeFileSync(
    join(folder, 'clamd.conf'),
    lines.filter((line) => isRoot || line !== 'User root').join('\n'),
  );
  const child = spawn(program, ['--config-file', join(folder, 'clamd.conf')], { stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL'));
  for (let tries = 0; !(await isListening(port)); tries += 1) {
    if (child.exitCode !== null || tries > 1200) throw new Error('clamd did not start');
    await sleep(25);
  }
  return {
    host: '127.0.0.1',
    port,
    async stop() {
      if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
      removeFolder(folder);
    },
  };
}
