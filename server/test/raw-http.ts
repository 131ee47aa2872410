import { connect, type Socket } from 'node:net';
import type { World } from './world.ts';

export type Answer = { status: number; headers: Record<string, string[]>; text: string };

const headEnd = Buffer.from('\r\n\r\n');

function readHead(text: string): Answer {
  const [line = '', ...rest] = text.split('\r\n');
  const headers: Record<string, string[]> = Object.create(null);
  for (const header of rest) {
    const at = header.indexOf(':');
    const name = header.slice(0, at).toLowerCase();
    headers[name] = [...(headers[name] ?? []), header.slice(at + 1).trim()];
  }
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]), headers, text: '' };
}

function readChunks(bytes: Buffer, start: number): { end: number; body: Buffer } | undefined {
  const pieces: Buffer[] = [];
  for (let at = start; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line === -1) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    if (bytes.length < line + 4 + size) return undefined;
    pieces.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 4 + size;
    if (size === 0) return { end: at, body: Buffer.concat(pieces) };
  }
}

/** Every complete answer in the bytes. An answer to HEAD must be told, as its length is that of another answer. */
function readAnswers(bytes: Buffer, toHead: boolean): Answer[] {
  const answers: Answer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf(headEnd, at);
    if (end === -1) return answers;
    const answer = readHead(bytes.toString('latin1', at, end));
    const start = end + headEnd.length;
    const isBare = toHead || answer.status < 200 || answer.status === 204;
    const length = isBare ? 0 : Number(answer.headers['content-length']?.[0] ?? 0);
    const isChunked = !isBare && answer.headers['transfer-encoding'] !== undefined;
    const chunks = isChunked ? readChunks(bytes, start) : undefined;
    if (isChunked ? chunks === undefined : bytes.length < start + length) return answers;
    at = chunks?.end ?? start + length;
    answers.push({ ...answer, text: (chunks?.body ?? bytes.subarray(start, at)).toString() });
  }
}

export type Connection = {
  socket: Socket;
  send(bytes: string | Buffer): void;
  /** Waits until that many answers are there in all. */
  answers(count?: number): Promise<Answer[]>;
  /** Waits until the server has ended its side, and gives every answer there was. */
  ended(): Promise<Answer[]>;
  close(): void;
};

const patienceMs = 60_000;

/** A connection on which anything can be sent. Strings are bytes: one character, one byte. */
export function openConnection(port: number, options: { toHead?: boolean } = {}): Connection {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let received = Buffer.alloc(0);
  let isEnded = false;
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
  });
  // A reset is an end; what was received before it is judged by the test.
  for (const event of ['end', 'error', 'close']) {
    socket.on(event, () => {
      isEnded = true;
    });
  }
  const all = () => readAnswers(received, options.toHead === true);
  const until = async (isDone: () => boolean, what: string): Promise<Answer[]> => {
    const deadline = Date.now() + patienceMs;
    while (!isDone()) {
      if (Date.now() > deadline || (isEnded && socket.destroyed && !isDone())) {
        throw new Error(`${what}, but received ${JSON.stringify(received.toString('latin1').slice(0, 500))}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return all();
  };
  return {
    socket,
    send: (bytes) => void socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    answers: (count = 1) => until(() => all().length >= count, `expected ${count} answers`),
    ended: () => until(() => isEnded, 'expected the end of the connection'),
    close: () => void socket.destroy(),
  };
}

/** Sends bytes on a fresh connection and gives the first answer. */
export async function exchange(
  port: number,
  bytes: string | Buffer,
  options: { toHead?: boolean; halfClose?: boolean } = {},
): Promise<Answer> {
  const connection = openConnection(port, options);
  try {
    connection.send(bytes);
    if (options.halfClose) connection.socket.end();
    const [answer] = await connection.answers();
    return answer as Answer; // answers() waits for one
  } finally {
    connection.close();
  }
}

export type RawRequest = {
  method?: string;
  target: string;
  version?: string;
  headers?: readonly (readonly [string, string])[];
  body?: string | Buffer;
};

/** The bytes of a request as a well-behaved client writes them; Content-Length is given whenever there is a body. */
export function requestBytes({ method, target, version, headers, body }: RawRequest): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const lines = [
    `${method ?? (bytes === undefined ? 'GET' : 'POST')} ${target} HTTP/${version ?? '1.1'}`,
    'Host: portico.test',
    ...(headers ?? []).map(([name, value]) => `${name}: ${value}`),
    ...(bytes === undefined ? [] : [`Content-Length: ${bytes.length}`]),
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return bytes === undefined ? head : Buffer.concat([head, bytes]);
}

export function chunked(...pieces: string[]): string {
  return [...pieces, ''].map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('');
}

/** Opens the world's app on a free port of the loopback. */
export async function listen(world: World): Promise<number> {
  await world.app.listen({ host: '127.0.0.1', port: 0 });
  const address = world.app.server.address();
  if (address === null || typeof address === 'string') throw new Error('the app listens on no port');
  return address.port;
}
