import type { Readable } from 'node:stream';
import { ApiError } from '../contract/api-error.ts';
import { bytesPerSecondMin, Pace } from './pace.ts';

const brokenOff = () => new ApiError('4000', 'the body broke off before its end');

function tooSlow(idleMs: number): ApiError {
  const least = `${bytesPerSecondMin} bytes a second`;
  return new ApiError(
    '4080',
    `no byte of the body arrived for ${idleMs / 1000} seconds, or less than ${least} on and on`,
  );
}

/** As many bytes may wait for who takes them; then the stream stands still. */
const waitingMax = 64 * 1024;

/** What a stream does next, told one at a time. */
class Source {
  private readonly stream: Readable;
  private readonly idleMs: number;
  private readonly pace: Pace;
  private readonly chunks: Buffer[] = [];
  private waiting = 0;
  private isOver = false;
  private fault: Error | undefined;
  private wake: (() => void) | undefined;

  constructor(stream: Readable, idleMs: number) {
    this.stream = stream;
    this.idleMs = idleMs;
    this.pace = new Pace(idleMs);
    this.fault = stream.errored ? this.explain(stream.errored) : undefined;
    this.isOver = stream.readableEnded;
    if (stream.destroyed && !this.isOver) this.fault ??= brokenOff();
    stream.on('data', this.onData).on('end', this.onEnd).on('error', this.onError).on('close', this.onClose);
    stream.pause();
  }

  private explain(error: Error): Error {
    return error instanceof ApiError ? error : brokenOff();
  }

  private readonly onData = (chunk: Buffer) => {
    this.chunks.push(chunk);
    this.waiting += chunk.length;
    if (this.waiting >= waitingMax) this.stream.pause();
    this.wake?.();
  };
  private readonly onEnd = () => {
    this.isOver = true;
    this.wake?.();
  };
  private readonly onError = (error: Error) => {
    this.fault ??= this.explain(error);
    this.wake?.();
  };
  private readonly onClose = () => {
    if (!this.isOver) this.fault ??= brokenOff();
    this.wake?.();
  };

  private get hasNews(): boolean {
    return this.chunks.length > 0 || this.isOver || this.fault !== undefined;
  }

  /** Undefined at the end. */
  async next(): Promise<Buffer | undefined> {
    if (!this.hasNews) await this.wait();
    if (this.fault !== undefined) throw this.fault;
    const chunk = this.chunks.shift();
    this.pace.moved(chunk?.length ?? 0);
    this.waiting -= chunk?.length ?? 0;
    if (this.chunks.length === 0 && this.stream.isPaused()) this.stream.resume();
    return chunk;
  }

  private async wait(): Promise<void> {
    const sinceMs = performance.now();
    const timer = setTimeout(() => {
      this.fault ??= tooSlow(this.idleMs);
      this.wake?.();
    }, this.pace.leftMs);
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      this.stream.resume();
    });
    this.wake = undefined;
    clearTimeout(timer);
    this.pace.waited(performance.now() - sinceMs);
  }

  release(): void {
    this.stream.off('data', this.onData).off('end', this.onEnd).off('close', this.onClose);
    this.stream.resume();
  }
}

/**
 * The chunks of a stream, taken when they are asked for. Unlike the stream's own iterator it never destroys what it reads, as a
 * request that is refused still needs its connection for the answer: what is left of it is thrown away as it arrives.
 */
export async function* chunksOf(stream: Readable, idleMs: number): AsyncGenerator<Buffer, void> {
  const source = new Source(stream, idleMs);
  try {
    for (let chunk = await source.next(); chunk !== undefined; chunk = await source.next()) yield chunk;
  } finally {
    source.release();
  }
}
