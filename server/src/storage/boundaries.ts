import { ApiError } from '../contract/api-error.ts';

/** What a multipart body is made of, in its order: where a part begins, bytes of it, and where the last one ended. */
export type Piece = { kind: 'part' } | { kind: 'bytes'; bytes: Buffer } | { kind: 'end' };

/** What may stand on the line of a boundary: the two dashes of the last one, and blanks that a relay added. */
const lineMax = 64;

type Line = 'part' | 'end' | 'data' | 'unknown';

/** What the bytes after a boundary make of it. It counts only on a line of its own. */
function readLine(after: Buffer, isWhole: boolean): { line: Line; length: number } {
  const text = after.toString('latin1', 0, lineMax);
  const [found, dashes] = /^(--)?[ \t]*\r\n/.exec(text) ?? [];
  if (found !== undefined) return { line: dashes === undefined ? 'part' : 'end', length: found.length };
  if (isWhole && /^--[ \t]*$/.test(text)) return { line: 'end', length: after.length };
  const mayBecomeOne = !isWhole && text.length < lineMax && /^(?:-?|--[ \t]*|[ \t]+)\r?$/.test(text);
  return { line: mayBecomeOne ? 'unknown' : 'data', length: 0 };
}

type Found = { at: number; line: Line; length: number };

/** The first boundary in the bytes that is one, or may become one when more bytes arrive. */
function findBoundary(bytes: Buffer, delimiter: Buffer, isWhole: boolean): Found | undefined {
  for (let at = bytes.indexOf(delimiter); at !== -1; at = bytes.indexOf(delimiter, at + 1)) {
    const read = readLine(bytes.subarray(at + delimiter.length), isWhole);
    if (read.line !== 'data') return { at, ...read };
  }
  return undefined;
}

/** From where the end of the bytes may be the beginning of a boundary. Mostly there is none, and nothing has to be copied. */
function tailOf(bytes: Buffer, delimiter: Buffer): number {
  const at = bytes.indexOf(13, Math.max(0, bytes.length - delimiter.length + 1));
  return at === -1 ? bytes.length : at;
}

const truncated = () => new ApiError('4000', 'the form broke off: its last boundary is missing');

/** Cuts a body at its boundaries. What precedes the first comes as bytes of no part, and what follows the last as well. */
export async function* piecesOf(
  chunks: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<Piece, void> {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  // The first boundary has no line before it.
  let rest: Buffer = Buffer.from('\r\n');
  let hasEnded = false;
  const cut = function* (isWhole: boolean): Generator<Piece, void> {
    while (!hasEnded) {
      const found = findBoundary(rest, delimiter, isWhole);
      const upTo = found?.at ?? (isWhole ? rest.length : tailOf(rest, delimiter));
      if (upTo > 0) yield { kind: 'bytes', bytes: rest.subarray(0, upTo) };
      if (found === undefined || found.line === 'unknown') {
        rest = rest.subarray(upTo);
        return;
      }
      rest = rest.subarray(upTo + delimiter.length + found.length);
      hasEnded = found.line === 'end';
      yield { kind: hasEnded ? 'end' : 'part' };
    }
    if (rest.length > 0) yield { kind: 'bytes', bytes: rest };
    rest = rest.subarray(rest.length);
  };
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    yield* cut(false);
  }
  yield* cut(true);
  if (!hasEnded) throw truncated();
}
