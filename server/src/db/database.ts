import pg from 'pg';
import { type Prepared, type Sql, sql } from './sql.ts';
import { StoreUnavailable } from './unavailable.ts';

export type Queryable = {
  query<Row>(statement: Sql): Promise<Row[]>;
  execute<Row>(statement: Prepared, values: { [parameter: string]: unknown }): Promise<Row[]>;
};

export type Database = Queryable & {
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

/** A request must be refused within 2 s when the database is away, so both waits together may not be longer. */
const connectTimeoutMs = 700;
const queryTimeoutMs = 1200;
const patientConnectTimeoutMs = 10_000;

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

async function run<Row>(client: pg.Pool | pg.PoolClient, query: pg.QueryConfig): Promise<Row[]> {
  try {
    const result = await client.query(query);
    return result.rows as Row[]; // the select list is written next to the row type that each caller names
  } catch (error) {
    if (isUnavailable(error)) throw new StoreUnavailable('database unavailable', { cause: error });
    throw error;
  }
}

function queryable(client: pg.Pool | pg.PoolClient): Queryable {
  return {
    query: ({ text, values }) => run(client, { text, values: [...values] }),
    execute: ({ name, text, bind }, values) => run(client, { name, text, values: bind(values) }),
  };
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
  // The pool listens to its idle connections only: one that breaks while it is lent would end the process.
  const noteFailure = (error: Error) => {
    broken = error;
  };
  client.on('error', noteFailure);
  try {
    const tx = queryable(client);
    await tx.query(sql`begin`);
    const result = await work(tx);
    await tx.query(sql`commit`);
    return result;
  } catch (error) {
    // A connection that does not answer is given up, and its transaction with it.
    if (error instanceof StoreUnavailable) broken = error;
    else await client.query('rollback').catch(noteFailure);
    throw error;
  } finally {
    client.off('error', noteFailure);
    client.release(broken);
  }
}

/** Times are read as text, and only these settings write every one of them in one way. */
async function settle(client: pg.ClientBase): Promise<void> {
  await client.query(`set timezone to 'UTC'; set datestyle to 'ISO'`);
}

type Options = {
  poolMax?: number;
  /** For work that nobody waits for: connecting and its statements may take their time. */
  isPatient?: boolean;
};

export function openDatabase(connection: pg.PoolConfig, options: Options = {}): Database {
  const pool = new pg.Pool({
    ...connection,
    max: options.poolMax ?? 10,
    connectionTimeoutMillis: options.isPatient ? patientConnectTimeoutMs : connectTimeoutMs,
    ...(options.isPatient ? {} : { query_timeout: queryTimeoutMs }),
    idleTimeoutMillis: 30_000,
    application_name: 'portico',
    types,
    onConnect: settle,
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {});
  return {
    ...queryable(pool),
    transaction: (work) => inTransaction(pool, work),
    close: () => pool.end(),
  };
}
