import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const parts = [
  'rows',
  'filters',
  'dense',
  'small',
  'writes',
  'keys',
  'tail',
  'log',
  'events',
  'signing',
  'requests',
  'lines',
  'cold',
  'refusals',
  'explainer',
  'hashing',
  'uploads',
  'deliveries',
  'neighbours',
  'portal',
] as const;
export type Part = (typeof parts)[number];

export type Options = {
  rows: number[];
  parts: ReadonlySet<Part>;
  /** How long one measurement of a fast target lasts. */
  seconds: number;
  /** For how long the list of requests grows. */
  minutes: number;
  out?: string;
  /** Whether the results become those of the README. */
  isKept: boolean;
};

/** The command line cannot be understood; the message is one line. */
export class ArgumentError extends Error {}

const rowsMax = 100_000_000;
const secondsMax = 60;
const minutesMax = 60;

function readRows(text: string): number[] {
  const rows = text.split(',').map((each) => (/^[0-9]+$/.test(each) ? Number(each) : 0));
  if (rows.some((count) => count < 100 || count > rowsMax))
    throw new ArgumentError(
      `--rows must be numbers from 100 to ${rowsMax}, separated by commas, as in 10000,1000000`,
    );
  return [...new Set(rows)].sort((a, b) => a - b);
}

function readParts(text: string): Part[] {
  return text.split(',').map((name) => {
    const part = parts.find((each) => each === name);
    if (part === undefined) throw new ArgumentError(`--only must be of ${parts.join(', ')}`);
    return part;
  });
}

function readTime(name: 'seconds' | 'minutes', text: string, most: number): number {
  const time = /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : 0;
  if (time <= 0 || time > most)
    throw new ArgumentError(`--${name} must be a number above 0 and up to ${most}`);
  return time;
}

/** Found out before the minutes of measuring, not after them. */
function readOut(text: string): string {
  const path = resolve(text);
  try {
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
  } catch {
    throw new ArgumentError(`--out: ${text} cannot be written`);
  }
  return path;
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args, options: { rows: text, only: text, seconds: text, minutes: text, out: text } })
      .values;
  } catch (error) {
    throw new ArgumentError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
}

export function readArguments(args: string[]): Options {
  const given = parse(args);
  const all = given.rows === undefined ? parts : (['rows'] as const);
  const chosen = new Set<Part>(given.only === undefined ? all : readParts(given.only));
  if (given.out !== undefined && !chosen.has('rows'))
    throw new ArgumentError('--out needs the part rows, which --only leaves out');
  return {
    rows: readRows(given.rows ?? '10000,1000000,10000000'),
    parts: chosen,
    seconds: readTime('seconds', given.seconds ?? '1', secondsMax),
    minutes: readTime('minutes', given.minutes ?? '0.5', minutesMax),
    ...(given.out === undefined ? {} : { out: readOut(given.out) }),
    isKept: given.rows === undefined,
  };
}
