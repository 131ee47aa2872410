import { Socket } from 'node:net';
import pg from 'pg';
import { cancelStatement, gather } from './connection.ts';
import { breaksConnection, doubtsConnection, isPassing, orRefused } from './faults.ts';
import type { LaneState } from './pool.ts';
import type { Settle, Standing } from './standing.ts';

/** A statement that runs this long is left alone: whatever waits behind it is sent again on another connection. */
const stuckMs = 300;
const lookEveryMs = 50;
/** Whoever had a long statement shares one connection for so long with all others who had one. */
const asideMs = 5000;
/** One that was behind a long statement may also meet a connection that breaks. */
const sendsMax = 3;

export type Readers = {
  /** `caller` is who asks: behind a long statement wait those of callers who had one of late, and nobody else. */
  run(query: pg.QueryConfig, caller: string): Promise<pg.QueryResult>;
  warm(): Promise<void>;
  /** Asks on each connection, before anybody else does. What fails or is late is left to whoever asks for it. */
  rehearse(queries: readonly pg.QueryConfig[], signal: AbortSignal): Promise<void>;
  state(): LaneState;
  close(): Promise<void>;
};

type Settings = { readersMax: number; queryMs: number };

/** One statement on its way. It reads, so it may be sent twice; the answer on the connection it left is nobody's. */
type Flight = {
  query: pg.QueryConfig;
  caller: string;
  begunMs: number;
  reader: Reader | undefined;
  /** How often it may still be sent. */
  sendsLeft: number;
  resolve(result: pg.QueryResult): void;
  reject(error: Error): void;
};

type Reader = {
  client: pg.Client;
  /** What is written goes out at once, or with the rest of this turn of the event loop. */
  send: () => void;
  gather: () => void;
  ready: Promise<unknown>;
  /** Once it is ready. */
  standing: Standing | undefined;
  /** In the order in which they were sent, which is that of the answers. */
  line: Flight[];
  headSinceMs: number;
  /** For those alone who had a long statement of late. */
  isAside: boolean;
  isStuck: boolean;
};

/** The statement before it, which would have prepared its own, was ended while it did. */
const unprepared = '26000';

const noAnswer = (cause: unknown) => new Error('no answer', { cause });

/**
 * Counts the time in which answers could have been read: when the process itself was held up, they may be here unread, and
 * nobody is to be given up for that.
 */
function createPatience(onLook: () => void) {
  let ms = 0;
  let lookedMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    ms += Math.min(nowMs - lookedMs, lookEveryMs * 2);
    lookedMs = nowMs;
    onLook();
  }, lookEveryMs).unref();
  return { now: () => ms, end: () => clearInterval(timer) };
}

/**
 * Connections on which statements follow one another without waiting for the answers. Only for short ones that read: a
 * statement waits for those before it. One that turns out long is left alone on its connection until its time is up.
 */
