import type pg from 'pg';
import { createFairQueue } from '../queue/fair-queue.ts';
import { commonConfig, settler } from './connection.ts';
import { orUnavailable } from './faults.ts';
import { type LaneState, openPool, type Queryable, type Transactor, type Watch } from './pool.ts';
import { openReaders } from './readers.ts';
import { type Asker, openSlowLane } from './slow-lane.ts';
import { type Prepared, sql } from './sql.ts';

export type { Asker, Queryable, Transactor };

/** Runs statements that were prepared, outside of any transaction. */
export type Executor = {
  execute<Row>(statement: Prepared, values: { [parameter: string]: unknown }, asker: Asker): Promise<Row[]>;
};

type Health = { isReadOnly: boolean; isMigrated: boolean };

export type Database = Transactor &
  Executor & {
    /** How the database is, asked on a connection of its own. */
    check(): Promise<Health>;
    /** Opens the connections that the first requests need. */
    warm(): Promise<void>;
    lanes(): LaneState[];
    watch(listener: Watch): void;
    close(): Promise<void>;
  };

/** A request must be refused within 2 s when the database is away, so connecting and a statement together may not be longer. */
export const databaseDefaults = {
  poolMax: 10,
  readersMax: 2,
  slowMax: 4,
  connectMs: 700,
  queryMs: 1200,
  slowMs: 30_000,
};

type Options = Partial<typeof databaseDefaults> & {
  /** For a command that works alone: connecting and its statements may take their time. */
  isPatient?: boolean;
  lane?: 'main' | 'background';
};

const patience = { connectMs: 10_000, queryMs: 0 };

/** Statements under way on the fast lane: enough to keep it busy, and few enough that a new one is soon answered. */
const fastShares = { atOnceMax: 48, atOnceEach: 32, waitingMax: 2000, waitingEach: 1000 };

/** The server gives up shortly before the service does, so that its connection can be used again. */
const serverMargin = 100;

function timeouts(queryMs: number): string[] {
  return queryMs === 0
    ? []
    : [
        `statement_timeout to ${Math.max(queryMs - serverMargin, 1)}`,
        `idle_in_transaction_session_timeout to '30s'`,
      ];
}

const healthStatement = sql`
  select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly",
    to_regclass('schema_migrations') is not null as "isMigrated"`;

export function openDatabase(connection: pg.PoolConfig, options: Options = {}): Database {
  const settings = { ...databaseDefaults, ...options, ...(options.isPatient ? patience : {}) };
  const { poolMax, readersMax, slowMax, connectMs, queryMs, slowMs } = settings;
  const listeners: Watch[] = [];
  const watch: Watch = (lane, ms) => {
    for (const listener of listeners) listener(lane, ms);
  };
  const common = commonConfig(connection, connectMs);
  const brief = { ...common, ...(queryMs === 0 ? {} : { query_timeout: queryMs }) };
  const settle = settler(timeouts(queryMs));
  const pool = openPool(settings.lane ?? 'main', { ...brief, max: poolMax }, settle, watch);
  const probe = openPool('probe', { ...brief, max: 1 }, settle, watch);
  // Their plans depend on no value. Left to itself, the database would go on planning some of them each time.
  const settleReader = settler([...timeouts(queryMs), 'plan_cache_mode to force_generic_plan']);
  const readers = openReaders(common, settleReader, { readersMax, queryMs: queryMs || slowMs });
  const fast = createFairQueue({ ...fastShares, waitMs: queryMs || slowMs });
  const slowPool = openPool('slow', { ...common, max: slowMax }, settler([]), watch);
  const check = shared(async () => {
    const [health] = await probe.query<Health>(healthStatement);
    return health ?? { isReadOnly: true, isMigrated: false };
  });
  const slow = openSlowLane(slowPool, { slowMax, slowMs }, check);
  const runFast = async (query: pg.QueryConfig, { id }: Asker) => {
    const begun = performance.now();
    return fast
      .run(id, () => orUnavailable(readers.run(query, id)))
      .finally(() => watch('fast', performance.now() - begun));
  };
  return {
    query: pool.query,
    transaction: pool.transaction,
    async execute<Row>(
      { name, text, effort, bind }: Prepared,
      values: { [parameter: string]: unknown },
      asker: Asker,
    ) {
      const query = { name, text, values: bind(values) };
      const { rows } = await (effort === 'brief' ? runFast(query, asker) : slow.run(query, asker));
      return rows as Row[]; // the select list is written next to the row type that each caller names
    },
    check,
    warm: async () =>
      void (await Promise.all([pool.warm(poolMax), readers.warm(), slowPool.warm(1), probe.warm(1)])),
    lanes: () => [pool.state(), readers.state(), slow.state(), probe.state()],
    watch: (listener) => void listeners.push(listener),
    close: async () => void (await Promise.all([pool.close(), readers.close(), slow.close(), probe.close()])),
  };
}

/** Asked once for all who ask meanwhile. */
function shared<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let underway: Promise<Value> | undefined;
  return () => {
    underway ??= ask().finally(() => {
      underway = undefined;
    });
    return underway;
  };
}
