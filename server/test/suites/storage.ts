import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createIncoming } from '../../src/storage/incoming.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { collectGarbage } from '../garbage.ts';

const mebibyte = 1024 * 1024;
const limits = { bytesMax: 100 * mebibyte, idleMs: 20_000 };

/** What any store does, whatever it is made of. */
export function storageSuite(open: (folder: string) => Promise<Storage>): void {
  const folder = mkdtempSync(join(tmpdir(), 'portico-storage-'));
  const incoming = createIncoming(folder);
  let storage: Storage;
  let made = 0;
  const newKey = () => {
    made += 1;
    return `INST_A/2026/11/FILE_${made}`;
  };

  beforeAll(async () => {
    storage = await open(folder);
  });
  afterAll(async () => {
    await storage?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const received = (content: Buffer) => incoming.receive(Readable.from([content]), limits);

  async function put(key: string, content: Buffer): Promise<void> {
    await storage.put(key, (await received(content)).path);
  }

  async function read(key: string, range?: { start: number; end: number }): Promise<string | undefined> {
    const stream = await storage.read(key, range);
    return stream && (await buffer(stream)).toString();
  }

  it('can be used', async () => {
    await storage.check();
  });

  it('gives back what was put, whole and in part, and the file that was put is gone', async () => {
    const key = newKey();
    const { path } = await received(Buffer.from('0123456789'));
    await storage.put(key, path);
    expect(existsSync(path)).toBe(false);
    expect(await read(key)).toBe('0123456789');
    expect(await read(key, { start: 0, end: 9 })).toBe('0123456789');
    expect(await read(key, { start: 3, end: 3 })).toBe('3');
    expect(await read(key, { start: 7, end: 9 })).toBe('789');
  });

  it('fails to give more than there is', async () => {
    const key = newKey();
    await put(key, Buffer.from('short'));
    for (const range of [
      { start: 0, end: 9 },
      { start: 7, end: 9 },
    ])
      await expect(read(key, range)).rejects.toThrow(/too few|range|416/);
  });

  it('holds an empty file', async () => {
    const key = newKey();
    await put(key, Buffer.alloc(0));
    expect(await read(key)).toBe('');
  });

  it('knows nothing of what was never put, or was removed, also twice', async () => {
    const key = newKey();
    expect(await storage.read(key)).toBeUndefined();
    expect(await storage.read(key, { start: 0, end: 1 })).toBeUndefined();
    await storage.remove(key);
    await put(key, Buffer.from('x'));
    await storage.remove(key);
    await storage.remove(key);
    expect(await storage.read(key)).toBeUndefined();
  });

  it('takes the same put again, with its file and without', async () => {
    const key = newKey();
    const { path } = await received(Buffer.from('first'));
    await storage.put(key, path);
    await storage.put(key, path);
    expect(await read(key)).toBe('first');
    await put(key, Buffer.from('second'));
    expect(await read(key)).toBe('second');
  });

  it('fails to put a file that does not exist', async () => {
    await expect(storage.put(newKey(), join(folder, 'incoming', 'nothing'))).rejects.toThrow();
  });

  it('follows no key that it did not make', async () => {
    const { path, discard } = await received(Buffer.from('x'));
    const wrong = [
      '../x',
      'a/../../x',
      '/etc/x',
      'a//b',
      'a/',
      '',
      '.',
      'a/.x',
      'a\0b',
      'a b',
      'a/%2e%2e/b',
      'a?b',
      'é',
    ];
    for (const key of [...wrong, 'a'.repeat(129), 'a/b/c/d/e/f/g/h/i']) {
      await expect(storage.put(key, path), key).rejects.toThrow('not a key');
      await expect(storage.read(key), key).rejects.toThrow('not a key');
      await expect(storage.remove(key), key).rejects.toThrow('not a key');
    }
    expect(existsSync(path)).toBe(true);
    await discard();
  });

  it('moves 90 MiB without holding them', async () => {
    const chunk = randomBytes(mebibyte);
    const hash = createHash('sha256');
    const heldMax = 48 * mebibyte;
    const before = process.memoryUsage().arrayBuffers;
    const held = () => process.memoryUsage().arrayBuffers - before;
    let most = 0;
    const look = () => {
      // What was let go counts until it is collected, which on a busy machine may be late; twice, as the first only begins to free it.
      for (let tries = 0; tries < 2 && held() >= heldMax; tries += 1) collectGarbage();
      most = Math.max(most, held());
    };
    const source = Readable.from(
      (function* () {
        for (let n = 0; n < 90; n += 1) {
          look();
          yield chunk;
        }
      })(),
    );
    const file = await incoming.receive(source, limits);
    expect(file.size).toBe(90 * mebibyte);
    const key = newKey();
    await storage.put(key, file.path);
    for await (const part of (await storage.read(key)) ?? []) {
      look();
      hash.update(part);
    }
    expect(hash.digest('hex')).toBe(file.sha256);
    expect(most).toBeLessThan(heldMax);
    await storage.remove(key);
  });
}
