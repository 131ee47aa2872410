import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionSuite } from '../../../test/suites/collection.ts';
import { createKey, openWorld, portalCall, signedCall, signIn, type World } from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';
import { fileCategories, fileStatuses } from '../../files/names.ts';
import { institutionFiles } from './collection.ts';
import { FileRecord } from './schema.ts';

const url = '/web/v1/files/query/list';

const demoTotal = async (world: World) => {
  const [row] = await world.db.query<{ count: number }>(sql`
    select count(*) as count from files where institution_id = (select id from institutions where biz_id = 'INST_DEMO')`);
  return row?.count ?? 0;
};

const tokens = new WeakMap<World, Promise<string>>();
const tokenOf = (world: World) => {
  const token = tokens.get(world) ?? signIn(world);
  tokens.set(world, token);
  return token;
};

collectionSuite({
  name: 'list files',
  shape: 'flat',
  fields: Object.keys(FileRecord.properties),
  sortable: Object.keys(institutionFiles.sortable),
  defaultSort: 'createdAt,desc',
  id: 'bizId',
  total: demoTotal,
  get: async (world, query, noMatch) =>
    portalCall(world, await tokenOf(world), {
      url: `${url}${query}`,
      body: { institutionBizId: 'INST_DEMO', ...(noMatch ? { workspaceBizId: 'WS_OTHER' } : {}) },
    }),
});

