import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Outcome } from './harness.ts';

type Command = { args: readonly string[]; env: Record<string, string>; cwd: string; input: string };

const script = fileURLToPath(new URL('command-loop.mjs', import.meta.url));

/** One for all test files of a worker; it ends with the worker. */
let loop: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

function startLoop(): ChildProcess {
  const child = fork(script, { execArgv: [], env: { PATH: process.env['PATH'] } });
  child.once('exit', () => {
    loop = undefined;
  });
  child.unref();
  return child;
}

async function send(command: Command): Promise<Outcome> {
  loop ??= startLoop();
  const child = loop;
  child.send(command);
  const gone = new AbortController();
  child.once('exit', () => gone.abort(new Error(`the loop ended with ${command.args.join(' ')}`)));
  const [outcome] = await once(child, 'message', { signal: gone.signal });
  return outcome as Outcome; // as the script sends it
}

/** Commands are done one after the other: each has the process for itself. */
export function performCommand(command: Command): Promise<Outcome> {
  const outcome = last.then(() => send(command));
  last = outcome.catch(() => undefined);
  return outcome;
}
