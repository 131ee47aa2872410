import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { StoreUnavailable } from '../db/unavailable.ts';

export type ScannerAddress = { host: string; port: number };

/** Clean, or the name of what was found. */
type Verdict = 'CLEAN' | { found: string };

/** Looks at bytes. Throws when it cannot say what they are: nothing is clean because nobody looked. */
export type Scanner = { scan(stream: Readable): Promise<Verdict> };

class ScannerFailure extends StoreUnavailable {}

/** Until there is a connection; while bytes are taken; and from the last byte to the verdict, as clamd begins to look only then. */
export const scanTimes = { connectMs: 5_000, silentMs: 30_000, verdictMs: 180_000 };

const answerBytesMax = 1024;
const nameMax = 200;

/** `stream: OK`, or `stream: Name.Of.It FOUND`. An error, such as a limit of its size, is no verdict. */
function readVerdict(answer: string): Verdict {
  const text = answer.replace(/\0.*$/s, '').trim();
  if (text === 'stream: OK') return 'CLEAN';
  const [, found] = /^stream: ([\x21-\x7e][\x20-\x7e]*) FOUND$/.exec(text) ?? [];
  if (found === undefined)
    throw new ScannerFailure(`clamd answered ${JSON.stringify(text.slice(0, nameMax))}`);
  return { found: found.slice(0, nameMax) };
}

/** One conversation: whatever goes wrong with it fails its answer. */
class Conversation {
  readonly answer: Promise<string>;
  private readonly socket: Socket;
  private fail: (error: Error) => void = () => {};

  constructor({ host, port }: ScannerAddress) {
    this.socket = connect({ host, port });
    let text = '';
    this.answer = new Promise((resolve, reject) => {
      this.fail = (error) => reject(new ScannerFailure(`clamd: ${error.message}`, { cause: error }));
      this.socket.on('error', this.fail);
      for (const event of ['end', 'close'])
        this.socket.on(event, () => this.fail(new Error('closed without an answer')));
      this.socket.on('data', (data) => {
        text += data.toString('latin1');
        if (text.includes('\0')) resolve(text);
        else if (text.length > answerBytesMax) this.fail(new Error('an endless answer'));
      });
    });
    // Heard where it is awaited, which may be later.
    this.answer.catch(() => {});
  }

  /** Waits for this or for the answer, whichever comes first: who has answered takes no more bytes. */
  private async wait(event: Promise<unknown>, milliseconds: number, what: string): Promise<void> {
    const timer = setTimeout(() => this.fail(new Error(`${what} took too long`)), milliseconds);
    try {
      await Promise.race([event, this.answer]);
    } finally {
      clearTimeout(timer);
    }
  }

  async connected(milliseconds: number): Promise<void> {
    const connected = new Promise((resolve) => this.socket.once('connect', resolve));
    await this.wait(connected, milliseconds, 'connecting');
  }

  async send(bytes: Buffer, milliseconds: number): Promise<void> {
    const taken = new Promise((resolve) => this.socket.write(bytes, resolve));
    await this.wait(taken, milliseconds, 'taking bytes');
  }

  async verdict(milliseconds: number): Promise<Verdict> {
    await this.wait(this.answer, milliseconds, 'looking');
    return readVerdict(await this.answer);
  }

  close(): void {
    this.socket.destroy();
  }
}

/** A chunk of INSTREAM: its length and its bytes. None of both is the end. */
function framed(bytes: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(bytes.length);
  return Buffer.concat([head, bytes]);
}

/** Sends each stream to a clamd, with a connection of its own. */
export function createScanner(address: ScannerAddress, times = scanTimes): Scanner {
  return {
    async scan(stream) {
      const clamd = new Conversation(address);
      try {
        await clamd.connected(times.connectMs);
        await clamd.send(Buffer.from('zINSTREAM\0'), times.silentMs);
        // A chunk of no bytes would end it.
        for await (const chunk of stream)
          if (chunk.length > 0) await clamd.send(framed(chunk), times.silentMs);
        await clamd.send(framed(Buffer.alloc(0)), times.silentMs);
        return await clamd.verdict(times.verdictMs);
      } finally {
        clamd.close();
        stream.destroy();
      }
    },
  };
}
