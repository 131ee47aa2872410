import { createHash, randomBytes } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DigestThread } from '../src/storage/digest-thread.ts';
import { StorageFailure } from '../src/storage/failure.ts';
import { createIncoming } from '../src/storage/incoming.ts';
import { Spool } from '../src/storage/spool.ts';
import { createStorage } from '../src/storage/storage.ts';
import { storageSuite } from './suites/storage.ts';
import { type S3Server, startS3 } from './support/s3-server.ts';

describe('files on disk', () => {
  storageSuite(async (folder) => createStorage({ folder }));
});

describe('files in S3', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3();
  });
  afterAll(() => server?.stop());

  storageSuite(async (folder) => createStorage({ folder, s3: server.settings }));

  it('are refused to who has not the secret, or names no bucket of theirs', async () => {
    const wrong = { ...server.settings, secretAccessKey: 'guessed' };
    await expect(createStorage({ folder: '/', s3: wrong }).check()).rejects.toThrow(
      /403 SignatureDoesNotMatch/,
    );
    const elsewhere = createStorage({ folder: '/', s3: { ...server.settings, bucket: 'nowhere' } });
    await expect(elsewhere.check()).rejects.toThrow(/404 NoSuchBucket/);
    await expect(elsewhere.read('A/B')).rejects.toThrow(/NoSuchBucket/);
    await expect(elsewhere.remove('A/B')).rejects.toThrow(/NoSuchBucket/);
  });
});

describe('a disk that fails', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-disk-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is found out at the start', async () => {
    writeFileSync(join(folder, 'a-file'), '');
    await expect(createStorage({ folder: join(folder, 'a-file') }).check()).rejects.toThrow(
      /using the folder/,
    );
  });

  it('and is full, or has its folder no more, fails as a store does and not as a request', async () => {
    const full = await open('/dev/full', 'w');
    const spool = new Spool(full, '/dev/full', new DigestThread());
    await spool.add(Buffer.from('x'));
    await expect(spool.finish()).rejects.toMatchObject({
      constructor: StorageFailure,
      cause: { code: 'ENOSPC' },
    });
    await full.close();
    const away = join(folder, 'a-file');
    const limits = { bytesMax: 5, idleMs: 1000 };
    await expect(createIncoming(away).receive(Readable.from([]), limits)).rejects.toThrow(StorageFailure);
    const { path } = await createIncoming(folder).receive(Readable.from([Buffer.from('x')]), limits);
    for (const work of [
      createStorage({ folder: away }).put('A/C', path),
      createStorage({ folder: away }).read('A/C'),
      createStorage({ folder: away }).remove('A/C'),
    ])
      await expect(work).rejects.toThrow(StorageFailure);
  });

  it('gives no file that lost its end', async () => {
    const storage = createStorage({ folder });
    const { path } = await createIncoming(folder).receive(Readable.from([Buffer.from('whole')]), {
      bytesMax: 5,
      idleMs: 1000,
    });
    await storage.put('A/B', path);
    truncateSync(join(folder, 'objects/A/B'), 3);
    await expect(storage.read('A/B', { start: 0, end: 4 })).rejects.toThrow(/too few/);
  });
});

describe('bytes that arrive', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-incoming-'));
  const incoming = createIncoming(folder);
  const limits = { bytesMax: 10, idleMs: 20_000 };
  const left = () => readdirSync(join(folder, 'incoming'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are kept, measured and hashed until they are discarded', async () => {
    const file = await incoming.receive(Readable.from([Buffer.from('01234'), Buffer.from('56789')]), limits);
    expect(file).toMatchObject({
      size: 10,
      sha256: '84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882',
      contentType: 'text/plain',
    });
    await file.discard();
    await file.discard();
    expect(left()).toEqual([]);
  });

  it('have the hash of all of them, however many and however they are cut', async () => {
    const bytes = randomBytes(3 * 1024 * 1024 + 5);
    const mebibyte = 1024 * 1024;
    for (const size of [0, 1, mebibyte - 1, mebibyte, mebibyte + 1, bytes.length])
      for (const cut of [10_007, 300_000, bytes.length]) {
        const content = bytes.subarray(0, size);
        const chunks = Array.from({ length: Math.ceil(size / cut) }, (_, n) =>
          content.subarray(n * cut, (n + 1) * cut),
        );
        const file = await incoming.receive(Readable.from(chunks), { ...limits, bytesMax: bytes.length });
        expect(file).toMatchObject({ size, sha256: createHash('sha256').update(content).digest('hex') });
        expect(readFileSync(file.path).equals(content)).toBe(true);
        await file.discard();
      }
  });

  it('are no bytes when they cannot be hashed, and the next are', async () => {
    const thread = new DigestThread();
    await expect(thread.follow(join(folder, 'nothing')).end(1)).rejects.toThrow(/ENOENT/);
    writeFileSync(join(folder, 'short'), 'abc');
    await expect(thread.follow(join(folder, 'short')).end(4)).rejects.toThrow(/lost bytes/);
    const dropped = thread.follow(join(folder, 'short'));
    dropped.goOn(1);
    dropped.drop();
    expect(await thread.follow(join(folder, 'short')).end(3)).toMatch(/^ba7816bf8f01cfea/);
  });

  it('leave nothing when they are too many, too slow or break off', async () => {
    const tooMany = Readable.from([Buffer.alloc(6), Buffer.alloc(6)]);
    await expect(incoming.receive(tooMany, limits)).rejects.toMatchObject({ code: '4130' });
    const stalled = new PassThrough();
    stalled.write('x');
    await expect(incoming.receive(stalled, { ...limits, idleMs: 10 })).rejects.toMatchObject({
      code: '4080',
    });
    for (const end of [
      (stream: PassThrough) => stream.destroy(),
      (stream: PassThrough) => stream.destroy(new Error('reset')),
    ]) {
      const broken = new PassThrough();
      broken.write('x');
      const outcome = incoming.receive(broken, limits);
      await expect.poll(left).toHaveLength(1);
      end(broken);
      await expect(outcome).rejects.toMatchObject({ code: '4000' });
    }
    const gone = new PassThrough();
    gone.destroy();
    await expect(incoming.receive(gone, limits)).rejects.toMatchObject({ code: '4000' });
    expect(left()).toEqual([]);
  });

  it('are given up when they trickle on and on, though one comes before each time is over', async () => {
    const trickled = new PassThrough();
    const drop = setInterval(() => trickled.write('x'), 20);
    const refusal = incoming.receive(trickled, { bytesMax: 10_000, idleMs: 400 });
    await expect(refusal).rejects.toMatchObject({ code: '4080' });
    clearInterval(drop);
    expect(left()).toEqual([]);
  });

  it('that were refused run out without an end of their connection', async () => {
    const stream = new PassThrough();
    stream.write(Buffer.alloc(11));
    await expect(incoming.receive(stream, limits)).rejects.toMatchObject({ code: '4130' });
    stream.end(Buffer.alloc(1024 * 1024));
    await expect.poll(() => stream.readableEnded).toBe(true);
  });

  it('that crashed uploads left are swept, and those under way are not', async () => {
    mkdirSync(join(folder, 'incoming'), { recursive: true });
    for (const name of ['old', 'new']) writeFileSync(join(folder, 'incoming', name), name);
    utimesSync(join(folder, 'incoming/old'), 1, 1);
    expect(await incoming.sweep(60_000)).toBe(1);
    expect(left()).toEqual(['new']);
    expect(await createIncoming(join(folder, 'none')).sweep(0)).toBe(0);
  });
});
