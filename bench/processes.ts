import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../server/test/service-process.ts';
import { atEnd } from './closing.ts';

/** A server in a process of its own, which answers. */
export type ServerProcess = { port: number; pid: number; stop(): Promise<void> };

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

async function awaitAnswer(port: number, child: ChildProcess): Promise<boolean> {
  for (let tries = 0; tries < 400 && child.exitCode === null; tries += 1) {
    const isUp = await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' }).then(
      () => true,
      () => false,
    );
    if (isUp) return true;
    await sleep(50);
  }
  return false;
}

/** What it writes goes to a file descriptor, or nowhere. */
export async function startProcess(
  args: string[],
  env: Record<string, string>,
  output: number | 'ignore' = 'ignore',
): Promise<ServerProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', output, 'inherit'],
    detached: true, // a session of its own, as a service has: Linux may weigh it against that of who measures
  });
  const stop = () => stopProcess(child);
  atEnd(stop);
  if (!(await awaitAnswer(port, child))) throw new Error(`${args.join(' ')} did not start`);
  return { port, pid: child.pid ?? 0, stop };
}

/** A siteverify that finds every challenge solved, so that the service's own memory is what is measured. */
export async function startSiteverify(hostname: string): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const answer = { success: true, hostname, challenge_ts: new Date().toISOString(), 'error-codes': [] };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  server.unref();
  return server;
}
