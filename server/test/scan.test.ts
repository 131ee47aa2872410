import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScanner, scanTimes } from '../src/scan/clamd.ts';
import { type Clamd, malware, startClamd } from './support/clamd-server.ts';

const megabyte = Buffer.alloc(1024 * 1024, 'x');
const of = (...chunks: (string | Buffer)[]) =>
  Readable.from(chunks.map((chunk) => Buffer.from(chunk as string)));

describe('clamd', () => {
  let clamd: Clamd;
  beforeAll(async () => {
    clamd = await startClamd();
  });
  afterAll(() => clamd?.stop());

  it('finds what its database names, wherever the bytes were cut, and nothing else', async () => {
    const { scan } = createScanner(clamd);
    expect(await scan(of('harmless'))).toBe('CLEAN');
    expect(await scan(of('some text, then ', malware.text.slice(0, 9), '', malware.text.slice(9)))).toEqual({
      found: `${malware.name}.UNOFFICIAL`,
    });
    expect(await scan(of(megabyte))).toBe('CLEAN');
    expect(await scan(of())).toBe('CLEAN');
  });

  it('calls nothing clean that is longer than it looks at', async () => {
    const scanned = createScanner(clamd).scan(of(...Array.from({ length: 8 }, () => megabyte)));
    await expect(scanned).rejects.toThrow(/clamd/);
  });
});

describe('what is no clamd', () => {
  const sockets = new Set<Socket>();
  let behave: (socket: Socket) => void = () => {};
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    behave(socket);
  });
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });

  const scan = (times: Partial<typeof scanTimes> = {}) => {
    const { port } = server.address() as AddressInfo; // a TCP server has one
    const source = of(...Array.from({ length: 20 }, () => megabyte));
    const scanned = createScanner({ host: '127.0.0.1', port }, { ...scanTimes, ...times }).scan(source);
    return scanned.finally(() => expect(source.destroyed).toBe(true));
  };

  it('calls nothing clean, whatever it answers', async () => {
    const answers = [
      '',
      'OK',
      'stream: OK FOUND OK',
      'HTTP/1.1 200 OK',
      'stream: FOUND',
      'stream: a\nb FOUND',
      'INSTREAM size limit exceeded. ERROR',
      'fd: OK',
      '\xff\xfe',
    ];
    for (const answer of answers) {
      behave = (socket) => socket.resume().write(Buffer.from(`${answer}\0`, 'latin1'));
      await expect(scan(), answer).rejects.toThrow(/clamd/);
    }
    behave = (socket) => socket.resume().write('x'.repeat(2000));
    await expect(scan()).rejects.toThrow(/endless/);
  });

  it('is left when it closes, before or while it takes bytes', async () => {
    behave = (socket) => socket.destroy();
    await expect(scan()).rejects.toThrow(/clamd/);
    behave = (socket) => socket.end('stream: OK');
    await expect(scan()).rejects.toThrow(/clamd/);
    behave = (socket) => socket.on('data', () => socket.bytesRead > 1_000_000 && socket.destroy());
    await expect(scan()).rejects.toThrow(/clamd/);
  });

  it('is left when it takes no bytes, or never answers', async () => {
    behave = (socket) => socket.pause();
    await expect(scan({ silentMs: 50 })).rejects.toThrow(/taking bytes took too long/);
    behave = (socket) => socket.resume();
    await expect(scan({ verdictMs: 50 })).rejects.toThrow(/looking took too long/);
  });

  it('is away', async () => {
    await expect(createScanner({ host: '127.0.0.1', port: 1 }).scan(of('x'))).rejects.toThrow(/ECONNREFUSED/);
  });

  it('fails with the bytes that it was to see', async () => {
    behave = (socket) => socket.resume();
    const broken = new Readable({ read: () => broken.destroy(new Error('the store is away')) });
    const { port } = server.address() as AddressInfo; // a TCP server has one
    await expect(createScanner({ host: '127.0.0.1', port }).scan(broken)).rejects.toThrow(
      'the store is away',
    );
  });
});
