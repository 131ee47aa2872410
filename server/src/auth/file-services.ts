import type { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import { createSharedPlaces, type SharedPlaces } from '../queue/shared-places.ts';
import { createScanner } from '../scan/clamd.ts';
import { createIncoming, type Incoming } from '../storage/incoming.ts';
import { createStorage, type Storage } from '../storage/storage.ts';

/** Bodies that are under way at once, in all and of one account or key. The tenant is the institution: only the operator makes those. */
const uploadsMax = { all: 256, caller: 16 };
const downloadsMax = { all: 2048, caller: 256 };

export type FileServices = {
  storage: Storage;
  incoming: Incoming;
  /** Throws when the scanner is away; undefined where none is set. */
  scan: ((content: Readable) => Promise<'CLEAN' | { found: string }>) | undefined;
  uploads: SharedPlaces;
  downloads: SharedPlaces;
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
    uploads: createSharedPlaces(uploadsMax),
    downloads: createSharedPlaces(downloadsMax),
    wake() {
      for (const listener of listeners) listener();
    },
    onWake: (listener) => void listeners.push(listener),
  };
}
