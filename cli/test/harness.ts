import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOnce } from '../../server/test/service-process.ts';
import { openWorld, type World, type WorldOptions } from '../../server/test/world.ts';
import { performCommand } from './command-loop.ts';

export const binary = fileURLToPath(new URL('../bin/portico.mjs', import.meta.url));

export type Outcome = { code: number | null; stdout: string; stderr: string };
export type RunOptions = { env?: Record<string, string>; input?: string; cwd?: string };

/** Someone's own configuration folder, with nothing of the test run's environment. */
export class Person {
  readonly folder = mkdtempSync(join(tmpdir(), 'portico-cli-'));
  readonly profilePath = join(this.folder, 'config', 'portico', 'profiles.json');
  readonly env: Record<string, string>;

  constructor(env: Record<string, string> = {}) {
    const home = { HOME: this.folder, XDG_CONFIG_HOME: join(this.folder, 'config') };
    this.env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm', LANG: 'C.UTF-8', ...home, ...env };
  }

  start(
    command: string,
    args: readonly string[],
    { env = {}, cwd = this.folder }: RunOptions = {},
  ): ChildProcessWithoutNullStreams {
    return spawn(command, args, { cwd, env: { ...this.env, ...env } });
  }

  /** The real binary, to its end. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
    const child = this.start(process.execPath, [binary, ...args], options);
    child.stdin.on('error', () => {}); // it need not read what it is given
    child.stdin.end(options.input ?? '');
    return outcomeOf(child);
  }

  /**
   * The same code in a process that stays, which is there already: for what a command says and does. How a process of its own
   * begins and ends is seen by `run` alone.
   */
  perform(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
    const { env = {}, cwd = this.folder, input = '' } = options;
    return performCommand({ args, env: { ...this.env, ...env }, cwd, input });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

export type Site = { world: World; url: string };

/** The real server on a port of its own, and the binary built from these sources. */
export async function openSite(options: WorldOptions = {}): Promise<Site> {
  buildOnce();
  const world = await openWorld(options);
  await world.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = world.app.server.address() as AddressInfo; // it listens on TCP
  return { world, url: `http://127.0.0.1:${port}` };
}

export const hasScript = spawnSync('script', ['--version']).status === 0;

export type Exchange = { when: string; type: string };

/** A shell command on a pseudo terminal; answers are typed when what they wait for has been shown. */
export function onTerminal(
  person: Person,
  command: string,
  exchanges: readonly Exchange[] = [],
): Promise<Outcome> {
  const child = person.start('script', ['-qec', command, '/dev/null']);
  // A question that is never answered must not outlive the test; what script started goes with its terminal.
  const timer = setTimeout(() => child.kill('SIGKILL'), 50_000);
  child.once('exit', () => clearTimeout(timer));
  const waiting = [...exchanges];
  let seen = '';
  child.stdout.on('data', (data: Buffer) => {
    seen += data;
    const [next] = waiting;
    if (next === undefined || !seen.includes(next.when)) return;
    waiting.shift();
    seen = '';
    child.stdin.write(next.type);
  });
  return outcomeOf(child);
}

export const portico = `${process.execPath} ${binary}`;

/** The shape of a secret, to be found nowhere it does not belong. */
export const secretShape = /sk_(live|test)_[0-9A-Za-z]{49}/;
