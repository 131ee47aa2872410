import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../service-process.ts';

const program = 'redis-server';

export type RedisServer = {
  url: string;
  port: number;
  /** As the machine under it would end it. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** It keeps its connections and says nothing any more. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
};

async function untilItListens(port: number): Promise<void> {
  for (let tries = 0; tries < 800; tries += 1) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await sleep(25);
  }
  throw new Error('redis-server did not listen within 20 s');
}

/** A real redis-server of its own, on loopback, that keeps nothing on disk. */
export async function startRedis(): Promise<RedisServer> {
  if (spawnSync(program, ['--version']).error) {
    throw new Error('redis-server is missing: install it, e.g. apt-get install redis-server');
  }
  const home = mkdtempSync(join(tmpdir(), 'portico-redis-'));
  const port = await freePort();
  let child: ChildProcess;
  const start = async () => {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    child = spawn(program, [...settings, '--dir', home], { stdio: 'ignore' });
    await untilItListens(port);
  };
  const kill = async () => {
    const isRunning = child.exitCode === null && child.signalCode === null;
    if (isRunning && child.kill('SIGKILL')) await once(child, 'exit');
  };
  // Also when the tests are broken off.
  process.once('exit', () => child.kill('SIGKILL'));
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill,
    start,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      await kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
