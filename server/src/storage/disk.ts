import { randomUUID } from 'node:crypto';
import { access, open, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failing, StorageFailure } from './failure.ts';
import { makeFolder } from './folder.ts';
import { checkedKey } from './key.ts';

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** What a folder lists is only sure to survive a power cut once the folder itself was written. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the folder and those above it, and writes each that lists a new one. */
async function ensureFolder(folder: string): Promise<void> {
  const first = await makeFolder(folder);
  if (first === undefined) return;
  const top = dirname(first);
  for (let at = dirname(folder); at.length >= top.length; at = dirname(at)) {
    await syncFolder(at);
    if (at === top) return;
  }
}

async function move(file: string, target: string): Promise<void> {
  await ensureFolder(dirname(target));
  try {
    await rename(file, target);
  } catch (error) {
    // The same put again, after a crash between its rename and its answer.
    if (!isMissing(error)) throw error;
    await access(target);
  }
  await syncFolder(dirname(target));
}

/** Files below a folder. What arrives waits in `incoming` of the same folder, so that an object appears whole or not at all. */
export function createDiskStore(folder: string) {
  const objects = join(folder, 'objects');
  const pathOf = (key: string) => join(objects, checkedKey(key));

  return {
    bucket: 'portico-files',

    async put(key: string, file: string) {
      const path = pathOf(key);
      await failing('storing a file', () => move(file, path));
    },

    async read(key: string, range?: { start: number; end: number }) {
      const path = pathOf(key);
      return failing('reading a file', async () => {
        const handle = await open(path, 'r').catch((error) => {
          if (isMissing(error)) return undefined;
          throw error;
        });
        try {
          const { size = 0 } = (await handle?.stat()) ?? {};
          if (range !== undefined && range.end >= size && handle !== undefined)
            throw new StorageFailure(`${key} has ${size} bytes, too few for what is asked of it`);
          return handle?.createReadStream(range);
        } catch (error) {
          await handle?.close();
          throw error;
        }
      });
    },

    async remove(key: string) {
      const path = pathOf(key);
      await failing('removing a file', async () => {
        try {
          await unlink(path);
          await syncFolder(dirname(path));
        } catch (error) {
          if (!isMissing(error)) throw error;
        }
      });
    },

    /** Does what every upload will: writes where bytes arrive, and moves that to where they stay. */
    async check() {
      const probe = join(folder, 'incoming', randomUUID());
      const target = join(objects, `check-${randomUUID()}`);
      await failing(`using the folder ${folder}`, async () => {
        await ensureFolder(dirname(probe));
        await writeFile(probe, 'check', { flush: true, mode: 0o600 });
        await move(probe, target);
        await rm(target);
      });
    },

    async close() {},
  };
}
