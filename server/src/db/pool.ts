import pg from 'pg';
import { createFairQueue } from '../queue/fair-queue.ts';
import { cancelStatement, gather, known } from './connection.ts';
import {
  breaksConnection,
  doubtsConnection,
  isCancellation,
  orRefused,
  orUnavailable,
  repeatedOnce,
} from './faults.ts';
import { type Sql, sql } from './sql.ts';
import type { Settle, Standing } from './standing.ts';

export type Queryable = {
  query<Row>(statement: Sql): Promise<Row[]>;
};

/** Connections that serve one kind of work; they are watched by this name. */
export type Lane = 'main' | 'fast' | 'slow' | 'probe' | 'background' | 'requests';
export type LaneState = { lane: Lane; busy: number; idle: number; waiting: number };

/** Told of each piece of work: which lane it took, and for how long. */
export type Watch = (lane: Lane, ms: number) => void;

/** A connection while it is lent. */
export type Lent = {
  query(query: string | pg.QueryConfig): Promise<pg.QueryResult>;
  isBroken(): boolean;
  /** What it says is fine, but another connection may say something else: it is not used for long. */
  doubt(): void;
  /** It is not taken back, and what it is doing is ended. */
  giveUp(reason: Error): void;
  /** What it is doing is ended. It is taken back if that was what the server did, and not if it could be hit later. */
  cancel(): void;
};

/**
 * Statements that are kept together or not at all. Nothing but `transaction` makes one, and it ends with it. Those that are
 * asked without waiting for one another leave together and are done in their order; once one has failed, so do all after it.
 */
class OpenTransaction implements Queryable {
  #lent: Lent | undefined;
  readonly #begun: Promise<unknown>;
  /** Why it is lost: what failed first. */
  #failure: unknown;
  readonly #last: Sql[] = [];
  #afterCommit: (() => void)[] = [];

  private constructor(lent: Lent) {
    this.#lent = lent;
    this.#begun = run(lent, sql`begin`);
    this.#begun.catch(() => {}); // told by whoever waits for it
  }

  #connection(): Lent {
    if (this.#lent === undefined) throw new Error('the transaction has ended');
    return this.#lent;
  }

  async #run<Row>(statement: Sql): Promise<Row[]> {
    try {
      return await run<Row>(this.#connection(), statement);
    } catch (error) {
      this.#failure ??= error;
      throw this.#failure;
    }
  }

  async query<Row>(statement: Sql): Promise<Row[]> {
    await this.#begun;
    return this.#run<Row>(statement);
  }

