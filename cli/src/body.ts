import { readFileSync } from 'node:fs';
import { wrongUsage } from './failure.ts';

export const bodyOption = {
  type: 'string',
  value: 'TEXT|@FILE|-',
  about: 'body: a text, a file, or - for standard input',
} as const;

/** The bytes as they are, because they are what is signed. */
export function readBody(option: string | undefined): Uint8Array | undefined {
  if (option === undefined) return undefined;
  if (option === '-') return readFileSync(0);
  if (!option.startsWith('@')) return Buffer.from(option);
  try {
    return readFileSync(option.slice(1));
  } catch {
    throw wrongUsage(`the body file ${option.slice(1)} cannot be read`);
  }
}
