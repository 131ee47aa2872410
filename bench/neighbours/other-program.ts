import { spawn } from 'node:child_process';
import { atEnd } from '../closing.ts';

export const otherProgram = 'another-program';

/** Together two fifths of two processors. */
const processes = 2;
const busyMs = 4;
const idleMs = 6;

const work = `(function step() {
  for (const begun = performance.now(); performance.now() - begun < ${busyMs}; );
  setTimeout(step, ${idleMs});
})()`;

export const otherProgramWhat = `no attack: ${processes} processes that ask the service for nothing, and calculate for ${busyMs} of ${busyMs + idleMs} ms`;

/** What the machine itself makes of the times when somebody else uses it: a measure for those under attack. */
export async function startOtherProgram(): Promise<{ stop(): Promise<undefined> }> {
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, ['-e', work], { stdio: 'ignore', detached: true }),
  );
  const end = () => {
    for (const child of children) child.kill('SIGKILL');
  };
  atEnd(end);
  return {
    async stop() {
      end();
      return undefined;
    },
  };
}
