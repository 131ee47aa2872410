import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leftOf, sha256, signedUpload, upload } from '../../../test/support/files.ts';
import {
  createKey,
  type Key,
  openWorld,
  portalCall,
  signedCall,
  tokenOf,
  type World,
} from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';

let world: World;
let owner: string;
let viewer: string;
let live: Key;
let test: Key;
beforeAll(async () => {
  world = await openWorld();
  owner = await tokenOf(world, 'ACC_DEMO_OWNER');
  viewer = await tokenOf(world, 'ACC_DEMO_VIEWER');
  live = await createKey(world, { scopes: ['files:read', 'files:write'] });
  test = await createKey(world, { scopes: ['files:read', 'files:write'], mode: 2 });
});
afterAll(() => world.close());

const content = (bizId: string, token = owner, headers = {}) =>
  portalCall(world, token, { method: 'GET', url: `/web/v1/files/${bizId}/content`, headers });
const fails = (answer: { statusCode: number; json(): { code: string } }, status: number, code: string) =>
  expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
const auditOf = (bizId: string) =>
  world.db.query<{ action: string; actor: string; changes: string }>(sql`
    select action, actor_id as actor, changes from audit_waiting where subject_id = ${bizId}
    union all select action, actor_id, changes from audit_log where subject_id = ${bizId}`);

describe('an upload on the portal', () => {
  it('answers 201 with the twelve fields of the list, is listed, downloaded byte by byte, and written down', async () => {
    const data = Buffer.from('%PDF-1.7 some document');
    const answer = await upload(world, owner, data, { filename: 'Pass – 护照.pdf' });
    expect(answer.statusCode).toBe(201);
    const record = answer.json().data;
    expect(record).toEqual({
      bizId: expect.stringMatching(/^FILE_[0-9A-HJKMNP-TV-Z]{26}$/),
      bucket: 'portico-files',
      objectKey: expect.stringContaining(record.bizId),
      originalFilename: 'Pass – 护照.pdf',
      fileSize: data.length,
      contentType: 'application/pdf',
      fileCategory: 'INVOICE',
      fileStatus: 'ACTIVE',
      etag: sha256(data),
      remark: '',
      createdAt: expect.any(String),
      createdBy: 'ACC_DEMO_OWNER',
    });
    const list = await portalCall(world, owner, {
      url: '/web/v1/files/query/list?size=1',
      body: { institutionBizId: 'INST_DEMO' },
    });
    expect(list.json().data.content).toEqual([record]);
    const found = await content(record.bizId, viewer);
    expect([found.statusCode, found.rawPayload]).toEqual([200, data]);
    const [entry] = await auditOf(record.bizId);
    expect(entry).toMatchObject({ action: 'file.created', actor: 'ACC_DEMO_OWNER' });
    expect(JSON.parse(entry?.changes ?? '')).toMatchObject({ mode: { from: null, to: 'LIVE' } });
  });

  it('is for owners and members of the workspace, in the institution that is named: else 403 4030, and nothing is kept', async () => {
    const before = await leftOf(world);
    const fields = (more: object) => ({
      fields: { institutionBizId: 'INST_DEMO', workspaceBizId: 'WS_DEMO', fileCategory: '8', ...more },
    });
    fails(await upload(world, viewer, 'x'), 403, '4030');
    for (const more of [
      { workspaceBizId: 'WS_DEMO_2' },
      { workspaceBizId: 'WS_OTHER' },
      { institutionBizId: 'INST_OTHER' },
      { workspaceBizId: 'WS_NOWHERE' },
    ])
      fails(await upload(world, owner, 'x', fields(more)), 403, '4030');
    expect(await leftOf(world)).toEqual(before);
  });

  it('with the same Idempotency-Key and the same form answers the first record; any other form is 422 4220', async () => {
    const headers = { 'idempotency-key': 'one' };
    const first = await upload(world, owner, 'same bytes', { headers });
    const left = await leftOf(world);
    const again = await upload(world, owner, 'same bytes', { headers });
    expect([again.statusCode, again.headers['idempotent-replayed'], again.json()]).toEqual([
      201,
      'true',
      first.json(),
    ]);
    fails(await upload(world, owner, 'other bytes', { headers }), 422, '4220');
    fails(await upload(world, owner, 'same bytes', { headers, filename: 'b.txt' }), 422, '4220');
    fails(await upload(world, owner, 'same bytes', { headers: { 'idempotency-key': 'a b' } }), 400, '4000');
    expect(await leftOf(world)).toEqual(left);
  });

  it('of ten at once with one key is kept once', async () => {
    const before = await leftOf(world);
    const headers = { 'idempotency-key': 'many' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => upload(world, owner, 'many', { headers })),
    );
    const kept = answers.filter(({ statusCode }) => statusCode === 201);
    expect(new Set(kept.map((answer) => answer.json().data.bizId)).size).toBe(1);
    for (const answer of answers) if (answer.statusCode !== 201) fails(answer, 409, '4090');
    const { records, bytes } = await leftOf(world);
    expect({ records, bytes }).toEqual({ records: before.records + 1, bytes: before.bytes + 1 });
  });
});

