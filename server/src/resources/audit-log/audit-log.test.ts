import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordOf } from '../../../test/log/history.ts';
import { collectionSuite } from '../../../test/suites/collection.ts';
import { openWorld, portalCall, signIn, type World } from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';
import { createFolder } from '../../db/tally.ts';
import { appendRecords } from '../../log/append.ts';
import { createSealer } from '../../log/sealer.ts';
import { auditLog } from './collection.ts';
import { AuditLogRecord } from './schema.ts';

const tokens = new WeakMap<World, Promise<string>>();
const ownerOf = (world: World) => {
  const token = tokens.get(world) ?? signIn(world);
  tokens.set(world, token);
  return token;
};

const get = async (world: World, query: string, workspace = 'WS_DEMO', token = ownerOf(world)) =>
  portalCall(world, await token, {
    method: 'GET',
    url: `/web/v1/workspaces/${workspace}/audit-log${query}`,
  });

collectionSuite({
  name: 'the audit log of a workspace',
  shape: 'flat',
  fields: Object.keys(AuditLogRecord.properties),
  sortable: Object.keys(auditLog.sortable),
  defaultSort: 'occurredAt,desc',
  id: 'auditId',
  total: async () => 50,
  get: (world, query, noMatch) =>
    get(world, `${query}${noMatch ? `${query === '' ? '?' : '&'}subjectId=nothing` : ''}`),
});

describe('the audit log', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const dataOf = async (query: string) => (await get(world, query)).json().data;
  const total = async (query: string): Promise<number> => (await dataOf(query)).totalElements;

  it('shows what was done as it was written down', async () => {
    const { content } = await dataOf('?size=1&sort=sequence,asc');
    expect(content).toEqual([
      {
        auditId: 'AUD_01H00000000000000000000001',
        sequence: 1,
        occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/),
        actorType: 'ACCOUNT',
        actorId: 'ACC_DEMO_OWNER',
        actorName: 'Demo Owner',
        action: 'api-key.created',
        subjectType: 'API_KEY',
        subjectId: 'ak_live_01H00000000000000000000001',
        changes: {
          ipWhitelist: { from: null, to: [] },
          mode: { from: null, to: 'LIVE' },
          name: { from: null, to: 'ERP' },
          scopes: { from: null, to: ['transfers:read'] },
        },
        ipAddress: '203.0.113.2',
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  it('shows a record only when it is sealed, and then at once in page and total', async () => {
    const before = await total('');
    await world.db.transaction((tx) => appendRecords(tx, [recordOf('fresh')]));
    expect(await total('')).toBe(before);
    await createSealer(world.db)();
    expect([await total(''), (await dataOf('')).content[0].subjectId]).toEqual([before + 1, 'fresh']);
    await createFolder(world.db)();
    expect([await total(''), await total('?subjectId=fresh')]).toEqual([before + 1, 1]);
  });

  it('is filtered by action, actor, subject and time, alone and together', async () => {
    const subject = 'subjectId=ak_live_01H00000000000000000000001';
    expect(await total(`?${subject}`)).toBe(5);
    expect(await total(`?${subject}&action=api-key.rotated`)).toBe(1);
    expect(await total(`?${subject}&action=api-key.rotated&actorId=ACC_DEMO_VIEWER`)).toBe(0);
    expect(await total('?action=api-key.disabled&actorId=ACC_DEMO_OWNER')).toBe(10);
    const { content } = await dataOf(`?${subject}&sort=occurredAt,asc`);
    const [from, to] = [content[1].occurredAt, content[3].occurredAt].map(encodeURIComponent);
    const range = await dataOf(`?${subject}&occurredFrom=${from}&occurredTo=${to}&sort=occurredAt,asc`);
    expect(range.content).toEqual(content.slice(1, 3));
    expect(range.totalElements).toBe(2);
  });

  it('shows and finds words that are written no more', async () => {
    await world.db.query(sql`
      insert into audit_waiting (audit_id, occurred_at, actor_type, actor_id, actor_name, action, subject_type, subject_id, changes, workspace_id)
      values ('AUD_FORMER', now(), 'OPERATOR', 'root', 'root', 'transfer.status-changed', 'TRANSFER', 'TRF_FORMER',
        '{"status":{"from":"PENDING","to":"PROCESSING"}}', 'WS_DEMO')`);
    await createSealer(world.db)();
    const { content, totalElements } = await dataOf('?action=transfer.status-changed');
    expect([totalElements, content[0]]).toEqual([
      1,
      expect.objectContaining({ action: 'transfer.status-changed', subjectId: 'TRF_FORMER' }),
    ]);
    expect((await get(world, `/${content[0].sequence}`)).json().data).toEqual(content[0]);
  });

  it('is for owners: a viewer, a foreigner and an unknown workspace get the same 403 4030, before anything is judged', async () => {
    const viewer = await get(world, '?page=-1', 'WS_DEMO', signIn(world, 'viewer@demo.test'));
    const foreign = await get(world, '?page=-1', 'WS_DEMO', signIn(world, 'outsider@demo.test'));
    const unknown = await get(world, '?page=-1', 'WS_NOWHERE');
    expect([viewer.statusCode, viewer.json().code]).toEqual([403, '4030']);
    expect([foreign.json(), unknown.json()]).toMatchObject([
      { code: '4030', message: viewer.json().message },
      { code: '4030', message: viewer.json().message },
    ]);
  });

  it('shows no record of another workspace, and none that concerns no workspace', async () => {
    const other = (await get(world, '?size=100', 'WS_OTHER', signIn(world, 'outsider@demo.test'))).json()
      .data;
    expect(other.totalElements).toBe(10);
    await createSealer(world.db)();
    expect(await total('?action=account.signed-in')).toBe(0);
    expect(await total(`?subjectId=${other.content[0].subjectId}`)).toBe(0);
  });

  it('shows one record by its number, to those alone who see it in the list', async () => {
    const { content } = await dataOf('?size=1&sort=sequence,asc');
    expect((await get(world, '/1')).json().data).toEqual(content[0]);
    const outsider = signIn(world, 'outsider@demo.test');
    const [foreign] = (await get(world, '?size=1', 'WS_OTHER', outsider)).json().data.content;
    for (const none of [foreign.sequence, '999999999999999999']) {
      const response = await get(world, `/${none}`);
      expect([response.statusCode, response.json().code]).toEqual([404, '4040']);
    }
    const viewer = await get(world, '/1', 'WS_DEMO', signIn(world, 'viewer@demo.test'));
    expect([viewer.statusCode, viewer.json().code]).toEqual([403, '4030']);
  });

  it.each(['0', '01', '-1', '1e3', '1.5', 'AUD_01H00000000000000000000001', '9'.repeat(19), '%00', "1'"])(
    'refuses %s as the number of a record, with 400 4000',
    async (sequence) => {
      const response = await get(world, `/${sequence}`);
      expect([response.statusCode, response.json().code]).toEqual([400, '4000']);
      expect(response.json().message).toContain('sequence');
    },
  );

  it.each([
    'action=api-key',
    'action=api-key.created&action=api-key.revoked',
    'actorId=',
    `subjectId=${'x'.repeat(129)}`,
    'occurredFrom=yesterday',
    'occurredTo=2024-02-30T00:00:00Z',
  ])('refuses %s with 400 4000 that names the filter', async (query) => {
    const response = await get(world, `?${query}`);
    expect([response.statusCode, response.json().code]).toEqual([400, '4000']);
    expect(response.json().message).toContain(query.split('=')[0]);
  });
});
