import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { StorageFailure } from './failure.ts';

/** Enough for the code of an error. */
const explanationBytesMax = 4096;

/** The name that S3 gives an error, as far as it can be had. The connection of an answer with more than that is given up. */
export async function codeOf(answer: IncomingMessage, silentMs: number): Promise<string> {
  const timer = setTimeout(() => answer.destroy(), silentMs);
  let text = '';
  try {
    for await (const chunk of answer) {
      text += chunk;
      if (text.length > explanationBytesMax) break;
    }
  } catch {
    // What arrived before it broke off may have the name.
  } finally {
    clearTimeout(timer);
  }
  return /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? '';
}

/**
 * The body of an answer: whole, or an error. Waits for the server only while somebody wants bytes, as who downloads may be slow, and
 * lets go of the connection as soon as nobody does.
 */
export class AnswerBody extends Readable {
  private readonly answer: IncomingMessage;
  private readonly what: string;
  private readonly silentMs: number;
  private left: number;
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(answer: IncomingMessage, expected: { what: string; length: number; silentMs: number }) {
    super();
    this.answer = answer;
    this.what = expected.what;
    this.silentMs = expected.silentMs;
    this.left = expected.length;
    answer.on('data', (chunk: Buffer) => this.hand(chunk));
    answer.on('end', () => this.end());
    answer.on('error', (error) => this.fail('broke off', error));
    answer.on('close', () => this.end());
    answer.pause();
  }

  private fail(how: string, cause?: Error): void {
    this.destroy(new StorageFailure(`S3: ${this.what}: the answer ${how}`, { cause }));
  }

  private hand(chunk: Buffer): void {
    this.left -= chunk.length;
    this.rest();
    if (this.push(chunk)) this.wait();
  }

  private end(): void {
    clearTimeout(this.timer);
    if (this.isOver) return;
    this.isOver = true;
    if (this.left !== 0) this.fail('has not the length that it was to have');
    else this.push(null);
  }

  private wait(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fail('did not go on'), this.silentMs);
    this.answer.resume();
  }

  private rest(): void {
    clearTimeout(this.timer);
    this.answer.pause();
  }

  override _read(): void {
    this.wait();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.timer);
    this.answer.destroy();
    done(error);
  }
}