describe('list files', () => {
  let world: World;
  let token: string;
  beforeAll(async () => {
    world = await openWorld();
    token = await signIn(world);
  });
  afterAll(() => world.close());

  const list = (body: unknown, query = '') => portalCall(world, token, { url: `${url}${query}`, body });
  const expectError = (
    response: Awaited<ReturnType<typeof list>>,
    status: number,
    code: string,
    message: RegExp,
  ) => {
    expect(response.statusCode).toBe(status);
    expect(response.json()).toEqual({ success: false, code, message: expect.stringMatching(message) });
  };

  it('answers a flat page of file records in the full envelope', async () => {
    const body = (await list({ institutionBizId: 'INST_DEMO' })).json();
    expect(Object.keys(body)).toEqual(['version', 'timestamp', 'success', 'code', 'message', 'data']);
    expect(body).toMatchObject({ version: '1.0.0', success: true, code: '2000', message: 'SUCCESS' });
    expect(Math.abs(body.timestamp - Date.now())).toBeLessThan(60_000);
    expect(body.data).toMatchObject({ totalElements: 250, totalPages: 13, size: 20, number: 0 });
  });

  it('gives each field of a record in its type, times in ISO 8601 UTC', async () => {
    const [record] = (await list({ institutionBizId: 'INST_DEMO' }, '?size=1&sort=createdAt,asc')).json().data
      .content;
    expect(record).toEqual({
      bizId: 'FILE_0000000001',
      bucket: 'portico-demo',
      objectKey: 'ws_demo/0000000001.csv',
      originalFilename: 'Überweisung-01.csv',
      fileSize: expect.any(Number),
      contentType: 'text/csv',
      fileCategory: 'COMPLIANCE_REPORT',
      fileStatus: 'ARCHIVED',
      etag: expect.stringMatching(/^[0-9a-f]{64}$/),
      remark: 'Uploaded by the partner',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/),
      createdBy: 'ACC_DEMO_OWNER',
    });
  });

  it('refuses a missing, null, blank or non-string institutionBizId with 400 4000 that names it', async () => {
    for (const institutionBizId of [undefined, null, '', '  ', 5, true, [], {}, 'a\0b', '\ud800']) {
      expectError(await list({ institutionBizId }), 400, '4000', /institutionBizId/);
    }
    expectError(await list(undefined), 400, '4000', /institutionBizId is required/);
  });

  it('answers an unknown institution exactly like a foreign one: 403 4030', async () => {
    const answers = await Promise.all(
      ['INST_OTHER', 'INST_NOWHERE', 'x'.repeat(100_000)].map((institutionBizId) =>
        list({ institutionBizId }),
      ),
    );
    for (const answer of answers) expectError(answer, 403, '4030', /member/);
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
  });

  it('judges the institution before the page, and the page before the other filters', async () => {
    expectError(await list({ fileStatus: 'x' }, '?page=-1'), 400, '4000', /institutionBizId/);
    expectError(await list({ institutionBizId: 'INST_OTHER' }, '?page=-1'), 403, '4030', /member/);
    expectError(
      await list({ institutionBizId: 'INST_DEMO', fileStatus: 'x' }, '?page=-1'),
      400,
      'VALIDATION.INVALID_PARAMETER',
      /page/,
    );
    expectError(await list({ institutionBizId: 'INST_DEMO', fileStatus: 'x' }), 400, '4000', /fileStatus/);
  });

  it('filters by workspace, category and status, all of them together', async () => {
    let sum = 0;
    for (const workspaceBizId of ['WS_DEMO', 'WS_DEMO_2']) {
      const { data } = (await list({ institutionBizId: 'INST_DEMO', workspaceBizId })).json();
      expect(data.totalElements).toBeGreaterThan(0);
      sum += data.totalElements;
    }
    expect(sum).toBe(250);
    const both = (
      await list({ institutionBizId: 'INST_DEMO', workspaceBizId: 'WS_DEMO', fileCategory: 8, fileStatus: 1 })
    ).json().data;
    expect(both.totalElements).toBeGreaterThan(0);
    for (const record of both.content)
      expect(record).toMatchObject({ fileCategory: 'INVOICE', fileStatus: 'ACTIVE' });
  });

  it('takes every category and status code and returns its name', async () => {
    const cases = [
      ['fileCategory', fileCategories],
      ['fileStatus', fileStatuses],
    ] as const;
    for (const [field, names] of cases) {
      for (const [code, name] of Object.entries(names)) {
        const { content } = (
          await list({ institutionBizId: 'INST_DEMO', [field]: Number(code) }, '?size=1')
        ).json().data;
        expect([field, code, content[0][field]]).toEqual([field, code, name]);
      }
    }
  });

  it('shows LIVE files unless the filter asks for TEST ones, with exact totals of each', async () => {
    await world.db.query(
      sql`update files set mode = 'TEST' where biz_id in ('FILE_0000000002', 'FILE_0000000003')`,
    );
    const of = async (body: object) => (await list({ institutionBizId: 'INST_DEMO', ...body })).json().data;
    expect((await of({})).totalElements).toBe(248);
    expect((await of({ mode: null })).totalElements).toBe(248);
    expect((await of({ mode: 1 })).totalElements).toBe(248);
    const test = await of({ mode: 2 });
    expect(test.content.map(({ bizId }: { bizId: string }) => bizId)).toEqual([
      'FILE_0000000003',
      'FILE_0000000002',
    ]);
    expect((await of({ mode: 2, workspaceBizId: 'WS_DEMO_2' })).totalElements).toBe(1);
    expect(Object.keys(test.content[0])).not.toContain('mode');
    for (const mode of [0, 3, '2', 'TEST', 1.5, [2], true])
      expectError(await list({ institutionBizId: 'INST_DEMO', mode }), 400, '4000', /mode/);
    await world.db.query(sql`update files set mode = 'LIVE'`);
  });

  it('refuses an unknown or non-integer code with 400 4000 that names the field', async () => {
    for (const code of [0, 100, -1, 1.5, 1e30, '1', true, [1], {}]) {
      expectError(
        await list({ institutionBizId: 'INST_DEMO', fileCategory: code }),
        400,
        '4000',
        /fileCategory/,
      );
      expectError(await list({ institutionBizId: 'INST_DEMO', fileStatus: code }), 400, '4000', /fileStatus/);
    }
  });

  it('takes null in an optional filter for absence', async () => {
    const { data } = (
      await list({
        institutionBizId: 'INST_DEMO',
        workspaceBizId: null,
        fileCategory: null,
        fileStatus: null,
      })
    ).json();
    expect(data.totalElements).toBe(250);
  });

  it('gives an empty page for a workspace that is unknown or of another institution', async () => {
    for (const workspaceBizId of ['WS_OTHER', 'WS_NOWHERE']) {
      expect((await list({ institutionBizId: 'INST_DEMO', workspaceBizId })).json().data).toMatchObject({
        content: [],
        totalElements: 0,
      });
    }
  });

  it('shows a deleted file in no list', async () => {
    await world.db.query(sql`update files set deleted_at = now() where biz_id = 'FILE_0000000250'`);
    expect((await list({ institutionBizId: 'INST_DEMO' })).json().data.totalElements).toBe(249);
    await world.db.query(sql`update files set deleted_at = null where biz_id = 'FILE_0000000250'`);
  });

  it('follows a change of membership at the next request', async () => {
    await world.db.query(
      sql`delete from institution_members where account_id = (select id from accounts where email = 'viewer@demo.test')`,
    );
    const viewer = await signIn(world, 'viewer@demo.test');
    const response = await portalCall(world, viewer, { url, body: { institutionBizId: 'INST_DEMO' } });
    expectError(response, 403, '4030', /member/);
  });

  it('sorts categories and statuses by name because the database types list their names in code point order', async () => {
    for (const [type, names] of [
      ['file_category', fileCategories],
      ['file_status', fileStatuses],
    ] as const) {
      const rows = await world.db.query<{ name: string }>(sql`
        select enumlabel as name from pg_enum e join pg_type t on t.oid = e.enumtypid where typname = ${type} order by enumsortorder`);
      expect(rows.map(({ name }) => name)).toEqual(Object.values(names).sort());
    }
  });
});

