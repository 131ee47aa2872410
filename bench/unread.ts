import { Socket } from 'node:net';
import pg from 'pg';

const [dataRow, readyForQuery, errorResponse] = ['D', 'Z', 'E'].map((letter) => letter.charCodeAt(0));

/** The columns of the one row of an answer, as the bytes that arrived. */
export type Cells = Buffer[];

function cellsOf(message: Buffer): Cells {
  const cells: Cells = [];
  for (let at = 7, left = message.readInt16BE(5); left > 0; left -= 1) {
    const length = Math.max(0, message.readInt32BE(at));
    cells.push(message.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return cells;
}

/** Calls back with each whole message: its letter, its length, and what it holds. */
function createReader(take: (message: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk: Buffer) => {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (bytes.length >= 5 && bytes.length > bytes.readInt32BE(1)) {
      const end = 1 + bytes.readInt32BE(1);
      take(bytes.subarray(0, end));
      bytes = bytes.subarray(end);
    }
    rest = bytes;
  };
}

/** What pg writes with, and does not declare. */
type Writer = {
  parse(query: { name: string; text: string }): void;
  bind(query: { statement: string; values: readonly string[] }): void;
  execute(query: object): void;
  sync(): void;
};

/**
 * A connection that pg has opened, and whose answers are then read without it: nothing is decoded or made into rows. Without time
 * limits, and an error ends the measurement: as little as there could be.
 */
export async function openUnread(config: pg.ClientConfig, text: string, values: readonly string[]) {
  const stream = new Socket();
  const client = new pg.Client({ ...config, stream: () => stream });
  client.on('error', () => {}); // of its end, which it does not expect
  await client.connect();
  const { connection } = client as unknown as { connection: Writer };
  stream.removeAllListeners('data');
  const waiting: ((cells: Cells) => void)[] = [];
  let cells: Cells = [];
  const read = createReader((message) => {
    if (message[0] === errorResponse) throw new Error(message.toString('utf8', 5));
    if (message[0] === dataRow) cells = cellsOf(message);
    else if (message[0] === readyForQuery) waiting.shift()?.(cells);
  });
  stream.on('data', read);
  let isGathering = false;
  const gather = () => {
    if (isGathering) return;
    isGathering = true;
    stream.cork();
    setImmediate(() => {
      isGathering = false;
      stream.uncork();
    });
  };
  const synced = () => {
    connection.sync();
    return new Promise<Cells>((resolve) => waiting.push(resolve));
  };
  const statement = 'unread';
  connection.parse({ name: statement, text });
  await synced();
  return {
    waiting: () => waiting.length,
    request() {
      gather();
      connection.bind({ statement, values });
      connection.execute({});
      return synced();
    },
    close: async () => stream.destroy(),
  };
}
