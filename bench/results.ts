import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { type Part, parts } from './arguments.ts';
import type { ColdResult } from './cold.ts';
import type { DeliveriesResult } from './deliveries.ts';
import type { Middle } from './dense.ts';
import type { EventsResult } from './events.ts';
import type { ExplainerResult } from './explainer.ts';
import type { HashingResult } from './hashing.ts';
import type { KeysResult } from './keys.ts';
import type { LinesResult } from './lines.ts';
import type { LogResult } from './log.ts';
import type { Neighbours } from './neighbours/neighbours.ts';
import type { PortalResult } from './portal.ts';
import type { RequestsResult } from './request-log.ts';
import type { Result } from './rows.ts';
import type { SigningResult } from './signed-transfers.ts';
import type { SmallResult } from './small.ts';
import type { TailResult } from './tail.ts';
import type { RefusalResult } from './unknown-key-timing.ts';
import type { UploadsResult } from './uploads.ts';
import type { Writes } from './writes.ts';

type Dense = {
  rows: number;
  middles: Middle[];
  results: Result[];
};

/** What each part of a run found. */
export type Results = {
  machine: { cores: number; memoryGiB: number; node: string; postgres?: string; buildSeconds?: number };
  /** How long each of them took; those that share a database count as one. */
  seconds: { [names: string]: number };
  rows?: Result[];
  filters?: Result[];
  dense?: Dense;
  small?: SmallResult[];
  writes?: Writes;
  keys?: KeysResult[];
  tail?: TailResult[];
  log?: LogResult;
  events?: EventsResult;
  signing?: SigningResult[];
  requests?: RequestsResult;
  lines?: LinesResult[];
  cold?: ColdResult[];
  refusals?: RefusalResult[];
  explainer?: ExplainerResult[];
  hashing?: HashingResult;
  uploads?: UploadsResult;
  deliveries?: DeliveriesResult;
  neighbours?: Neighbours;
  portal?: PortalResult[];
} & { [Name in Part]?: unknown };

/** What the report says of one part: nothing where it was not measured. */
export type Section = (results: Results) => string[];

const folder = new URL('./results/', import.meta.url);

export function newResults(): Results {
  const [node = ''] = process.versions.node.split('.');
  return {
    machine: { cores: availableParallelism(), memoryGiB: Math.round(totalmem() / 2 ** 30), node },
    seconds: {},
  };
}

/** A list has a line for each of its members, so that changes of single numbers can be read. */
function written(value: unknown): string {
  if (!Array.isArray(value)) return `${JSON.stringify(value, undefined, 2)}\n`;
  return `[\n${value.map((member) => `  ${JSON.stringify(member)}`).join(',\n')}\n]\n`;
}

export function writeJson(path: string | URL, value: unknown): void {
  writeFileSync(path, written(value));
}

/** Keeps the results of the parts that were run; the others stay as they were. */
export function keepResults(results: Results): void {
  mkdirSync(folder, { recursive: true });
  const { machine, seconds } = keptResults();
  const kept = {
    ...results,
    machine: { ...machine, ...results.machine },
    seconds: { ...seconds, ...results.seconds },
  };
  for (const [name, value] of Object.entries(kept)) writeJson(new URL(`${name}.json`, folder), value);
}

export function keptResults(): Results {
  const names = ['machine', 'seconds', ...parts];
  const kept = names
    .map((name) => ({ name, file: new URL(`${name}.json`, folder) }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => [name, JSON.parse(readFileSync(file, 'utf8'))]);
  return { ...newResults(), ...Object.fromEntries(kept) } as Results; // each file was written from its own member
}

export function keepPlot(svg: string): void {
  writeFileSync(new URL('cost-against-rows.svg', folder), svg);
}