export function openReaders(
  config: pg.ClientConfig,
  settle: Settle,
  { readersMax, queryMs }: Settings,
): Readers {
  const readers = new Set<Reader>();
  /** For whom there is no connection until one is free of a long statement. */
  const parked = new Set<Flight>();
  /** Callers who had a long statement, and when. */
  const setAside = new Map<string, number>();
  const common = () => [...readers].filter(({ isAside }) => !isAside);
  const healthy = () => common().filter(({ isStuck, standing }) => !isStuck && !standing?.isOver());
  const patience = createPatience(() => {
    for (const [caller, ms] of setAside) if (patience.now() - ms >= asideMs) setAside.delete(caller);
    for (const reader of readers) look(reader);
    for (const flight of parked) if (isOverdue(flight)) refuse(flight);
  });
  const isOverdue = ({ begunMs }: Flight) => patience.now() - begunMs >= queryMs;

  const open = (isAside = false): Reader => {
    const socket = new Socket();
    const client = new pg.Client({ ...config, pipeline: true, stream: () => socket });
    const reader: Reader = {
      client,
      send: gather(socket, process.nextTick),
      gather: gather(socket, setImmediate), // by all requests of this turn of the event loop
      ready: Promise.resolve(),
      standing: undefined,
      line: [],
      headSinceMs: patience.now(),
      isAside,
      isStuck: false,
    };
    const forget = () => {
      readers.delete(reader);
      unpark();
    };
    client.on('error', forget).on('end', forget);
    const ready = async () => {
      await client.connect();
      reader.standing = await settle(client);
      reader.headSinceMs = patience.now();
    };
    reader.ready = orRefused(ready());
    reader.ready.catch(() => {
      forget();
      void client.end().catch(() => {});
    });
    readers.add(reader);
    return reader;
  };

  const isForAside = ({ isAside, standing }: Reader) => isAside && !standing?.isOver();

  const choose = (caller: string): Reader | undefined => {
    if (setAside.has(caller)) return [...readers].find(isForAside) ?? open(true);
    const all = healthy();
    const best = all.reduce<Reader | undefined>(
      (least, reader) => (least === undefined || reader.line.length < least.line.length ? reader : least),
      undefined,
    );
    const isEnough = best !== undefined && (best.line.length === 0 || all.length >= readersMax);
    // Those that are stuck have others in their place, but not without end.
    return isEnough || common().length >= readersMax * 2 ? best : open();
  };

  const send = (flight: Flight): void => {
    const reader = choose(flight.caller);
    flight.reader = reader;
    if (reader === undefined) {
      parked.add(flight);
      return;
    }
    flight.sendsLeft -= 1;
    if (reader.line.length === 0) reader.headSinceMs = patience.now();
    reader.line.push(flight);
    const submit = () => {
      // One that is at rest works while this turn of the event loop goes on.
      if (reader.line[0] === flight) reader.send();
      else reader.gather();
      reader.client.query(flight.query, (error: Error | null, result: pg.QueryResult) =>
        land(reader, flight, error ?? undefined, result),
      );
    };
    reader.ready.then(submit, (error: Error) => land(reader, flight, error, undefined));
  };

  const unpark = (): void => {
    const waiting = [...parked];
    parked.clear();
    for (const flight of waiting) send(flight);
  };

  const refuse = (flight: Flight): void => {
    flight.reader = undefined;
    parked.delete(flight);
    flight.reject(new Error('no answer in time'));
  };

  const land = (
    reader: Reader,
    flight: Flight,
    error: Error | undefined,
    result: pg.QueryResult | undefined,
  ): void => {
    reader.line.splice(reader.line.indexOf(flight), 1);
    reader.headSinceMs = patience.now();
    const isMine = flight.reader === reader;
    if (reader.isStuck) settleStuck(reader);
    const isBroken = error !== undefined && breaksConnection(error);
    const isUnprepared = error instanceof pg.DatabaseError && error.code === unprepared;
    const isServed = reader.standing !== undefined || isPassing(error);
    if (isBroken) readers.delete(reader);
    if (doubtsConnection(error)) reader.standing?.doubt();
    if (!isMine) return;
    if (result !== undefined) flight.resolve(result);
    else if ((isBroken || isUnprepared) && isServed && flight.sendsLeft > 0) send(flight);
    else flight.reject(error === undefined || isUnprepared ? noAnswer(error) : error);
  };

  /** The long one has ended: the connection serves again, unless it would answer those who have left it. */
  const settleStuck = (reader: Reader): void => {
    if (reader.line.length === 0) reader.isStuck = false;
    else if (readers.delete(reader)) void reader.client.end().catch(() => {});
    unpark();
  };

  const drop = (reader: Reader): void => {
    const [head] = reader.line;
    if (head !== undefined) head.sendsLeft = 0; // its time is up: it is refused, and those behind it are repeated
    readers.delete(reader);
    if (reader.standing !== undefined) cancelStatement(reader.client);
    void reader.client.end().catch(() => {});
    unpark();
  };

  /** Nobody else waits for a long statement. */
  const part = (reader: Reader): void => {
    const [head, ...behind] = reader.line;
    reader.isStuck = true;
    if (head !== undefined) setAside.set(head.caller, patience.now());
    for (const flight of behind) if (flight.reader === reader && flight.sendsLeft > 0) send(flight);
  };

  /** It is asked no more, and closed when all that it was asked is answered. */
  const retire = (reader: Reader): void => {
    readers.delete(reader);
    void reader.client.end().catch(() => {});
    unpark();
  };

  const look = (reader: Reader): void => {
    if (reader.line.length === 0) {
      if (reader.standing?.isOver()) retire(reader);
      return;
    }
    const headMs = patience.now() - reader.headSinceMs;
    if (headMs >= queryMs) drop(reader);
    else if (headMs >= stuckMs && reader.standing !== undefined && !reader.isStuck && !reader.isAside)
      part(reader);
    for (const flight of reader.line) if (flight.reader === reader && isOverdue(flight)) refuse(flight);
  };

  return {
    run: (query, caller) =>
      new Promise<pg.QueryResult>((resolve, reject) => {
        const begunMs = patience.now();
        send({ query, caller, begunMs, reader: undefined, sendsLeft: sendsMax, resolve, reject });
      }),
    async warm() {
      while (healthy().length < readersMax) await open().ready;
    },
    async rehearse(queries, signal) {
      await Promise.all(
        healthy().map(async (reader) => {
          for (const query of queries) {
            if (signal.aborted || !readers.has(reader)) return;
            const patient = { ...query, query_timeout: queryMs };
            await reader.client.query(patient).catch((error: unknown) => {
              if (breaksConnection(error)) drop(reader);
            });
          }
        }),
      );
    },
    state: () => ({
      lane: 'fast',
      busy: [...readers].filter(({ line }) => line.length > 0).length,
      idle: [...readers].filter(({ line }) => line.length === 0).length,
      waiting: [...readers].reduce((sum, { line }) => sum + Math.max(0, line.length - 1), parked.size),
    }),
    async close() {
      patience.end();
      for (const flight of parked) refuse(flight);
      await Promise.all([...readers].map(({ client }) => client.end()));
    },
  };
}
