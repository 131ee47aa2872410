import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { DigestThread, Following } from './digest-thread.ts';
import { failing } from './failure.ts';

/** So many bytes are written at once: each write is a turn of another thread. */
const batchBytes = 128 * 1024;
/** What is smaller is hashed as it passes; of what is larger, the thread that hashes it is told as often. */
const stepBytes = 1024 * 1024;

async function writeWhole(handle: FileHandle, chunks: Buffer[], size: number): Promise<void> {
  const { bytesWritten } = await handle.writev(chunks);
  if (bytesWritten === size) return;
  const rest = Buffer.concat(chunks);
  for (let done = bytesWritten; done < size; )
    done += (await handle.write(rest, done, size - done)).bytesWritten;
}

/** A file that grows: a batch is written while the next arrives, and hashed once it is written. */
export class Spool {
  size = 0;
  private readonly handle: FileHandle;
  private readonly follow: () => Following;
  private readonly hash = createHash('sha256');
  private following: Following | undefined;
  private chunks: Buffer[] = [];
  private gathered = 0;
  private written = 0;
  private told = 0;
  private under: Promise<void> = Promise.resolve();

  constructor(handle: FileHandle, path: string, thread: DigestThread) {
    this.handle = handle;
    this.follow = () => thread.follow(path);
  }

  async add(chunk: Buffer): Promise<void> {
    this.size += chunk.length;
    this.gathered += chunk.length;
    this.chunks.push(chunk);
    if (this.size <= stepBytes) this.hash.update(chunk);
    if (this.gathered >= batchBytes) await this.flush();
  }

  /** Waits for the batch before and begins this one. */
  private async flush(): Promise<void> {
    await this.under;
    this.tell();
    const [chunks, size] = [this.chunks, this.gathered];
    this.chunks = [];
    this.gathered = 0;
    this.under = failing('writing a file', () => writeWhole(this.handle, chunks, size)).then(() => {
      this.written += size;
    });
    // Heard when it is awaited, with the next batch or at the end.
    this.under.catch(() => {});
  }

  private tell(): void {
    if (this.written - this.told < stepBytes) return;
    this.following ??= this.follow();
    this.following.goOn(this.written);
    this.told = this.written;
  }

  /** All of it is on disk. The SHA-256. */
  async finish(): Promise<string> {
    if (this.gathered > 0) await this.flush();
    await this.under;
    const [sha256] = await Promise.all([this.digest(), failing('syncing a file', () => this.handle.sync())]);
    return sha256;
  }

  private async digest(): Promise<string> {
    if (this.size <= stepBytes) return this.hash.digest('hex');
    this.following ??= this.follow();
    return this.following.end(this.size);
  }

  /** Nobody wants it any more. Nothing is written to it after this. */
  async drop(): Promise<void> {
    this.following?.drop();
    await this.under.catch(() => {});
  }
}
