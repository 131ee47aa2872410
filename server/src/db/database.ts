import pg from 'pg';
import type { Sql } from './sql.ts';
import { StoreUnavailable } from './unavailable.ts';

export type Queryable = {
  query<Row>(statement: Sql): Promise<Row[]>;
};

export type Database = Queryable & {
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

/** A request must be refused within 2 s when the database is away, so neither wait may be longer. */
const connectTimeoutMs = 1500;
const queryTimeoutMs = 1900;

const int8 = 20;
const timestamptz = 1184;

function parseTimestamp(text: string): string {
  return new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).toISOString();
}

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === int8) return Number;
    if (oid === timestamptz) return parseTimestamp;
    return pg.types.getTypeParser(oid, format);
  },
} as pg.CustomTypesConfig; // pg declares one overload per built-in type; ours covers them through its own

/** Errors of our own making, as in reading a value; the driver has no class of its own for a lost connection. */
const faults = [RangeError, SyntaxError, TypeError];

/** Classes 08 connection, 53 out of resources, 57P shutdown: the statement was fine, the server was not. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return !faults.some((kind) => error instanceof kind);
  return /^(08|53|57P)/.test(error.code ?? '');
}

async function run<Row>(client: pg.Pool | pg.PoolClient, statement: Sql): Promise<Row[]> {
  try {
    const result = await client.query({ text: statement.text, values: [...statement.values] });
    return result.rows as Row[]; // the select list is written next to the row type that each caller names
  } catch (error) {
    if (isUnavailable(error)) throw new StoreUnavailable('database unavailable', { cause: error });
    throw error;
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new StoreUnavailable('database unavailable', { cause: error });
  }
}

async function inTransaction<Result>(
  pool: pg.Pool,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  const client = await connect(pool);
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work({ query: (statement) => run(client, statement) });
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error instanceof Error && isConnectionFailure(error)
      ? new StoreUnavailable('database unavailable', { cause: error })
      : error;
  } finally {
    client.release(broken);
  }
}

/** Raised by the driver itself on begin or commit, outside run(). */
function isConnectionFailure(error: Error): boolean {
  return /^(Connection terminated|Query read timeout|Client (was closed|has encountered))/.test(
    error.message,
  );
}

export function openDatabase(connection: pg.PoolConfig, options: { poolMax?: number } = {}): Database {
  const pool = new pg.Pool({
    ...connection,
    max: options.poolMax ?? 10,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
    idleTimeoutMillis: 30_000,
    application_name: 'portico',
    types,
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {});
  return {
    query: (statement) => run(pool, statement),
    transaction: (work) => inTransaction(pool, work),
    close: () => pool.end(),
  };
}
