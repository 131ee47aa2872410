import pg from 'pg';
import { ApiError, invalidFields } from '../../contract/api-error.ts';
import { unknownNames } from '../../contract/unknown-names.ts';
import { reader } from '../../contract/validate.ts';
import { sql } from '../../db/sql.ts';
import { createFolder } from '../../db/tally.ts';
import type { Desk } from '../operator.ts';
import type { Kind, Place, Row, State } from './kind.ts';
import { linesOf } from './lines.ts';
import { storeRows } from './store-rows.ts';

/** A transaction's worth: large enough to be fast, and small enough that nobody waits long for what it locks. */
const batchRows = 5000;

/** How many lines became what: each is one of the four. */
export type ImportReport = {
  lines: number;
  added: number;
  changed: number;
  unchanged: number;
  refused: number;
};

export type ImportListener = {
  /** A line that was not taken, and why. */
  refused(line: number, reason: string): void;
  /** After each batch. */
  progress(report: ImportReport): void;
};

const reasons: Partial<Record<State, string>> = {
  elsewhere: 'is of another workspace or mode',
  stored: 'has its bytes here, and is not changed by an import',
  deleted: 'was deleted',
};

function readerOf({ line, noun, rowOf }: Kind) {
  const read = reader(line);
  const known = Object.keys(line.properties);
  return (value: object): Row => {
    const errors = unknownNames(Object.keys(value), known, { noun: `field of a ${noun}`, whole: 'it' });
    if (errors.length > 0) throw invalidFields('4000', errors);
    return rowOf(read(value));
  };
}

async function placeOf({ db }: Desk, workspace: string): Promise<Place> {
  const [place] = await db.query<Place>(sql`
    select id as "workspaceId", institution_id as "institutionId" from workspaces where biz_id = ${workspace}`);
  if (place === undefined) throw new ApiError('4040', `there is no workspace ${workspace}`);
  return place;
}

/** Of data that the database refused, and not of its own state. */
const isRefusal = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '');

type Numbered = { number: number; row: Row };

/** Takes lines one by one and stores them in batches, in the order in which they came. */
function createBatches(kind: Kind, desk: Desk, at: { workspace: string; place: Place }, on: ImportListener) {
  const report: ImportReport = { lines: 0, added: 0, changed: 0, unchanged: 0, refused: 0 };
  let batch = new Map<string, Numbered>();
  const refuse = (number: number, reason: string) => {
    report.refused += 1;
    on.refused(number, reason);
  };
  /** What no rule foresaw is found by halves: it stops nothing but its own line. */
  const store = async (rows: readonly Numbered[]): Promise<void> => {
    try {
      const { added, changed } = await storeRows(kind, desk, at.workspace, rows);
      report.added += added;
      report.changed += changed;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const [first] = rows;
      if (first !== undefined && rows.length === 1) return refuse(first.number, error.message);
      const middle = rows.length >> 1;
      await store(rows.slice(0, middle));
      await store(rows.slice(middle));
    }
  };
  const flush = async () => {
    const rows = [...batch.values()];
    batch = new Map();
    if (rows.length === 0) return;
    const placed = rows.map(({ row }, n) => ({ ...row, n }));
    const states = await desk.db.query<{ state: State }>(kind.compare(placed, at.place));
    const wanted = rows.filter(({ number, row }, index) => {
      const state = states[index]?.state;
      if (state === 'same') report.unchanged += 1;
      const reason = state && reasons[state];
      if (reason !== undefined) refuse(number, `${row.id} ${reason}`);
      return state === 'new' || state === 'other';
    });
    if (wanted.length > 0) await store(wanted);
    on.progress(report);
  };
  const take = async (number: number, row: Row) => {
    if (batch.size >= batchRows || batch.has(row.id)) await flush(); // the later of two has the last word
    batch.set(row.id, { number, row });
  };
  return { report, refuse, take, flush };
}

/** Brings lines of JSON into a workspace. What is wrong with one stops no other; the same lines again change nothing. */
export async function importLines(
  kind: Kind,
  desk: Desk,
  { workspace, source }: { workspace: string; source: AsyncIterable<Uint8Array> },
  on: ImportListener,
): Promise<ImportReport> {
  const place = await placeOf(desk, workspace);
  const read = readerOf(kind);
  const { report, refuse, take, flush } = createBatches(kind, desk, { workspace, place }, on);
  for await (const lines of linesOf(source)) {
    for (const line of lines) {
      report.lines += 1;
      try {
        if ('fault' in line) refuse(line.number, line.fault);
        else await take(line.number, read(line.value));
      } catch (error) {
        if (!(error instanceof ApiError && error.code === '4000')) throw error;
        refuse(line.number, error.message);
      }
    }
  }
  await flush();
  await createFolder(desk.db)();
  return report;
}
