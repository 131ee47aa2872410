import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Connection, connectOnce } from './connect.ts';
import { codeOf } from './errors.ts';

export type HomeLock = {
  /** Of a client that took it on the database that was started again. */
  hold(locked: pg.Client): void;
  release(): Promise<void>;
};

// "portico" in ASCII
const KEY = BigInt(`0x${Buffer.from('portico').toString('hex')}`).toString();
// the session of a server that was killed may linger
const PATIENCE_MS = 3_000;
const RETRY_MS = 1_000;

/** Closes the client unless it took the lock; 'lost' when the database went away meanwhile. */
export async function takeLock(
  client: pg.Client,
  connection: Connection,
): Promise<'taken' | 'busy' | 'lost'> {
  const deadline = Date.now() + PATIENCE_MS;
  let result: 'taken' | 'busy' | 'lost' = 'busy';
  try {
    while (result === 'busy' && Date.now() < deadline) {
      if (await tryLock(client)) result = 'taken';
      else await sleep(100);
    }
    // a database that goes down may drop the other server's session before this one
    if (result === 'taken') await (await connectOnce(connection)).end();
  } catch {
    result = 'lost';
  }
  if (result !== 'taken') await client.end();
  return result;
}

/** Holds the lock of `client` until released; takes it again after its session was lost. Tells when the database is gone. */
export function holdLock(first: pg.Client, connection: Connection, onGone: () => void): HomeLock {
  let client: pg.Client | undefined;
  let released = false;

  const hold = (locked: pg.Client): void => {
    client = locked;
    // its idle socket must not keep the process alive
    refs(locked).unref();
    locked.once('end', retryLater);
  };
  const retryLater = (): void => {
    client = undefined;
    if (!released) setTimeout(retry, RETRY_MS).unref();
  };
  const retry = async (): Promise<void> => {
    if (released) return;
    const again = await relock(connection);
    if (again === 'gone') return onGone();
    if (again === 'later') retryLater();
    else if (released) await again.end();
    else hold(again);
  };

  hold(first);
  return {
    hold,
    release: async () => {
      released = true;
      // without ref a process with nothing else to do would end here
      if (client) refs(client).ref();
      await client?.end();
    },
  };
}

async function relock(connection: Connection): Promise<pg.Client | 'gone' | 'later'> {
  try {
    const client = await connectOnce(connection);
    if (await tryLock(client)) return client;
    await client.end();
    return 'later';
  } catch (error) {
    // a postmaster keeps its socket while it recovers, and no other gets this one
    return ['ENOENT', 'ECONNREFUSED'].includes(codeOf(error)) ? 'gone' : 'later';
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
    KEY,
  ]);
  return rows[0]?.locked === true;
}

type Refs = { ref(): void; unref(): void };

// the types of pg leave these methods out
function refs(client: pg.Client): Refs {
  return client as pg.Client & Refs;
}
