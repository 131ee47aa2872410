import type { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import { createFairQueue, type FairQueue } from '../queue/fair-queue.ts';
import { createScanner } from '../scan/clamd.ts';
import { createIncoming, type Incoming } from '../storage/incoming.ts';
import { createStorage, type Storage } from '../storage/storage.ts';

/** Bodies that are received at once: none of them waits for a turn, as who sends it would only wait with it. */
const uploadShares = { atOnceMax: 256, atOnceEach: 16, waitingMax: 0, waitingEach: 0, waitMs: 0 };
const downloadShares = { atOnceMax: 2048, atOnceEach: 256, waitingMax: 0, waitingEach: 0, waitMs: 0 };

export type FileServices = {
  storage: Storage;
  incoming: Incoming;
  /** Throws when the scanner is away; undefined where none is set. */
  scan: ((content: Readable) => Promise<'CLEAN' | { found: string }>) | undefined;
  uploads: FairQueue;
  downloads: FairQueue;
  /** A file waits to be scanned. */
  wake(): void;
  onWake(listener: () => void): void;
};

export function openFiles({ files }: Pick<Config, 'files'>): FileServices {
  const { folder, clamd } = files;
  const listeners: (() => void)[] = [];
  return {
    storage: createStorage(files),
    incoming: createIncoming(folder),
    scan: clamd && createScanner(clamd).scan,
    uploads: createFairQueue(uploadShares),
    downloads: createFairQueue(downloadShares),
    wake() {
      for (const listener of listeners) listener();
    },
    onWake: (listener) => void listeners.push(listener),
  };
}
