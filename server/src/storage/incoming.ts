import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ApiError } from '../contract/api-error.ts';
import { chunksOf } from './chunks.ts';
import { sampleBytes, sniff } from './sniff.ts';

type Limits = { bytesMax: number; idleMs: number };

/** A whole file on disk that belongs to nobody yet. */
export type Received = {
  path: string;
  size: number;
  sha256: string;
  contentType: string;
  /** Also when it has been stored, and so is gone. */
  discard(): Promise<void>;
};

export type Incoming = {
  receive(stream: Readable, limits: Limits): Promise<Received>;
  /** Removes what crashed uploads left behind. Says how many. */
  sweep(olderThanMs: number): Promise<number>;
};

async function writeWhole(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let done = 0; done < chunk.length; )
    done += (await handle.write(chunk, done, chunk.length - done)).bytesWritten;
}

async function spool(handle: FileHandle, stream: Readable, { bytesMax, idleMs }: Limits) {
  const hash = createHash('sha256');
  const sample: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(stream, idleMs)) {
    if (size < sampleBytes) sample.push(chunk.subarray(0, sampleBytes - size));
    size += chunk.length;
    if (size > bytesMax) throw new ApiError('4130', `the file must have at most ${bytesMax} bytes`);
    const written = writeWhole(handle, chunk);
    // Hashed while the disk is at it.
    hash.update(chunk);
    await written;
  }
  await handle.sync();
  return { size, sha256: hash.digest('hex'), contentType: await sniff(Buffer.concat(sample)) };
}

/** Where bytes wait on the disk of the store until they are whole, so that storing them is a rename. */
export function createIncoming(folder: string): Incoming {
  const home = join(folder, 'incoming');
  return {
    async receive(stream, limits) {
      // It may break off before it is read, and an error that nobody hears would end the process.
      stream.on('error', () => {});
      await mkdir(home, { recursive: true, mode: 0o700 });
      const path = join(home, randomUUID());
      const discard = () => rm(path, { force: true });
      const handle = await open(path, 'wx', 0o600);
      try {
        return { path, ...(await spool(handle, stream, limits)), discard };
      } catch (error) {
        await discard();
        throw error;
      } finally {
        await handle.close();
      }
    },

    async sweep(olderThanMs) {
      const names = await readdir(home).catch(() => []);
      const limit = Date.now() - olderThanMs;
      let removed = 0;
      for (const name of names) {
        const path = join(home, name);
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
        if (mtimeMs > limit) continue;
        await rm(path, { force: true, recursive: true });
        removed += 1;
      }
      return removed;
    },
  };
}
