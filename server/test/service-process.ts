import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeHome } from './homes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What `npm start` runs. */
export const startScript = `${root}scripts/start.mjs`;

/** What a person's shell has, and nothing that the test run added. */
const bareEnvironment = {
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '/',
  LANG: 'C.UTF-8',
};

/** Whether the user that root's database runs as can run this checkout. */
export function isReachableBy(uid: number): boolean {
  const options = { uid, gid: uid, cwd: '/' };
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$1" && "$2" --version', 'sh', root, process.execPath], options)
      .status === 0
  );
}

let isBuilt = false;

/** Once for all test files of a worker: nothing changes while tests run. */
export function buildOnce(): void {
  if (!isBuilt) execFileSync(process.execPath, [`${root}scripts/build.mjs`], { stdio: 'inherit' });
  isBuilt = true;
}

/** Below those that systems hand out, or a connection of another test could have it before it is listened on. */
const ports = { from: 12_000, to: 32_000 };

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}

export async function freePort(): Promise<number> {
  const port = randomInt(ports.from, ports.to);
  return (await isFree(port)) ? port : freePort();
}

export type ServiceOptions = {
  cwd: string;
  env?: Record<string, string>;
  user?: { uid: number; gid: number };
  /** Another script than that of `npm start`. */
  script?: string;
};

/** `npm start` as its own process, in a folder of its own. */
export class Service {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  readonly cwd: string;
  output = '';

  constructor({ cwd, env = {}, user, script = startScript }: ServiceOptions) {
    this.child = spawn(process.execPath, [script], {
      cwd,
      env: { ...bareEnvironment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (data: Buffer) => (this.output += data));
    this.cwd = cwd;
    running.add(this);
    this.exited = new Promise((resolve) => this.child.once('exit', (code) => resolve(code)));
    this.exited.then(() => running.delete(this));
  }

  /** Resolves when the service says that it is ready; rejects with its output when it ends before. */
  async ready(timeoutMs = 60_000): Promise<this> {
    const deadline = Date.now() + timeoutMs;
    while (!this.output.includes('Server listening')) {
      if (this.child.exitCode !== null || Date.now() > deadline)
        throw new Error(`the service did not start:\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return this;
  }

  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    this.child.kill(signal);
    return this.exited;
  }
}

/** Those that have not ended. */
export const running = new Set<Service>();

/** A folder to start services in, which everybody can reach, so that root's database stays inside it too. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portico-service-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** Ends whatever was started in a folder, also after a test that failed. */
async function endServices(folder: string): Promise<void> {
  const started = [...running].filter((service) => service.cwd.startsWith(folder));
  await Promise.all(started.map((service) => service.stop()));
  for (const pid of processesWith(folder)) process.kill(pid, 'SIGKILL');
}

/** The same, and removes it. */
export async function removeFolder(folder: string): Promise<void> {
  await endServices(folder);
  for (const home of ['.portico', 'home/.portico']) removeHome(join(folder, home));
  rmSync(folder, { recursive: true, force: true });
}

/** Processes whose command line holds a text. */
export function processesWith(text: string): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .filter((line) => line.includes(text) && !line.includes('ps -eo'))
    .map((line) => Number.parseInt(line, 10));
}
