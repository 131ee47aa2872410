import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openReaders } from './readers.ts';
import { type Prepared, type Sql, sql } from './sql.ts';
import { StoreUnavailable } from './unavailable.ts';

export type Queryable = {
  query<Row>(statement: Sql): Promise<Row[]>;
};

/** Runs statements that were prepared, outside of any transaction. */
export type Executor = {
  execute<Row>(statement: Prepared, values: { [parameter: string]: unknown }): Promise<Row[]>;
};

export type Database = Queryable &
  Executor & {
    transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>;
    close(): Promise<void>;
  };

/** A request must be refused within 2 s when the database is away, so both waits together may not be longer. */
const connectTimeoutMs = 700;
const queryTimeoutMs = 1200;
/** The longest that a statement is waited for, and how often the database is asked whether it is still there. */
const longQueryMs = 30_000;
const watchEveryMs = 600;
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

async function orUnavailable<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (isUnavailable(error)) throw new StoreUnavailable('database unavailable', { cause: error });
    throw error;
  }
}

async function run<Row>(client: pg.Pool | pg.PoolClient, { text, values }: Sql): Promise<Row[]> {
  const { rows } = await orUnavailable<pg.QueryResult>(client.query({ text, values: [...values] }));
  return rows as Row[]; // the select list is written next to the row type that each caller names
}

/** A statement may take long; a database that answers nobody may not. */
async function runLong(pool: pg.Pool, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const client = await pool.connect();
  let lost: Error | undefined;
  const patient: pg.QueryConfig & { query_timeout: number } = { ...query, query_timeout: longQueryMs };
  const running = client.query(patient);
  const answered = running.then(
    () => true,
    () => true,
  );
  const lose = (error: Error) => {
    lost = error;
    throw error;
  };
  const watch = async () => {
    while (!(await Promise.race([answered, sleep(watchEveryMs, false)])))
      await pool.query('select 1').catch(lose);
  };
  try {
    await Promise.race([watch(), answered]);
    return await running;
  } finally {
    client.release(lost);
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
  // The pool listens to its idle connections only: one that breaks while it is lent would end the process.
  const noteFailure = (error: Error) => {
    broken = error;
  };
  client.on('error', noteFailure);
  try {
    await run(client, sql`begin`);
    const result = await work({ query: (statement) => run(client, statement) });
    await run(client, sql`commit`);
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

/** Their plans depend on no value. Left to itself, the database would go on planning some of them each time. */
async function settleReader(client: pg.ClientBase): Promise<void> {
  await settle(client);
  await client.query('set plan_cache_mode to force_generic_plan');
}

type Options = {
  poolMax?: number;
  /** For work that nobody waits for: connecting and its statements may take their time. */
  isPatient?: boolean;
};

export function openDatabase(connection: pg.PoolConfig, options: Options = {}): Database {
  const common = {
    ...connection,
    connectionTimeoutMillis: options.isPatient ? patientConnectTimeoutMs : connectTimeoutMs,
    ...(options.isPatient ? {} : { query_timeout: queryTimeoutMs }),
    application_name: 'portico',
    types,
  };
  const pool = new pg.Pool({
    ...common,
    max: options.poolMax ?? 10,
    idleTimeoutMillis: 30_000,
    onConnect: settle,
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {});
  const readers = openReaders(common, settleReader);
  return {
    query: (statement) => run(pool, statement),
    async execute<Row>({ name, text, effort, bind }: Prepared, values: { [parameter: string]: unknown }) {
      const query = { name, text, values: bind(values) };
      const { rows } = await orUnavailable(effort === 'brief' ? readers.run(query) : runLong(pool, query));
      return rows as Row[]; // as above
    },
    transaction: (work) => inTransaction(pool, work),
    close: async () => void (await Promise.all([pool.end(), readers.close()])),
  };
}