describe('one file', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const get = async (bizId: string, email?: string) =>
    portalCall(world, await signIn(world, email), { method: 'GET', url: `/web/v1/files/${bizId}` });

  it('is shown as in the list to every member of its institution, wherever its page is and whatever its mode', async () => {
    const body = { institutionBizId: 'INST_DEMO' };
    const page = await portalCall(world, await signIn(world), { url: `${url}?page=7&size=1`, body });
    const [listed] = page.json().data.content;
    expect((await get(listed.bizId)).json().data).toEqual(listed);
    await world.db.query(sql`update files set mode = 'TEST' where biz_id = ${listed.bizId}`);
    expect((await get(listed.bizId, 'viewer@demo.test')).json().data).toEqual(listed);
  });

  it('of another institution, one that was deleted and one that never was answer alike: 404 4040', async () => {
    await world.db.query(sql`update files set deleted_at = now() where biz_id = 'FILE_0000000012'`);
    const answers = [
      await get('FILE_0000000001', 'outsider@demo.test'),
      await get('FILE_0000000251'),
      await get('FILE_0000000012'),
      await get('FILE_NOWHERE'),
    ];
    for (const answer of answers) expect([answer.statusCode, answer.json().code]).toEqual([404, '4040']);
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
  });
});

describe('signed files', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  it('shows the files of the key’s own workspace alone, filtered as the portal filters', async () => {
    const key = await createKey(world, { scopes: ['files:read'] });
    const all = (await signedCall(world, key, { url: '/api/v1/files?size=100' })).json().data;
    expect(all.page.totalElements).toBe(167);
    for (const record of all.content) expect(record.objectKey).toMatch(/^ws_demo\//);
    const invoices = (
      await signedCall(world, key, { url: '/api/v1/files?fileCategory=8&fileStatus=1' })
    ).json().data;
    for (const record of invoices.content)
      expect(record).toMatchObject({ fileCategory: 'INVOICE', fileStatus: 'ACTIVE' });
    expect(invoices.page.totalElements).toBeLessThan(167);
  });

  it('shows TEST files to a TEST key and LIVE ones to a LIVE key, however they ask', async () => {
    await world.db.query(
      sql`update files set mode = 'TEST' where biz_id in ('FILE_0000000004', 'FILE_0000000250')`,
    );
    const test = await createKey(world, { scopes: ['files:read'], mode: 2 });
    const live = await createKey(world, { scopes: ['files:read'] });
    const orders = [
      '',
      'sort=fileSize,asc',
      'sort=createdAt,asc',
      'sort=fileCategory,desc&sort=fileSize,asc',
    ];
    for (const order of orders) {
      const { data } = (await signedCall(world, test, { url: `/api/v1/files?${order}` })).json();
      expect(data.page).toMatchObject({ totalElements: 2, totalPages: 1 });
      expect(data.content.map(({ bizId }: { bizId: string }) => bizId).sort()).toEqual([
        'FILE_0000000004',
        'FILE_0000000250',
      ]);
      const filter = [order, 'fileStatus=1', 'page=1', 'size=1'].filter((part) => part !== '').join('&');
      const page = (await signedCall(world, test, { url: `/api/v1/files?${filter}` })).json().data;
      expect([page.content.length, page.page.totalElements]).toEqual([1, 2]);
      const others = (await signedCall(world, live, { url: `/api/v1/files?${order}` })).json().data;
      expect(others.page.totalElements).toBe(165);
    }
    const get = async (key: typeof live) =>
      (await signedCall(world, key, { url: '/api/v1/files/FILE_0000000004' })).statusCode;
    expect([await get(test), await get(live)]).toEqual([200, 404]);
    await world.db.query(sql`update files set mode = 'LIVE'`);
  });

  it('shows one file of its workspace; any other is not there: 404 4040', async () => {
    const key = await createKey(world, { scopes: ['files:read'] });
    const get = (bizId: string) => signedCall(world, key, { url: `/api/v1/files/${bizId}` });
    const listed = (await signedCall(world, key, { url: '/api/v1/files?size=1' })).json().data.content[0];
    expect((await get(listed.bizId)).json().data).toEqual(listed);
    const others = ['FILE_0000000003', 'FILE_0000000251', 'FILE_NOWHERE', 'x'.repeat(1000), '%F0%9F%99%82'];
    const answers = await Promise.all(others.map(get));
    for (const answer of answers) expect([answer.statusCode, answer.json().code]).toEqual([404, '4040']);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  });

  it('refuses codes that are not canonical integers of the catalogue with 400 4000', async () => {
    const key = await createKey(world, { scopes: ['files:read'] });
    for (const query of [
      'fileCategory=x',
      'fileCategory=',
      'fileStatus=1.0',
      'fileStatus=0x1',
      'fileCategory=100',
      'fileCategory=1&fileCategory=2',
      'fileStatus=1e0',
    ]) {
      const response = await signedCall(world, key, { url: `/api/v1/files?${query}` });
      expect([query, response.statusCode, response.json().code]).toEqual([query, 400, '4000']);
    }
  });
});