  /** Leaves with the `begin`. Only for what changes nothing: were there no transaction in the end, it would stand alone. */
  async look<Row>(statement: Sql): Promise<Row[]> {
    const [, rows] = await Promise.all([this.#begun, this.#run<Row>(statement)]);
    return rows;
  }

  /** Leaves with the `commit`, which keeps nothing if it fails. */
  last(statement: Sql): void {
    this.#connection();
    this.#last.push(statement);
  }

  /** What is told once all of it is kept, and never if it is not. It must not throw. */
  afterCommit(tell: () => void): void {
    this.#afterCommit.push(tell);
  }

  static async during<Result>(lent: Lent, work: (tx: OpenTransaction) => Promise<Result>) {
    const tx = new OpenTransaction(lent);
    try {
      const result = await work(tx);
      await tx.#begun;
      return { result, last: tx.#last, told: tx.#afterCommit };
    } finally {
      tx.#lent = undefined;
    }
  }
}

export type Transaction = OpenTransaction;

export type Transactor = Queryable & {
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
};

export type Pool = Transactor & {
  /** For one of many callers: its work takes turns with that of others, and never has all connections. */
  shareOf(household: string, member?: string): Transactor;
  lend<Result>(work: (lent: Lent) => Promise<Result>): Promise<Result>;
  /** Opens connections before they are needed, one by one: many instances may start at once. */
  warm(count: number): Promise<void>;
  /** Works on each open connection, before anybody else does. What fails is left to whoever asks for it. */
  rehearse(work: (db: Queryable) => Promise<void>): Promise<void>;
  state(): LaneState;
  close(): Promise<void>;
};

type Opened = { pool: pg.Pool; standings: Map<pg.ClientBase, Standing> };

async function take({ pool, standings }: Opened): Promise<pg.PoolClient> {
  for (;;) {
    const client = await orRefused(pool.connect());
    if (!standings.get(client)?.isOver()) return client;
    client.release(true);
  }
}

async function lendFrom<Result>(opened: Opened, work: (lent: Lent) => Promise<Result>): Promise<Result> {
  const client = await take(opened);
  const standing = opened.standings.get(client);
  let broken: Error | undefined;
  let isCancelled = false;
  const cancel = () => {
    isCancelled = true;
    cancelStatement(client);
  };
  const giveUp = (reason: Error) => {
    // What was begun on it goes on in the server, unless it is told.
    if (broken === undefined && !(reason instanceof pg.DatabaseError)) cancelStatement(client);
    broken ??= reason;
  };
  const gathered = gather(known(client).connection.stream, process.nextTick);
  const query: Lent['query'] = async (asked) => {
    try {
      gathered();
      const result = await client.query(asked);
      if (isCancelled) broken ??= new Error('cancelled too late');
      return result;
    } catch (error) {
      const wasCancelled = isCancelled;
      isCancelled = false;
      if (wasCancelled && !isCancellation(error)) broken ??= error as Error; // drivers throw nothing else
      if (breaksConnection(error)) giveUp(error as Error);
      if (doubtsConnection(error)) standing?.doubt();
      throw error;
    }
  };
  try {
    const doubt = () => standing?.doubt();
    return await work({ query, isBroken: () => broken !== undefined, doubt, giveUp, cancel });
  } finally {
    client.release(broken ?? standing?.isOver());
  }
}

export async function run<Row>(lent: Lent, { name, text, values }: Sql): Promise<Row[]> {
  const query = { text, values: [...values], ...(name === undefined ? {} : { name }) };
  const { rows } = await orUnavailable(lent.query(query));
  return rows as Row[]; // the select list is written next to the row type that each caller names
}

async function inTransaction<Result>(
  lent: Lent,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    const { result, last, told } = await OpenTransaction.during(lent, work);
    await Promise.all([...last, sql`commit`].map((statement) => run(lent, statement)));
    for (const tell of told) tell();
    return result;
  } catch (error) {
    if (!lent.isBroken()) await run(lent, sql`rollback`).catch(() => {}); // then it is broken, and not taken back
    throw error;
  }
}

/** Who shares takes at most four of five connections, and one household all of these but one. */
function sharesOf(max: number, waitMs: number) {
  const atOnceMax = Math.max(1, Math.floor(max * 0.8));
  return { atOnceMax, atOnceEach: Math.max(1, atOnceMax - 1), waitingMax: 4000, waitingEach: 2000, waitMs };
}

function openConnections(config: pg.PoolConfig, settle: Settle): Opened {
  const standings: Opened['standings'] = new Map();
  const onConnect = async (client: pg.ClientBase) => void standings.set(client, await settle(client));
  const pool = new pg.Pool({ ...config, pipeline: true, idleTimeoutMillis: 30_000, onConnect });
  // The pool listens to its idle connections only: one that breaks while it is lent would end the process.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  pool.on('remove', (client) => standings.delete(client));
  return { pool, standings };
}

export function openPool(lane: Lane, config: pg.PoolConfig, settle: Settle, watch: Watch): Pool {
  const opened = openConnections(config, settle);
  const { pool } = opened;
  const lend: Pool['lend'] = async (work) => {
    const begun = performance.now();
    try {
      return await lendFrom(opened, work);
    } finally {
      watch(lane, performance.now() - begun);
    }
  };
  const query = <Row>(statement: Sql) => repeatedOnce(() => lend((lent) => run<Row>(lent, statement)));
  const transaction: Pool['transaction'] = (work) =>
    repeatedOnce(() => lend((lent) => inTransaction(lent, work)));
  const turns = createFairQueue(sharesOf(config.max ?? 10, config.connectionTimeoutMillis ?? 0));
  return {
    query,
    shareOf(household, member = '') {
      const inTurn = async <Result>(work: () => Promise<Result>) => {
        // Who waits in vain waits for a database that does not keep up.
        const leave = await orUnavailable(turns.enter(household, { member }));
        return work().finally(leave);
      };
      return {
        query: <Row>(statement: Sql) => inTurn(() => query<Row>(statement)),
        transaction: (work) => inTurn(() => transaction(work)),
      };
    },
    transaction,
    lend,
    async warm(count) {
      const clients: pg.PoolClient[] = [];
      try {
        while (clients.length < count) clients.push(await pool.connect());
      } finally {
        for (const client of clients) client.release();
      }
    },
    async rehearse(work) {
      // Asked for together, each is given another one.
      const all = Array.from({ length: pool.totalCount }, () =>
        lendFrom(opened, (lent) => work({ query: (statement) => run(lent, statement) })),
      );
      await Promise.allSettled(all);
    },
    state: () => ({
      lane,
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount + turns.waiting(),
    }),
    close: () => pool.end(),
  };
}
