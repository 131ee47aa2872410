import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createS3Store } from '../src/storage/s3.ts';
import { s3Times } from '../src/storage/s3-request.ts';

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

const folder = mkdtempSync(join(tmpdir(), 'portico-faults-'));
const file = join(folder, 'file');
/** More than fits into the buffers between two sockets. */
const size = 16 * 1024 * 1024;

let behaviours: Behaviour[] = [];
let asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  const behave = behaviours.length > 1 ? behaviours.shift() : behaviours[0];
  behave?.(request, response);
});

const error = (status: number, code: string) => (request: IncomingMessage, response: ServerResponse) => {
  request.resume().on('end', () => response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`));
};
const fine: Behaviour = (request, response) => request.resume().on('end', () => response.end());
const text =
  (content: string, head: Record<string, string> = {}, status = 200): Behaviour =>
  (_, response) =>
    response.writeHead(status, { 'content-length': String(content.length), ...head }).end(content);

const patient = { ...s3Times, backoffMs: 1 };
const impatient = { ...patient, silentMs: 50 };

function open(times = patient) {
  const { port } = server.address() as AddressInfo; // a TCP server has one
  const keys = { accessKeyId: 'id', secretAccessKey: 'never-shown' };
  return createS3Store(
    { endpoint: `http://127.0.0.1:${port}/base/`, region: 'x', bucket: 'b', ...keys },
    times,
  );
}

async function read(times = patient, range?: { start: number; end: number }): Promise<string> {
  const body = await open(times).read('K', range);
  return body ? (await buffer(body)).toString() : 'none';
}

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
beforeEach(() => {
  asked = [];
  writeFileSync(file, Buffer.alloc(size));
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

describe('an S3 server that fails and comes back', () => {
  const passing: [string, Behaviour][] = [
    ['answers 500', error(500, 'InternalError')],
    ['answers 503', error(503, 'SlowDown')],
    ['closes at once', (request) => request.socket.destroy()],
    ['closes in the middle', (request) => request.once('data', () => request.socket.destroy())],
    ['answers before it has all', (_, response) => response.writeHead(503).end('busy')],
  ];
  it.each(passing)('and %s is asked again, and the file is put', async (_, behaviour) => {
    behaviours = [behaviour, behaviour, fine];
    await open().put('K', file);
    expect(asked).toEqual(['PUT /base/b/K', 'PUT /base/b/K', 'PUT /base/b/K']);
    expect(existsSync(file)).toBe(false);
  });

  it.each(passing)('or not, and %s keeps the file that was to be put', async (_, behaviour) => {
    behaviours = [behaviour];
    await expect(open().put('K', file)).rejects.toThrow(/S3: PUT K/);
    expect(asked).toHaveLength(3);
    expect(existsSync(file)).toBe(true);
  });

  it('is asked again for what is read and what is removed', async () => {
    behaviours = [error(500, 'InternalError'), text('content')];
    expect(await read()).toBe('content');
    behaviours = [error(502, ''), error(404, 'NoSuchKey')];
    await open().remove('K');
  });

  it('is left when it says nothing', async () => {
    behaviours = [() => {}];
    await expect(open(impatient).put('K', file)).rejects.toThrow(/no answer in time/);
    await expect(open(impatient).read('K')).rejects.toThrow(/no answer in time/);
    await expect(open(impatient).remove('K')).rejects.toThrow(/no answer in time/);
  });

  it('is away', async () => {
    const settings = { endpoint: 'http://127.0.0.1:1', region: 'x', bucket: 'b', accessKeyId: 'id' };
    const store = createS3Store({ ...settings, secretAccessKey: 'never-shown' }, patient);
    const failure = await store.check().catch((thrown: Error) => thrown);
    expect(String(failure)).toMatch(/ECONNREFUSED/);
    expect(JSON.stringify(failure)).not.toContain('never-shown');
  });
});

describe('an S3 server that says no', () => {
  it.each([403, 400, 301])('with %i is asked once, and what it calls the error is told', async (status) => {
    behaviours = [error(status, 'AccessDenied')];
    await expect(open().put('K', file)).rejects.toThrow(`S3: PUT K: ${status} AccessDenied`);
    await expect(open().read('K')).rejects.toThrow(`S3: GET K: ${status} AccessDenied`);
    await expect(open().remove('K')).rejects.toThrow(`S3: DELETE K: ${status} AccessDenied`);
    expect(asked).toHaveLength(3);
  });

  it('at endless length is not heard out', async () => {
    behaviours = [
      (_, response) => {
        response.writeHead(400);
        const go = () => response.writable && response.write('x'.repeat(65_536), go);
        go();
      },
    ];
    await expect(open().read('K')).rejects.toThrow('S3: GET K: 400');
  });
});

describe('an S3 server that gives other bytes than it promised', () => {
  it('fails the stream when it closes in the middle', async () => {
    behaviours = [
      (request, response) => {
        response.writeHead(200, { 'content-length': '10' }).write('01234');
        setImmediate(() => request.socket.destroy());
      },
    ];
    await expect(read()).rejects.toThrow(/S3: GET K/);
  });

  it('fails the stream when it names no length, as then an end means nothing', async () => {
    behaviours = [(_, response) => void response.writeHead(200, { connection: 'close' }).end('01234')];
    await expect(read()).rejects.toThrow(/length/);
  });

  it('fails the stream when it does not go on', async () => {
    behaviours = [(_, response) => void response.writeHead(200, { 'content-length': '10' }).write('01234')];
    await expect(read({ ...patient, silentMs: 1000 })).rejects.toThrow(/did not go on/);
  });

  it('fails when it gives another range, or the whole', async () => {
    behaviours = [text('0123456789')];
    await expect(read(patient, { start: 2, end: 4 })).rejects.toThrow(/not the range/);
    behaviours = [text('345', { 'content-range': 'bytes 3-5/10' }, 206)];
    await expect(read(patient, { start: 2, end: 4 })).rejects.toThrow(/not the range/);
    behaviours = [text('23', { 'content-range': 'bytes 2-4/10' }, 206)];
    await expect(read(patient, { start: 2, end: 4 })).rejects.toThrow(/length/);
    behaviours = [text('234', { 'content-range': 'bytes 2-4/10' }, 206)];
    expect(await read(patient, { start: 2, end: 4 })).toBe('234');
  });

  it('waits for who reads slowly, and is let go by who reads no more', async () => {
    const closed: number[] = [];
    behaviours = [
      (request, response) => {
        request.socket.once('close', () => closed.push(response.writableLength));
        response.writeHead(200, { 'content-length': String(size) }).end(Buffer.alloc(size));
      },
    ];
    // Long enough for a busy machine to send what is asked for.
    const times = { ...patient, silentMs: 2000 };
    const [slow, gone] = [await open(times).read('K'), await open(times).read('K')];
    if (slow === undefined || gone === undefined) throw new Error('nothing to read');
    for (const body of [slow, gone]) await once(body, 'readable');
    gone.destroy();
    await expect.poll(() => closed).toHaveLength(1);
    const standstill = Date.now() + 1.25 * times.silentMs;
    await expect.poll(() => Date.now() > standstill).toBe(true);
    expect((await buffer(slow)).length).toBe(size);
  });
});
