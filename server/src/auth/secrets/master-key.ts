import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { key32 } from '../../config/values.ts';
import type { Config } from '../../config.ts';

/** Written aside and linked into place: a crash leaves no half key, and of two starts one key wins. */
function createKeyFile(path: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
}

/** The configured key, or beside the embedded database one that is generated once. */
export function loadMasterKey({ masterKey, home }: Pick<Config, 'masterKey' | 'home'>): Buffer {
  if (masterKey !== undefined) return masterKey;
  const path = join(home, 'master-key');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  createKeyFile(path);
  chmodSync(path, 0o600);
  return key32(readFileSync(path, 'utf8').trim());
}
