import { Socket } from 'node:net';
import pg from 'pg';

/** Each carries any number of statements at once; more of them only take turns on the processors (bench/README.md). */
const readersMax = 2;

export type Readers = {
  run(query: pg.QueryConfig): Promise<pg.QueryResult>;
  close(): Promise<void>;
};

type Reader = { client: pg.Client; gather: () => void; ready: Promise<unknown>; waiting: number };

/** What is written in one turn of the event loop goes out at its end, at once: every write wakes the database. */
function gather(socket: Socket): () => void {
  let isGathering = false;
  return () => {
    if (isGathering) return;
    isGathering = true;
    socket.cork();
    setImmediate(() => {
      isGathering = false;
      socket.uncork();
    });
  };
}

/**
 * Connections on which statements follow one another without waiting for the answers. Only for short ones that read: a
 * statement waits for those before it, and a connection that does not answer in time takes all that wait on it with it.
 */
export function openReaders(
  config: pg.ClientConfig,
  settle: (client: pg.ClientBase) => Promise<void>,
): Readers {
  const readers = new Set<Reader>();
  const open = (): Reader => {
    const socket = new Socket();
    const client = new pg.Client({ ...config, pipeline: true, stream: () => socket });
    const reader: Reader = { client, gather: gather(socket), ready: Promise.resolve(), waiting: 0 };
    const forget = () => void readers.delete(reader);
    client.on('error', forget).on('end', forget);
    reader.ready = client.connect().then(() => settle(client));
    reader.ready.catch(forget); // whoever waits for it is told; the next one opens another
    readers.add(reader);
    return reader;
  };
  const choose = (): Reader => {
    let best: Reader | undefined;
    for (const reader of readers) if (best === undefined || reader.waiting < best.waiting) best = reader;
    return best === undefined || (best.waiting > 0 && readers.size < readersMax) ? open() : best;
  };
  return {
    async run(query) {
      const reader = choose();
      reader.waiting += 1;
      try {
        await reader.ready;
        reader.gather();
        return await reader.client.query(query);
      } finally {
        reader.waiting -= 1;
      }
    },
    async close() {
      await Promise.all([...readers].map(({ client }) => client.end()));
    },
  };
}
