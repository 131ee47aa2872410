import { availableParallelism } from 'node:os';
import type pg from 'pg';
import { createFairQueue } from '../queue/fair-queue.ts';
import { commonConfig, limitTo, readsOnly, settler } from './connection.ts';
import { orUnavailable, repeatedOnce } from './faults.ts';
import {
  type LaneState,
  type Lent,
  openPool,
  type Pool,
  type Queryable,
  run,
  type Transaction,
  type Transactor,
  type Watch,
} from './pool.ts';
import { giveWay } from './priority.ts';
import { openReaders } from './readers.ts';
import { type Asker, openSlowLane } from './slow-lane.ts';
import { createPreparation, type Prepared, type Sql, trusted } from './sql.ts';
import type { Settle } from './standing.ts';
import { StoreRefused } from './unavailable.ts';

export type { Asker, Queryable, Transaction, Transactor };

/** Runs statements that were prepared, outside of any transaction. */
export type Executor = {
  /** For a brief statement that is asked again and again; it is prepared before the first request when it is made before. */
  prepare(statement: Sql): Prepared;
  execute<Row>(statement: Prepared, values: { [parameter: string]: unknown }, asker: Asker): Promise<Row[]>;
};

type Health = { isReadOnly: boolean; isMigrated: boolean; isAllowed: boolean };

/** What is watched of connections to the database. */
export type Watched = { lanes(): LaneState[]; watch(listener: Watch): void };

export type Database = Transactor &
  Executor &
  Watched & {
    shareOf: Pool['shareOf'];
    /** How the database is, asked on a connection of its own. */
    check(): Promise<Health>;
    /** Fails unless a write has ended of late; one is made for all who ask within a second. */
    checkWrite(): Promise<void>;
    /**
     * Opens the connections that the first requests need, and asks on each what they will ask, of nobody. `rehearse` is what they
     * ask without a statement that was prepared; it must leave nothing behind. Nothing is tried again once the signal has come.
     */
    warm(rehearse?: (db: Queryable) => Promise<void>, signal?: AbortSignal): Promise<void>;
    close(): Promise<void>;
  };

export type Background = Transactor & Watched & { close(): Promise<void> };

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
};

const patience = { connectMs: 10_000, queryMs: 0 };

/** Statements under way on the fast lane: enough to keep it busy, and few enough that a new one is soon answered. */
const fastShares = { atOnceMax: 48, atOnceEach: 32, waitingMax: 2000, waitingEach: 1000 };

/** Of the slow lane; the others are opened when they are asked for. */
const slowWarm = 1;
/** Statements that begin on the slow lane, one after the other, where they would take the last processor of the service's machine. */
const turnsHere = Math.max(1, availableParallelism() - 1);
const turnMs = 500;
const warmMs = 60_000;
/** What is not prepared by then is prepared by the requests that need it. */
const rehearsalMs = 10_000;

/** The server gives up shortly before the service does, so that its connection can be used again. */
const serverMarginMs = 100;
/** A process that was stopped inside a transaction does not hold its locks for ever. */
const idleMs = 30_000;

function timeouts(queryMs: number): string[] {
  return queryMs === 0
    ? []
    : [
        limitTo('statement_timeout', Math.max(queryMs - serverMarginMs, 1)),
        limitTo('idle_in_transaction_session_timeout', idleMs),
      ];
}

/** The tables of the service are told from others by their schema and owner; what a partition allows is never asked. */
const healthStatement = trusted(`
  select ${readsOnly} as "isReadOnly", to_regclass('schema_migrations') is not null as "isMigrated",
    not exists (
      select from pg_class known join pg_class c using (relnamespace, relowner)
      where known.oid = to_regclass('schema_migrations') and c.relkind in ('r', 'p') and not c.relispartition
        and not (has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert'))
    ) as "isAllowed"`);

async function askHealth(lent: Lent): Promise<Health> {
  const [health] = await run<Health>(lent, healthStatement);
  if (health === undefined || health.isReadOnly || !health.isMigrated) lent.doubt();
  return health ?? { isReadOnly: true, isMigrated: false, isAllowed: false };
}

/** Nothing of it is kept but a line in the write-ahead log, and its commit waits for whatever others wait for. */
const writeStatement = trusted(`select pg_logical_emit_message(true, 'portico', 'ready'::text)`);

async function attemptWrite(probe: Pool): Promise<void> {
  await probe.query(writeStatement).catch((error: unknown) => {
    // Where the role may not, or where there is no such thing, nobody can tell.
    if (!(error instanceof StoreRefused)) throw error;
  });
}

