import { randomUUID } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ApiError } from '../contract/api-error.ts';
import { chunksOf } from './chunks.ts';
import { DigestThread } from './digest-thread.ts';
import { failing } from './failure.ts';
import { makeFolder } from './folder.ts';
import { sampleBytes, sniff } from './sniff.ts';
import { Spool } from './spool.ts';

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

async function fill(spool: Spool, stream: Readable, { bytesMax, idleMs }: Limits) {
  const sample: Buffer[] = [];
  for await (const chunk of chunksOf(stream, idleMs)) {
    if (spool.size < sampleBytes) sample.push(chunk.subarray(0, sampleBytes - spool.size));
    if (spool.size + chunk.length > bytesMax)
      throw new ApiError('4130', `the file must have at most ${bytesMax} bytes`);
    await spool.add(chunk);
  }
  const sha256 = await spool.finish();
  return { size: spool.size, sha256, contentType: await sniff(Buffer.concat(sample)) };
}

/** Where bytes wait on the disk of the store until they are whole, so that storing them is a rename. */
export function createIncoming(folder: string): Incoming {
  const home = join(folder, 'incoming');
  const thread = new DigestThread();
  return {
    async receive(stream, limits) {
      // It may break off before it is read, and an error that nobody hears would end the process.
      stream.on('error', () => {});
      const path = join(home, randomUUID());
      // What cannot be removed is swept; what became of the upload is not told by it.
      const discard = () => rm(path, { force: true }).catch(() => {});
      const handle = await failing('beginning a file', async () => {
        await makeFolder(home);
        return open(path, 'wx', 0o600);
      });
      const spool = new Spool(handle, path, thread);
      try {
        const filled = await fill(spool, stream, limits);
        // Where the disk is another machine's, its being full may show only now.
        await failing('closing a file', () => handle.close());
        return { path, ...filled, discard };
      } catch (error) {
        await spool.drop();
        await handle.close().catch(() => {});
        await discard();
        throw error;
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
