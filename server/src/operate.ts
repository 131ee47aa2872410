import pg from 'pg';
import { createCheckpointReader } from './auth/portal/checkpoint-signature.ts';
import { ConfigError, type Environment, loadDatabaseConfig } from './config.ts';
import { type Database, openDatabase } from './db/database.ts';
import { borrowEmbeddedPostgres } from './db/embedded/borrow.ts';
import { EmbeddedPostgresError } from './db/embedded/embedded-postgres.ts';
import { rebuildTally, selectTallies } from './db/tally.ts';
import { countTallied, hasTable, reportTally, type TallyReport } from './db/tally-report.ts';
import { StoreUnavailable } from './db/unavailable.ts';
import { type Checkpoint, selectLastCheckpoint } from './log/checkpoints.ts';
import { type ExportedRecord, exported, selectRecords } from './log/sealed-records.ts';
import { type LogReport, verifyLog } from './log/verify.ts';

/** What an operator can mend, in one line. */
export class OperateError extends Error {
  readonly isUnreachable: boolean;

  constructor(message: string, isUnreachable = false) {
    super(message);
    this.isUnreachable = isUnreachable;
  }
}

export type { Checkpoint, ExportedRecord, LogReport, TallyReport };

type Closable = {
  /** Also breaks off what is under way; may be called twice. */
  close(): Promise<void>;
};

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

function explain(error: unknown): unknown {
  if (error instanceof StoreUnavailable) {
    const { message = '', code = '' } = (error.cause ?? {}) as { message?: string; code?: string }; // as drivers throw them
    return new OperateError(`${error.message}: ${message || code || 'no answer'}`, true);
  }
  if (error instanceof pg.DatabaseError) return new OperateError(`the database refuses: ${error.message}`);
  if (error instanceof ConfigError || error instanceof EmbeddedPostgresError)
    return new OperateError(error.message);
  return error;
}

async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw explain(error);
  }
}

async function borrowDatabase(environment: Environment) {
  const { databaseUrl, home } = loadDatabaseConfig(environment);
  if (databaseUrl !== undefined)
    return { connection: { connectionString: databaseUrl }, giveBack: async () => {} };
  const { connection, giveBack } = await borrowEmbeddedPostgres(home);
  // PGSSLMODE of the environment is about other databases
  return { connection: { ...connection, ssl: false }, giveBack };
}

/** Works on the database that the server's own settings name. Nothing is migrated. */
async function openOperations<Operations>(
  environment: Environment,
  prepare: (db: Database) => Promise<Operations>,
): Promise<Operations & Closable> {
  const { connection, giveBack } = await explained(() => borrowDatabase(environment));
  const db = openDatabase(connection, { poolMax: 1, isPatient: true });
  const close = async () => {
    void db.close().catch(() => {}); // it would wait for the statement that is to be broken off
    await giveBack();
  };
  try {
    return { ...(await explained(() => prepare(db))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

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
