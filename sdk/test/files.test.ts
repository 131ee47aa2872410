import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey, signIn } from '../../server/test/world.ts';
import {
  ConflictError,
  type Download,
  NetworkError,
  NotFoundError,
  Portico,
  PorticoError,
  type UploadSource,
} from '../src/index.ts';
import { PorticoPortal } from '../src/portal/index.ts';
import {
  allScopes,
  answer,
  envelope,
  openClient,
  openLoopback,
  openService,
  type Service,
  someKey,
} from './service.ts';

const bytes = randomBytes(1_500_000);
const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
const folder = mkdtempSync(join(tmpdir(), 'portico-files-'));
const path = join(folder, 'big.bin');

let service: Service;
let client: Portico;
beforeAll(async () => {
  writeFileSync(path, bytes);
  service = await openService();
  client = await openClient(service, { scopes: allScopes, mode: 2 });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const received = ({ stream }: Download) => buffer(stream as unknown as AsyncIterable<Uint8Array>); // Node's are iterable

describe('an upload', () => {
  it.each<[string, () => UploadSource]>([
    ['bytes', () => bytes],
    ['a Blob', () => new Blob([bytes])],
    ['a path', () => ({ path })],
    ['a stream of Node that can be opened again', () => () => createReadStream(path)],
    ['a stream of the web that can be opened again', () => () => new Blob([bytes]).stream()],
  ])('takes %s, and a download gives the same back', async (_what, source) => {
    const filename = 'Rechnung №7 «ä» 送金.pdf';
    const file = await client.files.upload(source(), { filename, fileCategory: 8, remark: 'a & b' });
    expect(file).toMatchObject({ originalFilename: filename, fileCategory: 'INVOICE', remark: 'a & b' });
    expect([file.fileSize, file.etag]).toEqual([bytes.length, sha256(bytes)]);
    expect(await client.files.get(file.bizId)).toEqual(file);
    const download = await client.files.download(file.bizId);
    expect(download).toMatchObject({
      filename,
      size: bytes.length,
      totalSize: bytes.length,
      etag: file.etag,
    });
    expect(download.response.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(sha256(await received(download))).toBe(file.etag);
  });

  it('of nothing, and of one byte, is one too', async () => {
    for (const size of [0, 1]) {
      const data = new Uint8Array(size);
      const outcome = await client.files
        .upload(data, { filename: 'small', fileCategory: 99 })
        .catch((e: unknown) => e);
      if (outcome instanceof PorticoError) expect([size, outcome.status]).toEqual([0, 400]);
      else expect(outcome).toMatchObject({ fileSize: size, etag: sha256(data) });
    }
  });

  it('whose answer is lost is sent again from its beginning, and kept once', async () => {
    let answers = 0;
    let opened = 0;
    const losing: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      if (answers++ < 1) throw new TypeError('the answer was lost');
      return response;
    };
    const key = await createKey(service.world, { scopes: allScopes, mode: 2 });
    const unlucky = new Portico({ baseUrl: service.url, ...key, fetch: losing, sleep: async () => {} });
    const source = () => {
      opened += 1;
      return createReadStream(path);
    };
    const file = { filename: `lost ${key.apiKeyId}`, fileCategory: 8 } as const;
    const { data, response } = await unlucky.files.upload(source, file).withResponse();
    expect([response.isReplay, answers, opened]).toEqual([true, 2, 3]);
    const names = (await client.files.list({ size: 100 })).content.map(
      ({ originalFilename }) => originalFilename,
    );
    expect(names.filter((name) => name === data.originalFilename)).toHaveLength(1);
  });

  it('states its hash, which is signed, and its length', async () => {
    const loopback = await openLoopback(async (request, response) => {
      for await (const _piece of request);
      response.end(JSON.stringify(envelope({})));
    });
    const other = new Portico({ baseUrl: loopback.url, ...someKey });
    await other.files.upload(bytes, { filename: 'a b', fileCategory: 8 });
    const [{ headers, url } = { headers: {}, url: '' }] = loopback.requests;
    expect(url).toBe('/api/v1/files?filename=a+b&fileCategory=8');
    expect(headers).toMatchObject({
      'x-content-sha256': sha256(bytes),
      'content-length': String(bytes.length),
      'content-type': 'application/octet-stream',
      'idempotency-key': expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    await loopback.close();
  });

  it('may last longer than the time for one call, as long as it moves', async () => {
    const loopback = await openLoopback(async (request, response) => {
      for await (const _piece of request) await new Promise((resolve) => setTimeout(resolve, 5));
      response.end(JSON.stringify(envelope({})));
    });
    const other = new Portico({ baseUrl: loopback.url, ...someKey, timeoutMs: 400, retries: 0 });
    const pieces = async function* () {
      for (let count = 0; count < 30; count++) {
        await new Promise((resolve) => setTimeout(resolve, 30));
        yield new Uint8Array(10);
      }
    };
    await other.files.upload(pieces, { filename: 'slow', fileCategory: 8 });
    await loopback.close();
  });

  it('that is no source, or cannot be read, is told at once', async () => {
    const file = { filename: 'x', fileCategory: 8 } as const;
    await expect(client.files.upload('text' as unknown as Blob, file)).rejects.toThrow(TypeError);
    await expect(client.files.upload({ path: join(folder, 'nowhere') }, file)).rejects.toThrow('ENOENT');
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    await expect(client.files.upload(bytes, file, { signal: controller.signal })).rejects.toThrow('enough');
  });
});

describe('a download', () => {
  const upload = () => client.files.upload(bytes, { filename: '../../etc/passwd', fileCategory: 8 });

  it('of a range gives just that', async () => {
    const { bizId, etag } = await upload();
    const part = await client.files.download(bizId, { range: { start: 10, end: 19 } });
    expect([part.size, part.totalSize, part.etag]).toEqual([10, bytes.length, etag]);
    expect(part.filename).toMatch(/passwd$/);
    expect(await received(part)).toEqual(bytes.subarray(10, 20));
    const rest = await client.files.download(bizId, { range: { start: bytes.length - 3 } });
    expect(await received(rest)).toEqual(bytes.subarray(-3));
    await expect(client.files.download(bizId, { range: { start: bytes.length } })).rejects.toMatchObject({
      code: '4160',
    });
    await expect(client.files.download(bizId, { range: { start: 5, end: 4 } })).rejects.toThrow(TypeError);
  });

  it('of what was deleted is not found', async () => {
    const { bizId } = await upload();
    expect(await client.files.delete(bizId)).toBeUndefined();
    await expect(client.files.download(bizId)).rejects.toThrow(NotFoundError);
    await expect(client.files.get(bizId)).rejects.toThrow(NotFoundError);
    await expect(client.files.delete(bizId)).rejects.toThrow(NotFoundError);
  });

  const etag = `"${sha256(bytes)}"`;
  it.each<[string, Parameters<typeof openLoopback>[0], typeof PorticoError]>([
    ['other bytes', (_request, response) => response.writeHead(200, { etag }).end('other'), PorticoError],
    [
      'fewer bytes',
      (request, response) => {
        response.writeHead(200, { etag, 'content-length': bytes.length }).write(bytes.subarray(0, 1000));
        setTimeout(() => request.socket.destroy(), 20);
      },
      NetworkError,
    ],
    [
      'bytes that stop coming',
      (_request, response) => void response.writeHead(200, { etag }).write('x'),
      NetworkError,
    ],
  ])('that brings %s fails at its end', async (_what, listener, kind) => {
    const loopback = await openLoopback(listener);
    const other = new Portico({ baseUrl: loopback.url, ...someKey, timeoutMs: 500 });
    const download = await other.files.download('FILE_1');
    await expect(received(download)).rejects.toThrow(kind);
    await loopback.close();
  });

  it('is tried again until it begins, and ends with its signal', async () => {
    const controller = new AbortController();
    const loopback = await openLoopback(answer(503, ''), (_request, response) => {
      response.writeHead(200, { etag, 'content-disposition': 'attachment; filename="a\\"b"' }).write('x');
    });
    const other = new Portico({ baseUrl: loopback.url, ...someKey, sleep: async () => {} });
    const download = await other.files.download('FILE_1', { signal: controller.signal });
    expect([download.filename, loopback.requests.length]).toEqual(['a"b', 2]);
    controller.abort(new Error('enough'));
    await expect(received(download)).rejects.toThrow('enough');
    await loopback.close();
  });
});

describe('a file on the portal', () => {
  it('is uploaded, downloaded, archived, restored and deleted by people', async () => {
    const portal = new PorticoPortal({ baseUrl: service.url, accessToken: await signIn(service.world) });
    const place = { institutionBizId: 'INST_DEMO', workspaceBizId: 'WS_DEMO', fileCategory: 7 };
    const file = new File([bytes], 'Vertrag „ä“.pdf');
    const { data: kept, response } = await portal.uploadFile({ ...place, file, remark: 'r' }).withResponse();
    expect([response.status, kept.originalFilename, kept.etag]).toEqual([201, file.name, sha256(bytes)]);
    const { bizId } = kept;
    expect(await portal.getFile(bizId)).toEqual(kept);
    expect(sha256(await received(await portal.downloadFile(bizId)))).toBe(kept.etag);
    const part = await portal.downloadFile(bizId, { range: { start: 0, end: 0 } });
    expect(await received(part)).toEqual(bytes.subarray(0, 1));
    expect((await portal.archiveFile(bizId)).fileStatus).toBe('ARCHIVED');
    await expect(portal.archiveFile(bizId)).rejects.toThrow(ConflictError);
    expect((await portal.restoreFile(bizId)).fileStatus).toBe('ACTIVE');
    expect(await portal.deleteFile(bizId)).toBeUndefined();
    await expect(portal.getFile(bizId)).rejects.toThrow(NotFoundError);
    const named = await portal.uploadFile({ ...place, file: new Blob(['x']), filename: 'given.txt' });
    expect(named.originalFilename).toBe('given.txt');
  });
});
