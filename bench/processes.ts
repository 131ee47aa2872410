import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a server in a process of its own and waits until it answers. */
export async function startProcess(args: string[], env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let tries = 0; tries < 400; tries += 1) {
    const isUp = await fetch(`http://127.0.0.1:${env['PORT']}/`, { redirect: 'manual' }).then(
      () => true,
      () => false,
    );
    if (isUp) return child;
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${args.join(' ')} did not start`);
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
  return server;
}
