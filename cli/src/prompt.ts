import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { failedCheck } from './failure.ts';

export const isInteractive = () => process.stdin.isTTY === true && process.stderr.isTTY === true;

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** Questions go to standard error, so that standard output holds results alone. */
function ask(question: string, isHidden: boolean): Promise<string> {
  const output = isHidden ? nowhere() : process.stderr;
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  // Only now, when the terminal no longer echoes: a fast answer to an earlier question would be seen.
  if (isHidden) process.stderr.write(question);
  lines.setPrompt(question);
  lines.prompt();
  return new Promise((resolve, reject) => {
    let answer: string | undefined;
    lines.once('line', (line) => {
      answer = line;
      lines.close();
    });
    lines.once('SIGINT', () => lines.close());
    // Closing puts the terminal back into the mode it was in, whichever way the question ended.
    lines.once('close', () => {
      if (isHidden || answer === undefined) process.stderr.write('\n');
      if (answer === undefined) reject(failedCheck('given up'));
      else resolve(answer);
    });
  });
}

export const askVisibly = (question: string) => ask(question, false);
export const askHidden = (question: string) => ask(question, true);

export async function confirm(question: string): Promise<boolean> {
  return /^y(es)?$/i.test((await ask(`${question} [y/N] `, false)).trim());
}

/** What was piped in, without the newline that ends it. */
export const readStdin = async (): Promise<string> => (await text(process.stdin)).replace(/\r?\n$/, '');
