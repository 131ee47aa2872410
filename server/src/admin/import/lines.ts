/** Longer ones are refused: what is read is held in memory. */
const lineBytesMax = 64 * 1024;

const newline = 0x0a;
const utf8 = new TextDecoder('utf-8', { fatal: true });

export type Line = { number: number; value: object } | { number: number; fault: string };

function parse(number: number, bytes: Uint8Array): Line | undefined {
  let text: string;
  try {
    text = utf8.decode(bytes); // without the mark that some programs put before the first
  } catch {
    return { number, fault: 'is not UTF-8' };
  }
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { number, fault: 'is not JSON' };
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { number, value }
    : { number, fault: 'is not a JSON object' };
}

/** Bytes of a line that is not at its end yet. */
function createPart() {
  let pieces: Uint8Array[] = [];
  let length = 0;
  return {
    add(piece: Uint8Array): void {
      length += piece.length;
      if (length <= lineBytesMax) pieces.push(piece);
      else pieces = []; // it is refused whatever it says
    },
    take(number: number): Line | undefined {
      const isTooLong = length > lineBytesMax;
      const bytes = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
      pieces = [];
      length = 0;
      return isTooLong ? { number, fault: `has more than ${lineBytesMax} bytes` } : parse(number, bytes);
    },
  };
}

/** JSON Lines, in groups as the bytes come. Lines are numbered from 1; empty ones count and are passed over. */
export async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  const part = createPart();
  let number = 0;
  for await (const chunk of source) {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      part.add(chunk.subarray(from, at));
      from = at + 1;
      number += 1;
      const line = part.take(number);
      if (line !== undefined) lines.push(line);
    }
    part.add(chunk.subarray(from));
    yield lines;
  }
  const last = part.take(number + 1);
  if (last !== undefined) yield [last];
}
