import pg from 'pg';
import { loadDatabaseConfig } from './config/operator.ts';
import { ConfigError, type Environment } from './config.ts';
import { ApiError } from './contract/api-error.ts';
import { type Database, openDatabase } from './db/database.ts';
import { borrowEmbeddedPostgres } from './db/embedded/borrow.ts';
import { EmbeddedPostgresError } from './db/embedded/embedded-postgres.ts';
import { MigrationError } from './db/migrate.ts';
import { StoreRefused, StoreUnavailable } from './db/unavailable.ts';

type Reason = 'unreachable' | 'refused' | 'unusable';

/** What an operator can mend, in one line. */
export class OperateError extends Error {
  /** No connection; refused as things are; or something is not as it must be to begin with. */
  readonly reason: Reason;
  /** What is wrong with what was given, by field. */
  readonly fields: readonly { field: string; message: string }[];

  constructor(message: string, reason: Reason = 'unusable', fields: OperateError['fields'] = []) {
    super(message);
    this.reason = reason;
    this.fields = fields;
  }
}

export type Closable = {
  /** Also breaks off what is under way; may be called twice. */
  close(): Promise<void>;
};

function explain(error: unknown): unknown {
  if (error instanceof StoreRefused)
    return new OperateError(`the database refuses: ${(error.cause as Error).message}`); // each has one
  if (error instanceof StoreUnavailable) {
    const { message = '', code = '' } = (error.cause ?? {}) as { message?: string; code?: string }; // as drivers throw them
    return new OperateError(`${error.message}: ${message || code || 'no answer'}`, 'unreachable');
  }
  if (error instanceof ApiError)
    return error.code === '4000'
      ? new OperateError(error.message, 'unusable', error.fields)
      : new OperateError(`${error.code} ${error.message}`, 'refused');
  if (error instanceof pg.DatabaseError) return new OperateError(`the database refuses: ${error.message}`);
  const isPlain = [ConfigError, EmbeddedPostgresError, MigrationError].some((kind) => error instanceof kind);
  return isPlain ? new OperateError((error as Error).message) : error; // each of them is an Error
}

export async function explained<Result>(work: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw explain(error);
  }
}

async function borrowDatabase(environment: Environment, mayCreate: boolean) {
  const { databaseUrl, home } = loadDatabaseConfig(environment);
  if (databaseUrl !== undefined)
    return { connection: { connectionString: databaseUrl }, giveBack: async () => {} };
  const { connection, giveBack } = await borrowEmbeddedPostgres(home, { mayCreate });
  // PGSSLMODE of the environment is about other databases
  return { connection: { ...connection, ssl: false }, giveBack };
}

type Connection = Awaited<ReturnType<typeof borrowDatabase>>['connection'];

/** Works on the database that the server's own settings name; one that is not there is made only where it may be. */
export async function openOperations<Operations>(
  environment: Environment,
  prepare: (db: Database, connection: Connection) => Promise<Operations>,
  { mayCreate = false } = {},
): Promise<Operations & Closable> {
  const { connection, giveBack } = await explained(() => borrowDatabase(environment, mayCreate));
  const db = openDatabase(connection, { poolMax: 1, isPatient: true });
  const close = async () => {
    void db.close().catch(() => {}); // it would wait for the statement that is to be broken off
    await giveBack();
  };
  try {
    return { ...(await explained(() => prepare(db, connection))), close };
  } catch (error) {
    await close();
    throw error;
  }
}
