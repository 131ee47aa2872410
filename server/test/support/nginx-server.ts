import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNginx } from '../../../scripts/tools.mjs';
import { freePort, makeFolder, removeFolder } from '../service-process.ts';

const documented = readFileSync(new URL('../../../docs/nginx.conf', import.meta.url), 'utf8');

export type Nginx = { origin: string; errors(): string; stop(): Promise<void> };

/** The documented file, with addresses and paths of this machine. */
function configure(folder: string, port: number, [first = 0, second = 0]: number[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  return documented
    .replace('127.0.0.1:8081', `127.0.0.1:${first}`)
    .replace('127.0.0.1:8082', `127.0.0.1:${second}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('/run/nginx.pid', join(folder, 'nginx.pid'))
    .replace('/var/log/nginx/error.log', join(folder, 'error.log'))
    .replace('access_log off;', `access_log off; ${temporary.join(' ')}`);
}

/** A real nginx of its own, in front of two ports of this machine. */
export async function startNginx(ports: number[]): Promise<Nginx> {
  const program = findNginx();
  if (program === undefined) throw new Error('nginx is missing: npm test installs it');
  const folder = makeFolder();
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configure(folder, port, ports));
  const options = ['-p', folder, '-e', join(folder, 'error.log'), '-c', file, '-g', 'daemon off;'];
  const child = spawn(program, options, { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  process.once('exit', () => child.kill('SIGTERM')); // also when the tests are broken off
  const origin = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + 20_000;
  while (!(await fetch(`${origin}/healthz`).catch(() => undefined)))
    if (Date.now() > deadline || child.exitCode !== null) throw new Error('nginx did not start');
  return {
    origin,
    errors: () => readFileSync(join(folder, 'error.log'), 'utf8'),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await removeFolder(folder);
    },
  };
}
