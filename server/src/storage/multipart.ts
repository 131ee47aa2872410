import { Readable } from 'node:stream';
import { ApiError } from '../contract/api-error.ts';
import { type Piece, piecesOf } from './boundaries.ts';
import { chunksOf } from './chunks.ts';
import { boundaryOf, decodeUtf8, type PartHead, readPartHead } from './part-head.ts';

/** A form that uploads one file: its fields, then the part `file`, then nothing. */
export type UploadForm = {
  fields: Map<string, string>;
  filename: string;
  /** Fails with an ApiError when the form breaks off inside of it. */
  file: Readable;
  /** To be awaited after the file and before anything is kept: what stands after the file shows only then. */
  finished(): Promise<void>;
  /** Throws away what has not been read. */
  discard(): void;
};

export type FormLimits = { idleMs: number; fieldsMax: number; fieldBytesMax: number };

const headBytesMax = 8 * 1024;
/** Blanks before the first part and after the last one: they could go on for ever. */
const blanksMax = 1024;

const refuse = (what: string) => new ApiError('4000', what);

/** The parts of a body, one after the other, each with its head and then its bytes. */
class Parts {
  private readonly pieces: AsyncGenerator<Piece, void>;
  private first: Buffer | undefined;
  private boundary: 'part' | 'end' | undefined;

  constructor(stream: Readable, contentType: string | undefined, idleMs: number) {
    this.pieces = piecesOf(chunksOf(stream, idleMs), boundaryOf(contentType));
  }

  /** The next bytes of the part, or undefined at its end. */
  async bytes(): Promise<Buffer | undefined> {
    const first = this.first;
    this.first = undefined;
    if (first !== undefined || this.boundary !== undefined) return first;
    const { value: piece } = await this.pieces.next();
    if (piece?.kind === 'bytes') return piece.bytes;
    this.boundary = piece?.kind ?? 'end';
    return undefined;
  }

  /** What the next boundary begins. Outside of parts there may be blanks, which mean nothing. */
  async next(): Promise<'part' | 'end'> {
    let blanks = 0;
    for (let bytes = await this.bytes(); bytes !== undefined; bytes = await this.bytes()) {
      blanks += bytes.length;
      if (blanks > blanksMax || /\S/.test(bytes.toString('latin1')))
        throw refuse('the form has bytes outside of its parts');
    }
    const next = this.boundary ?? 'end';
    this.boundary = undefined;
    return next;
  }

  async head(): Promise<PartHead> {
    for (let seen = Buffer.alloc(0); ; ) {
      const at = seen.indexOf('\r\n\r\n');
      if (at > headBytesMax || (at === -1 && seen.length > headBytesMax))
        throw refuse(`a part of the form has a head of more than ${headBytesMax} bytes`);
      if (at !== -1) {
        if (at + 4 < seen.length) this.first = seen.subarray(at + 4);
        return readPartHead(seen.subarray(0, at));
      }
      const bytes = await this.bytes();
      if (bytes === undefined) throw refuse('a part of the form has no head');
      seen = Buffer.concat([seen, bytes]);
    }
  }

  async *rest(): AsyncGenerator<Buffer, void> {
    for (let bytes = await this.bytes(); bytes !== undefined; bytes = await this.bytes()) yield bytes;
  }

  /** Nothing may follow the file, also after the last boundary. */
  async finish(): Promise<void> {
    if ((await this.next()) === 'part') {
      const { name } = await this.head();
      throw refuse(
        name === 'file'
          ? 'the form has more than one file'
          : `the field ${name} stands after the file; it must stand before it`,
      );
    }
    await this.next();
  }

  async release(): Promise<void> {
    await this.pieces.return();
  }
}

async function readField(parts: Parts, name: string, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of parts.rest()) {
    size += chunk.length;
    if (size > bytesMax) throw refuse(`the field ${name} must have at most ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return decodeUtf8(Buffer.concat(chunks), `the field ${name}`);
}

function filenameOf({ name, filename }: PartHead): string {
  if (name !== 'file') throw refuse(`the form has a file called ${name}; its one file must be called file`);
  if (filename === undefined || filename === '')
    throw refuse('the form has no file, or its file has no name');
  return filename;
}

/** Reads up to the file. */
async function readFields(parts: Parts, { fieldsMax, fieldBytesMax }: FormLimits) {
  const fields = new Map<string, string>();
  for (;;) {
    if ((await parts.next()) === 'end') throw refuse('the form has no file');
    const head = await parts.head();
    if (head.name === 'file' || head.filename !== undefined) return { fields, filename: filenameOf(head) };
    if (fields.has(head.name)) throw refuse(`the form has the field ${head.name} twice`);
    if (fields.size === fieldsMax) throw refuse(`the form has more than ${fieldsMax} fields`);
    fields.set(head.name, await readField(parts, head.name, fieldBytesMax));
  }
}

/**
 * Streams a form. By hand, as the libraries take each line that merely begins with the boundary for one, and replace what is not
 * UTF-8 without a word.
 */
export async function readUploadForm(
  stream: Readable,
  contentType: string | undefined,
  limits: FormLimits,
): Promise<UploadForm> {
  const parts = new Parts(stream, contentType, limits.idleMs);
  try {
    const { fields, filename } = await readFields(parts, limits);
    const file = Readable.from(parts.rest(), { objectMode: false });
    return {
      fields,
      filename,
      file,
      finished: () => parts.finish(),
      discard: () => void file.on('error', () => {}).resume(),
    };
  } catch (error) {
    await parts.release();
    throw error;
  }
}
