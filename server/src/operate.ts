import pg from 'pg';
import { ConfigError, type Environment, loadDatabaseConfig } from './config.ts';
import { openDatabase } from './db/database.ts';
import { borrowEmbeddedPostgres } from './db/embedded/borrow.ts';
import { EmbeddedPostgresError } from './db/embedded/embedded-postgres.ts';
import { rebuildTally, selectTallies } from './db/tally.ts';
import { countTallied, hasTallies, reportTally, type TallyReport } from './db/tally-report.ts';
import { StoreUnavailable } from './db/unavailable.ts';

/** What an operator can mend, in one line. */
export class OperateError extends Error {
  readonly isUnreachable: boolean;

  constructor(message: string, isUnreachable = false) {
    super(message);
    this.isUnreachable = isUnreachable;
  }
}

export type { TallyReport };

export type Tallies = {
  names: readonly string[];
  verify(name: string): Promise<TallyReport>;
  /** Writers go on. Returns how many rows were counted. */
  rebuild(name: string): Promise<number>;
  /** Also breaks off what is under way; may be called twice. */
  close(): Promise<void>;
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

/** The tallies of the database that the server's own settings name. Nothing is migrated. */
export async function openTallies(environment: Environment): Promise<Tallies> {
  const { connection, giveBack } = await explained(() => borrowDatabase(environment));
  const db = openDatabase(connection, { poolMax: 1, isPatient: true });
  const close = async () => {
    void db.close().catch(() => {}); // it would wait for the statement that is to be broken off
    await giveBack();
  };
  const readNames = async () => ((await hasTallies(db)) ? selectTallies(db) : []);
  try {
    const names = await explained(readNames);
    if (names.length === 0)
      throw new OperateError('the database has no tally: start the server once, which migrates it');
    return {
      names,
      verify: (name) => explained(() => reportTally(db, name)),
      rebuild: (name) => explained(() => rebuildTally(db, name).then(() => countTallied(db, name))),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
