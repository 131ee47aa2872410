import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { wrongUsage } from './failure.ts';

export const bodyOption = {
  type: 'string',
  value: 'TEXT|@FILE|-',
  about: 'body: a text, a file, or - for standard input',
} as const;

/** The bytes as they are, because they are what is signed. */
export async function readBody(option: string | undefined): Promise<Uint8Array | undefined> {
  if (option === undefined) return undefined;
  if (option === '-') return buffer(process.stdin);
  if (!option.startsWith('@')) return Buffer.from(option);
  try {
    return readFileSync(option.slice(1));
  } catch {
    throw wrongUsage(`the body file ${option.slice(1)} cannot be read`);
  }
}
