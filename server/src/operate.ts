import { createCheckpointReader } from './auth/portal/checkpoint-signature.ts';
import type { Environment } from './config.ts';
import { rebuildTally, selectTallies } from './db/tally.ts';
import { countTallied, hasTable, reportTally, type TallyReport } from './db/tally-report.ts';
import { type Checkpoint, selectLastCheckpoint } from './log/checkpoints.ts';
import { type ExportedRecord, exported, selectRecords } from './log/sealed-records.ts';
import { type LogReport, verifyLog } from './log/verify.ts';
import { type Closable, explained, OperateError, openOperations } from './operations.ts';

export type { Checkpoint, ExportedRecord, LogReport, TallyReport };
export { OperateError };

export type Tallies = Closable & {
  names: readonly string[];
  verify(name: string): Promise<TallyReport>;
  /** Writers go on. Returns how many rows were counted. */
  rebuild(name: string): Promise<number>;
};

export type AuditLog = Closable & {
  /** With a checkpoint that was kept elsewhere, which must be one that the service signed. */
  verify(kept?: string): Promise<LogReport>;
  /** All records after a sequence, some at a time. */
  records(after: number): AsyncGenerator<ExportedRecord[]>;
  lastCheckpoint(): Promise<{ jws: string; checkpoint: Checkpoint }>;
};

export function openTallies(environment: Environment): Promise<Tallies> {
  return openOperations(environment, async (db) => {
    const names = (await hasTable(db, 'tallies')) ? await selectTallies(db) : [];
    if (names.length === 0)
      throw new OperateError('the database has no tally: start the server once, which migrates it');
    return {
      names,
      verify: (name) => explained(() => reportTally(db, name)),
      rebuild: (name) => explained(() => rebuildTally(db, name).then(() => countTallied(db, name))),
    };
  });
}

const exportBatch = 1000;

export function openAuditLog(environment: Environment): Promise<AuditLog> {
  return openOperations(environment, async (db) => {
    if (!(await hasTable(db, 'audit_log')))
      throw new OperateError('the database has no audit log: start the server once, which migrates it');
    const readCheckpoint = createCheckpointReader(db);
    const readSigned = async (jws: string) => {
      const checkpoint = await readCheckpoint(jws);
      if (checkpoint === undefined)
        throw new OperateError('this is no checkpoint that the service of this database signed');
      return checkpoint;
    };
    return {
      verify: (kept) =>
        explained(async () =>
          verifyLog(db, readCheckpoint, kept === undefined ? undefined : await readSigned(kept)),
        ),
      async *records(after) {
        for (let last = after; ; ) {
          const batch = await explained(() => selectRecords(db, last, exportBatch));
          if (batch.length === 0) return;
          yield batch.map(exported);
          last = batch.at(-1)?.sequence ?? last;
        }
      },
      lastCheckpoint: () =>
        explained(async () => {
          const jws = await selectLastCheckpoint(db);
          if (jws === undefined)
            throw new OperateError(
              'the log has no checkpoint yet: the server signs one within a minute of a record',
            );
          return { jws, checkpoint: await readSigned(jws) };
        }),
    };
  });
}
