import { openHash, platformModule } from './sha256.ts';

/**
 * What is uploaded. It is read once to be hashed and once for each attempt to send it, so a stream is given as a
 * function that opens it anew; `path` names a file where the program runs in Node, Deno or Bun.
 */
export type UploadSource =
  | Uint8Array
  | Blob
  | { path: string }
  | (() => AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>);

/** Content that is known by size and hash, and can be opened as often as it takes. */
export type Content = { open(): AsyncIterable<Uint8Array>; size: number; sha256: string };

const pieceSize = 65_536;

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
}

/** Not every platform can iterate over its streams. */
async function* readFrom(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

function opener(source: UploadSource): () => AsyncIterable<Uint8Array> {
  if (source instanceof Uint8Array) return () => piecesOf(source);
  if (source instanceof Blob) return () => readFrom(source.stream());
  if (typeof source === 'function') {
    return () => {
      const opened = source();
      return opened instanceof ReadableStream ? readFrom(opened) : opened;
    };
  }
  if (typeof source?.path !== 'string')
    throw new TypeError('an upload is a Uint8Array, a Blob, { path }, or a function that opens a stream');
  const files = platformModule('node:fs', 'createReadStream');
  if (files === undefined) throw new TypeError('a path can be opened in Node, Deno and Bun alone');
  return () => files.createReadStream(source.path);
}

/** Reads it once. */
export async function contentOf(source: UploadSource, signal: AbortSignal | undefined): Promise<Content> {
  const open = opener(source);
  const hash = openHash();
  let size = 0;
  for await (const piece of open()) {
    signal?.throwIfAborted();
    hash.update(piece);
    size += piece.length;
  }
  return { open, size, sha256: await hash.hex() };
}

/** As fetch takes it: no faster than it is sent. */
export function streamOf(content: Content, onPiece: () => void): ReadableStream<Uint8Array> {
  const pieces = content.open()[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        onPiece();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await pieces.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
