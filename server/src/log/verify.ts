import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { canonicalJson } from './canonical-json.ts';
import { type Checkpoint, selectCheckpoints } from './checkpoints.ts';
import { hashRecord, readRecord, type StoredRecord, selectRecords } from './sealed-records.ts';

const batchMax = 2000;

export type LogReport = {
  records: number;
  /** Sequence of the last record that was read; 0: none. */
  last: number;
  /** Records up to this one were taken away by the operator's retention. */
  forgotten: number;
  /** Checkpoints of the database that the records were held against. */
  checkpoints: number;
  /** The first that is not as it was sealed. */
  wrong: { sequence: number; problem: string } | null;
};

/** Reads a checkpoint that this service signed; undefined for anything else. */
export type ReadCheckpoint = (jws: string) => Promise<Checkpoint | undefined>;

type Head = {
  sequence: number;
  hash: string;
  forgotten: number;
  forgottenHash: string;
  last: number | null;
  checkpointed: number;
};

class Wrong extends Error {
  readonly sequence: number;

  constructor(sequence: number, problem: string) {
    super(problem);
    this.sequence = sequence;
  }
}

async function selectHead(db: Queryable): Promise<Head> {
  const [head] = await db.query<Head>(sql`
    select h.sequence, h.hash, h.forgotten_sequence as forgotten, h.forgotten_hash as "forgottenHash",
      (select max(sequence) from audit_log) as last, (select coalesce(max(sequence), 0) from audit_checkpoints) as checkpointed
    from log_heads h where h.log = 'audit'`);
  if (head === undefined) throw new Error('the log has a head since the migration that made it');
  return head;
}

/** Whether a record is the one that was sealed after the one before it. */
function isGenuine(stored: StoredRecord, previousHash: string): boolean {
  const record = readRecord(stored);
  return (
    record !== undefined &&
    canonicalJson(record.changes) === stored.changes &&
    hashRecord(record, previousHash) === record.hash
  );
}

/** Walks along the chain from its beginning. */
class Walk {
  records = 0;
  checkpoints = 0;
  sequence: number;
  private hash: string;
  /** Up to here a checkpoint agrees. */
  private confirmed: number;

  constructor({ forgotten, forgottenHash }: Head) {
    this.sequence = forgotten;
    this.hash = forgottenHash;
    this.confirmed = forgotten;
  }

  take(record: StoredRecord): void {
    if (record.sequence <= this.sequence) throw new Wrong(record.sequence, 'it was inserted');
    this.expect(record.sequence - 1);
    if (!isGenuine(record, this.hash))
      throw new Wrong(record.sequence, 'it is not the record that was sealed here');
    this.sequence = record.sequence;
    this.hash = record.hash;
    this.records += 1;
  }

  /** The record that was taken last, with all before it, against what was said of it. */
  compare({ sequence, hash }: Pick<Checkpoint, 'sequence' | 'hash'>, source: string): void {
    if (hash !== this.hash)
      throw new Wrong(this.confirmed + 1, `records from here to ${sequence} are not those of ${source}`);
    this.confirmed = sequence;
  }

  /** A log that goes this far. */
  expect(last: number): void {
    if (last > this.sequence) throw new Wrong(this.sequence + 1, 'it is missing');
  }
}

type Against = { readCheckpoint: ReadCheckpoint; kept: Checkpoint | undefined };

/** What this service signed of the record that was taken last, and what was kept elsewhere. */
async function compareSigned(walk: Walk, jws: string | undefined, { readCheckpoint, kept }: Against) {
  if (jws !== undefined) {
    const checkpoint = await readCheckpoint(jws);
    if (checkpoint?.sequence !== walk.sequence)
      throw new Wrong(walk.sequence, 'its checkpoint was not signed by this service');
    walk.compare(checkpoint, `the checkpoint of ${checkpoint.time}`);
    walk.checkpoints += 1;
  }
  if (kept?.sequence === walk.sequence) walk.compare(kept, `the given checkpoint of ${kept.time}`);
}

/** Takes a batch of records; gives the last of them, or undefined when there are none. */
async function takeBatch(db: Queryable, walk: Walk, after: number | null, against: Against) {
  const batch = await selectRecords(db, after, batchMax);
  const last = batch.at(-1)?.sequence;
  if (last === undefined) return undefined;
  const stored = await selectCheckpoints(db, walk.sequence, last);
  const signed = new Map(stored.map(({ sequence, jws }) => [sequence, jws]));
  for (const record of batch) {
    walk.take(record);
    await compareSigned(walk, signed.get(record.sequence), against);
  }
  return last;
}

async function walkToEnd(db: Queryable, walk: Walk, against: Against): Promise<void> {
  const { kept } = against;
  if (kept !== undefined && kept.sequence < walk.sequence)
    throw new Wrong(kept.sequence, 'the retention took it away: a newer checkpoint is needed');
  await compareSigned(walk, undefined, against);
  let after: number | null = null;
  for (;;) {
    const last: number | undefined = await takeBatch(db, walk, after, against);
    after = last ?? after;
    if (last !== undefined) continue;
    const head = await selectHead(db);
    if ((head.last ?? 0) > walk.sequence) continue; // sealed meanwhile
    if (head.sequence < walk.sequence) throw new Wrong(head.sequence + 1, 'it was inserted');
    walk.expect(Math.max(head.sequence, head.checkpointed, kept?.sequence ?? 0));
    walk.compare(head, 'the head of the log');
    return;
  }
}

/** Holds every record against the one before it and the checkpoints, a batch at a time, beside whoever writes. */
export async function verifyLog(
  db: Queryable,
  readCheckpoint: ReadCheckpoint,
  kept?: Checkpoint,
): Promise<LogReport> {
  const head = await selectHead(db);
  const walk = new Walk(head);
  let wrong: LogReport['wrong'] = null;
  try {
    await walkToEnd(db, walk, { readCheckpoint, kept });
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    wrong = { sequence: error.sequence, problem: error.message };
  }
  const { records, sequence, checkpoints } = walk;
  return { records, last: sequence, forgotten: head.forgotten, checkpoints, wrong };
}