export function openDatabase(connection: pg.PoolConfig, options: Options = {}): Database {
  const settings = { ...databaseDefaults, ...options, ...(options.isPatient ? patience : {}) };
  const { poolMax, readersMax, slowMax, connectMs, queryMs, slowMs } = settings;
  const { watch, tell } = createWatch();
  const common = commonConfig(connection, connectMs);
  const brief = { ...common, ...(queryMs === 0 ? {} : { query_timeout: queryMs }) };
  const settle = settler(timeouts(queryMs));
  // To connect and to prepare anew takes many times as long as a statement: what is open stays open.
  const pool = openPool('main', { ...brief, max: poolMax, min: poolMax }, settle, tell);
  // Two, as a write that does not end must not keep anybody from asking whether the database is there.
  const probe = openPool('probe', { ...brief, max: 2, min: 1 }, settle, tell);
  // Their plans depend on no value. Left to itself, the database would go on planning some of them each time.
  const settleReader = settler([...timeouts(queryMs), 'set plan_cache_mode to force_generic_plan']);
  const readers = openReaders(common, settleReader, { readersMax, queryMs: queryMs || slowMs });
  const fast = createFairQueue({ ...fastShares, waitMs: queryMs || slowMs });
  let isHere = false;
  const settleSlow: Settle = (client) => {
    isHere = giveWay(client);
    return settler([])(client);
  };
  const slowPool = openPool('slow', { ...brief, max: slowMax, min: slowWarm }, settleSlow, tell);
  const check = shared(() => probe.lend(askHealth));
  const turn = { max: () => (isHere ? turnsHere : slowMax), ms: turnMs };
  const slow = openSlowLane(slowPool, { slowMax, slowMs }, turn, check);
  const { prepare, known } = createPreparation();
  const runFast = async (query: pg.QueryConfig, { id }: Asker) => {
    const begun = performance.now();
    return fast
      .run(id, () => repeatedOnce(() => orUnavailable(readers.run(query, id))))
      .finally(() => tell('fast', performance.now() - begun));
  };
  return {
    query: pool.query,
    shareOf: pool.shareOf,
    transaction: pool.transaction,
    prepare,
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
    checkWrite: lately(() => attemptWrite(probe)),
    async warm(rehearse, signal) {
      await patiently(() => pool.warm(poolMax), signal);
      await patiently(readers.warm, signal);
      await patiently(() => slowPool.warm(slowWarm), signal);
      await patiently(() => probe.warm(1), signal);
      const queries = known().map(({ name, text, bind }) => ({ name, text, values: bind({}) }));
      await readers.rehearse(queries, AbortSignal.timeout(rehearsalMs));
      if (rehearse !== undefined) await pool.rehearse(rehearse);
    },
    lanes: () => [pool.state(), readers.state(), slow.state(), probe.state()],
    watch,
    close: async () => void (await Promise.all([pool.close(), readers.close(), slow.close(), probe.close()])),
  };
}

/** Work that nobody waits for may take its time; but a connection that was lost without a word is given up. */
const backgroundPatience = { connectMs: 10_000, queryMs: 120_000 };

/** Rows that wait for a database that is away need room: it is soon tried again. */
const writerPatience = { connectMs: 2000, queryMs: 10_000 };

/** A connection for what is written of every signed request, so that nothing else waits for it. */
export function openRequestWriter(connection: pg.PoolConfig): Background {
  return openBehind('requests', connection, { ...writerPatience, max: 1 });
}

/** Connections for work that no request waits for. */
export function openBackground(connection: pg.PoolConfig, patience = backgroundPatience): Background {
  return openBehind('background', connection, { ...patience, max: 5 });
}

function openBehind(
  lane: 'background' | 'requests',
  connection: pg.PoolConfig,
  { connectMs, queryMs, max }: { connectMs: number; queryMs: number; max: number },
): Background {
  const { watch, tell } = createWatch();
  const config = { ...commonConfig(connection, connectMs), query_timeout: queryMs, max };
  const pool = openPool(lane, config, settler(timeouts(queryMs)), tell);
  return { ...pool, lanes: () => [pool.state()], watch };
}

function createWatch() {
  const listeners: Watch[] = [];
  const tell: Watch = (lane, ms) => {
    for (const listener of listeners) listener(lane, ms);
  };
  return { tell, watch: (listener: Watch) => void listeners.push(listener) };
}

/** Nobody is kept waiting yet: a database that is slow to let many in at once is asked again. */
async function patiently(work: () => Promise<unknown>, signal?: AbortSignal): Promise<void> {
  const endsMs = performance.now() + warmMs;
  for (;;) {
    try {
      await orUnavailable(work());
      return;
    } catch (error) {
      if (signal?.aborted || performance.now() > endsMs) throw error;
    }
  }
}

/** A probe of many, each second, must not become as many writes. */
const latelyMs = 1000;

/** Asked once for all who ask meanwhile, and of late if it went well. */
function lately(ask: () => Promise<void>): () => Promise<void> {
  let endedMs = Number.NEGATIVE_INFINITY;
  const askOnce = shared(async () => {
    await ask();
    endedMs = performance.now();
  });
  return async () => {
    if (performance.now() - endedMs >= latelyMs) await askOnce();
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
