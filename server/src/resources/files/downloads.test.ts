import { randomBytes } from 'node:crypto';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen, openConnection, requestBytes } from '../../../test/raw-http.ts';
import { sha256, upload } from '../../../test/support/files.ts';
import { openWorld, portalCall, tokenOf, type World } from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';
import { demoFiles } from '../../demo/demo-files.ts';
import { storeDemoFiles } from '../../demo/demo-world.ts';
import { sniff } from '../../storage/sniff.ts';

let world: World;
let owner: string;
let port: number;
beforeAll(async () => {
  world = await openWorld();
  owner = await tokenOf(world, 'ACC_DEMO_OWNER');
  port = await listen(world);
});
afterAll(() => world.close());

const put = async (data: string | Buffer, filename?: string): Promise<string> =>
  (await upload(world, owner, data, filename === undefined ? {} : { filename })).json().data.bizId;
const get = (bizId: string, headers = {}, method: 'GET' | 'HEAD' = 'GET') =>
  portalCall(world, owner, { method, url: `/web/v1/files/${bizId}/content`, headers });

describe('a download', () => {
  it('runs no script in the origin of the portal, whatever the file is: HTML, SVG or something that is both', async () => {
    const script = '<script>fetch("/web/v1/auth/me")</script>';
    const hostile = {
      'page.html': `<!doctype html><html>${script}</html>`,
      'picture.svg': `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`,
      'both.gif': `GIF89a/*${script}*/=1`,
      'both.pdf': `%PDF-1.7\n${script}`,
    };
    for (const [filename, data] of Object.entries(hostile)) {
      const { headers } = await get(await put(data, filename));
      expect(headers).toMatchObject({
        'content-disposition': `attachment; filename="${filename}"`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      });
      expect(String(headers['content-type'])).not.toMatch(/html|svg|xml|script/);
    }
  });

  it('gives any name as data: nothing of it becomes a header, a path or another name', async () => {
    const names = [
      '../../etc/passwd',
      '\u202Efdp.exe',
      'a\u0001b\u007f.txt',
      '🙂'.repeat(63),
      'a\\b:c*d.txt',
      '.hidden',
      'Ü ber.pdf',
    ];
    for (const name of names) {
      const answer = await upload(world, owner, 'x', { filename: name });
      const { bizId, originalFilename, objectKey } = answer.json().data;
      expect([originalFilename, objectKey]).toEqual([
        name,
        expect.stringMatching(/^\d{4}\/\d\d\/FILE_[0-9A-Z]{26}$/),
      ]);
      const shown = String((await get(bizId)).headers['content-disposition']);
      expect(shown).toMatch(/^attachment; filename="[ -~]*"(; filename\*=UTF-8''[!-~]+)?$/);
      expect(decodeURIComponent(shown)).not.toMatch(/\.\.\/|\p{Cc}|\p{Cf}|\\/u);
    }
  });

  it('serves a range, and the rest of the very content that was begun', async () => {
    const data = randomBytes(1000);
    const bizId = await put(data);
    const etag = `"${sha256(data)}"`;
    const ranges: [string, number, number][] = [
      ['bytes=0-0', 0, 0],
      ['bytes=10-19', 10, 19],
      ['bytes=990-', 990, 999],
      ['bytes=-5', 995, 999],
      ['bytes=500-5000', 500, 999],
    ];
    for (const [range, start, end] of ranges) {
      const part = await get(bizId, { range });
      expect([range, part.statusCode, part.rawPayload]).toEqual([range, 206, data.subarray(start, end + 1)]);
      expect(part.headers).toMatchObject({ 'content-range': `bytes ${start}-${end}/1000`, etag });
    }
    expect((await get(bizId, { range: 'bytes=990-', 'if-range': etag })).statusCode).toBe(206);
    for (const ifRange of ['"another"', `W/${etag}`, 'Wed, 21 Oct 2015 07:28:00 GMT'])
      expect((await get(bizId, { range: 'bytes=990-', 'if-range': ifRange })).rawPayload).toEqual(data);
    for (const range of ['bytes=1000-', 'bytes=-0']) {
      const refused = await get(bizId, { range });
      expect([refused.statusCode, refused.json().code, refused.headers['content-range']]).toEqual([
        416,
        '4160',
        'bytes */1000',
      ]);
    }
    for (const range of ['bytes=2-1', 'lines=1-2', 'bytes=0-1,3-4'])
      expect((await get(bizId, { range })).statusCode).toBe(200);
  });

  it('is 304 for who has the content, and HEAD tells of it without a byte', async () => {
    const data = 'some content';
    const bizId = await put(data);
    const etag = `"${sha256(data)}"`;
    for (const given of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await get(bizId, { 'if-none-match': given });
      expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([304, '', etag]);
    }
    expect((await get(bizId, { 'if-none-match': '"x"' })).body).toBe(data);
    const head = await get(bizId, {}, 'HEAD');
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(head.headers).toMatchObject({
      'content-length': String(data.length),
      etag,
      'accept-ranges': 'bytes',
    });
  });

  it('of a client that leaves is over: nothing stays open', async () => {
    const bizId = await put(randomBytes(20 * 1024 * 1024));
    const { downloads } = world.services.files;
    const connection = openConnection(port);
    connection.socket.pause();
    connection.send(
      requestBytes({
        method: 'GET',
        target: `/web/v1/files/${bizId}/content`,
        headers: [['Authorization', `Bearer ${owner}`]],
      }),
    );
    await expect.poll(() => downloads.busy()).toBe(1);
    connection.close();
    await expect.poll(() => downloads.busy()).toBe(0);
  });

  it('of a file that lost bytes is 503 5030, before a length is promised', async () => {
    const { objectKey, bizId } = (await upload(world, owner, 'whole')).json().data;
    truncateSync(join(world.services.config.files.folder, 'objects', objectKey), 3);
    for (const headers of [{}, { range: 'bytes=2-' }]) {
      const answer = await get(bizId, headers);
      expect([answer.statusCode, answer.json().code]).toEqual([503, '5030']);
    }
  });

  it('of a record whose content is not kept here is 404 4040', async () => {
    await world.db.query(sql`update files set is_stored = false where biz_id = 'FILE_0000000002'`);
    const answer = await get('FILE_0000000002');
    expect([answer.statusCode, answer.json().code]).toEqual([404, '4040']);
  });
});

describe('the files of the demo world', () => {
  it('have the bytes that their records tell of: size, hash, and for those that can be told by them the type', async () => {
    await storeDemoFiles(world.services.files);
    const rows = await world.db.query<{
      bizId: string;
      key: string;
      size: number;
      etag: string;
      type: string;
      status: string;
    }>(sql`
      select biz_id as "bizId", object_key as key, file_size as size, etag, content_type as type, status::text as status
      from files where bucket = 'portico-demo' order by biz_id`);
    const files = demoFiles();
    expect(rows.map(({ key, size, etag }) => ({ key, size, etag }))).toEqual(
      files.map(({ key, size, etag }) => ({ key, size, etag })),
    );
    for (const [index, { content, etag }] of files.entries()) {
      const { type = '' } = rows[index] ?? {};
      expect(sha256(content)).toBe(etag);
      if (!/csv|svg/.test(type)) expect([index, await sniff(content)]).toEqual([index, type]);
    }
    const active = rows.find(({ status, bizId }) => status === 'ACTIVE' && bizId > 'FILE_0000000005');
    expect((await get(active?.bizId ?? '')).rawPayload).toEqual(
      files.find(({ key }) => key === active?.key)?.content,
    );
  });
});