describe('an upload by a key', () => {
  const listed = async (key: Key, bizId: string) =>
    (await signedCall(world, key, { url: `/api/v1/files/${bizId}` })).statusCode;

  it('has the mode of the key, which alone sees, downloads and deletes it', async () => {
    const data = Buffer.from([0, 1, 2, 253, 254, 255]);
    const answer = await signedUpload(world, test, data, {
      query: 'filename=%E6%8A%A4.bin&fileCategory=99&remark=r',
    });
    expect(answer.statusCode).toBe(201);
    const { bizId, ...record } = answer.json().data;
    expect(record).toMatchObject({
      originalFilename: '护.bin',
      fileCategory: 'OTHER',
      remark: 'r',
      createdBy: test.apiKeyId,
    });
    expect([await listed(test, bizId), await listed(live, bizId)]).toEqual([200, 404]);
    const url = `/api/v1/files/${bizId}/content`;
    expect((await signedCall(world, test, { url })).rawPayload).toEqual(data);
    fails(await signedCall(world, live, { url }), 404, '4040');
    fails(await signedCall(world, live, { method: 'DELETE', url: `/api/v1/files/${bizId}` }), 404, '4040');
    const gone = await signedCall(world, test, { method: 'DELETE', url: `/api/v1/files/${bizId}` });
    expect([gone.statusCode, gone.json().data]).toEqual([200, null]);
    expect(await listed(test, bizId)).toBe(404);
    const audit = await auditOf(bizId);
    expect(audit.map(({ action, actor }) => [action, actor])).toEqual([
      ['file.created', test.apiKeyId],
      ['file.deleted', test.apiKeyId],
    ]);
  });

  it('wants files:write, which files:read is not', async () => {
    const reader = await createKey(world, { scopes: ['files:read'] });
    fails(await signedUpload(world, reader, Buffer.from('x')), 403, '4031');
  });

  it('of more than 1 MiB must state its hash, else 413 4130 says so; what is stated must be what arrives, else 401 4012', async () => {
    const before = await leftOf(world);
    const large = Buffer.alloc(1024 * 1024 + 1, 'x');
    const unstated = await signedUpload(world, live, large);
    fails(unstated, 413, '4130');
    expect(unstated.json().message).toContain('X-Content-Sha256');
    const other = await signedUpload(world, live, large, { states: sha256('other') });
    fails(other, 401, '4012');
    expect(other.json().message).toContain(sha256(large));
    expect(await leftOf(world)).toEqual(before);
    const stated = await signedUpload(world, live, large, { states: sha256(large) });
    expect([stated.statusCode, stated.json().data.etag]).toEqual([201, sha256(large)]);
  });

  it('is not alone in stating a hash: every signed request with a body may, and is held to it', async () => {
    const url = '/api/v1/files';
    const send = (body: string, statedHash: string) =>
      signedCall(world, live, { url, body, statedHash }, { 'x-content-sha256': statedHash });
    expect((await send('{"a":1}', sha256('{"a":1}'))).statusCode).toBe(200);
    fails(await send('{"a":1}', sha256('{"a":2}')), 401, '4012');
    fails(await send('{"a":1}', sha256('{"a":1}').toUpperCase()), 401, '4011');
  });

  it('takes what a form says of a file from the query, and refuses what is missing or wrong with 400 4000', async () => {
    const before = await leftOf(world);
    const wrong = [
      'fileCategory=8',
      'filename=a',
      'filename=&fileCategory=8',
      'filename=a&fileCategory=0',
      'filename=a&fileCategory=x',
      'filename=a&filename=b&fileCategory=8',
      `filename=${'x'.repeat(256)}&fileCategory=8`,
      `filename=a&fileCategory=8&remark=${'x'.repeat(1001)}`,
      'filename=%00&fileCategory=8',
    ];
    for (const query of wrong)
      fails(await signedUpload(world, live, Buffer.from('x'), { query }), 400, '4000');
    expect(await leftOf(world)).toEqual(before);
    expect((await signedUpload(world, live, Buffer.alloc(0))).statusCode).toBe(201);
  });

  it('is replayed with its key for the same bytes, and refused for others', async () => {
    const headers = { 'idempotency-key': 'k' };
    const first = await signedUpload(world, live, Buffer.from('abc'), { headers });
    const again = await signedUpload(world, live, Buffer.from('abc'), { headers });
    expect(again.json()).toEqual(first.json());
    fails(await signedUpload(world, live, Buffer.from('abd'), { headers }), 422, '4220');
  });
});
