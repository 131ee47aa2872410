import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionSuite } from '../../../test/suites/collection.ts';
import {
  createKey,
  type Key,
  openWorld,
  portalCall,
  signedCall,
  signIn,
  type World,
} from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';
import { apiKeys } from './collection.ts';
import { ApiKeyRecord } from './schema.ts';

const url = '/web/v1/workspaces/WS_DEMO/api-keys';

/** Keys of every status and mode, some used, some with an end. */
async function fillWorkspace(world: World): Promise<void> {
  await world.db.query(sql`
    insert into api_keys (id, workspace_id, name, status, mode, scopes, ip_whitelist, expires_at, last_used_at, created_at)
    select 'ak_live_' || lpad(n::text, 26, '0'), (select id from workspaces where biz_id = 'WS_DEMO'),
      (array['Alpha', 'beta', 'Émile', '中'])[1 + n % 4], (array['ACTIVE', 'DISABLED', 'REVOKED'])[1 + n % 3]::key_status,
      (array['LIVE', 'TEST'])[1 + n % 2]::key_mode, '{}', '{}',
      case when n % 4 = 0 then '2020-01-01T00:00:00Z'::timestamptz + n * interval '1 day' end,
      case when n % 5 = 0 then '2024-01-01T00:00:00Z'::timestamptz + n * interval '1 hour' end, '2023-01-01T00:00:00Z'::timestamptz + n / 2 * interval '1 day'
    from generate_series(1, 130) n`);
  await world.db.query(
    sql`insert into api_key_secrets (api_key_id, version, sealed) select id, 1, '' from api_keys`,
  );
}

const filled = new WeakMap<World, Promise<void>>();

collectionSuite({
  name: 'API keys',
  shape: 'flat',
  fields: Object.keys(ApiKeyRecord.properties),
  sortable: Object.keys(apiKeys.sortable),
  defaultSort: 'createdAt,desc',
  id: 'apiKeyId',
  total: async () => 130,
  get: async (world, query, noMatch) => {
    if (!filled.has(world)) filled.set(world, fillWorkspace(world));
    await filled.get(world);
    const target = noMatch ? '/web/v1/workspaces/WS_EMPTY/api-keys' : url;
    if (noMatch) await addEmptyWorkspace(world);
    return portalCall(world, await signIn(world), { method: 'GET', url: `${target}${query}` });
  },
});

async function addEmptyWorkspace(world: World): Promise<void> {
  await world.db.query(sql`
    with added as (insert into workspaces (biz_id, institution_id, name) select 'WS_EMPTY', id, 'Empty' from institutions limit 1 returning id)
    insert into workspace_members select a.id, added.id, 'VIEWER' from accounts a, added where a.biz_id = 'ACC_DEMO_OWNER'`);
}

describe('an API key', () => {
  let world: World;
  let token: string;
  beforeAll(async () => {
    world = await openWorld({ env: { PORTICO_TRUSTED_PROXIES: '127.0.0.1' } });
    token = await signIn(world);
  });
  afterAll(() => world.close());

  const send = (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers = {},
    as = token,
  ) =>
    portalCall(world, as, { method, url: `${url}${path}`, headers, ...(body === undefined ? {} : { body }) });
  const record = async (key: Key) => (await send('GET', `/${key.apiKeyId}`)).json().data;
  const call = async (key: Key) => {
    const response = await signedCall(world, key, { url: '/api/v1/transfers' });
    return response.statusCode === 200 ? 200 : response.json().code;
  };
  const expectCode = (response: Awaited<ReturnType<typeof send>>, status: number, code: string) =>
    expect([response.statusCode, response.json()]).toEqual([
      status,
      { success: false, code, message: expect.any(String) },
    ]);

  it('is shown with everything but its secret', async () => {
    const key = await createKey(world, { name: 'shown', mode: 2, ipWhitelist: ['127.0.0.0/8'] });
    const shown = await send('GET', `/${key.apiKeyId}`);
    expect(shown.json().data).toEqual({
      apiKeyId: key.apiKeyId,
      name: 'shown',
      status: 'ACTIVE',
      mode: 'TEST',
      scopes: ['transfers:read'],
      ipWhitelist: ['127.0.0.0/8'],
      createdAt: expect.any(String),
      expiresAt: null,
      lastUsedAt: null,
      lastUsedIp: null,
      secretVersion: 1,
      previousSecretExpiresAt: null,
      secrets: [{ version: 1, lastUsedAt: null }],
    });
    expect(shown.body).not.toContain(key.secret.slice(8, 30));
  });

  it('goes ACTIVE to DISABLED and back, and either to REVOKED for ever; other ways are 409 4091', async () => {
    const key = await createKey(world);
    const path = `/${key.apiKeyId}`;
    expectCode(await send('POST', `${path}/enable`), 409, '4091');
    expect((await send('POST', `${path}/disable`)).json().data.status).toBe('DISABLED');
    expect(await call(key)).toBe('4015');
    expectCode(await send('POST', `${path}/disable`), 409, '4091');
    expect((await send('POST', `${path}/enable`)).json().data.status).toBe('ACTIVE');
    expect(await call(key)).toBe(200);
    expect((await send('POST', `${path}/revoke`)).json().data.status).toBe('REVOKED');
    expect(await call(key)).toBe('4015');
    for (const action of ['enable', 'disable', 'revoke', 'rotate'])
      expectCode(await send('POST', `${path}/${action}`), 409, '4091');
    expectCode(await send('PATCH', path, { name: 'x' }), 409, '4091');
  });

  it('takes one of twenty parallel transitions', async () => {
    const key = await createKey(world);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send('POST', `/${key.apiKeyId}/disable`)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  it('is changed field by field; absent fields stay', async () => {
    const key = await createKey(world, { name: 'before', scopes: ['files:read'] });
    const changed = await send('PATCH', `/${key.apiKeyId}`, {
      name: ' after ',
      ipWhitelist: ['10.0.0.0/8'],
      secret: 'x',
      mode: 2,
      status: 'REVOKED',
    });
    expect(changed.json().data).toMatchObject({
      name: ' after ',
      scopes: ['files:read'],
      ipWhitelist: ['10.0.0.0/8'],
      mode: 'LIVE',
      status: 'ACTIVE',
    });
    const scoped = await send('PATCH', `/${key.apiKeyId}`, {
      scopes: ['transfers:read', 'transfers:read'],
      name: null,
    });
    expect(scoped.json().data).toMatchObject({ name: ' after ', scopes: ['transfers:read'] });
    expect(await call(key)).toBe('4032');
    await send('PATCH', `/${key.apiKeyId}`, { ipWhitelist: [] });
    expect(await call(key)).toBe(200);
    for (const wrong of [
      { name: '' },
      { scopes: ['x'] },
      { ipWhitelist: ['x'] },
      { expiresAt: 'tomorrow' },
      { expiresAt: 5 },
      { expiresAt: '2027-02-30T00:00:00Z' },
    ]) {
      expectCode(await send('PATCH', `/${key.apiKeyId}`, wrong), 400, '4000');
    }
    expect((await send('PATCH', `/${key.apiKeyId}`, {})).statusCode).toBe(200);
  });

  it('expires at expiresAt, is revived by a later one, and null removes it', async () => {
    const key = await createKey(world);
    const past = await send('PATCH', `/${key.apiKeyId}`, { expiresAt: '2025-01-01T00:00:00+02:00' });
    expect(past.json().data).toMatchObject({ status: 'EXPIRED', expiresAt: '2024-12-31T22:00:00.000Z' });
    expect(await call(key)).toBe('4016');
    expect((await send('POST', `/${key.apiKeyId}/rotate`, { graceSeconds: 60 })).json().data.status).toBe(
      'EXPIRED',
    );
    await send('POST', `/${key.apiKeyId}/disable`);
    expect(await call(key)).toBe('4015');
    expect((await send('POST', `/${key.apiKeyId}/enable`)).json().data.status).toBe('EXPIRED');
    expect(
      (await send('PATCH', `/${key.apiKeyId}`, { expiresAt: '2999-01-01T00:00:00Z' })).json().data.status,
    ).toBe('ACTIVE');
    expect(await call(key)).toBe(200);
    expect((await send('PATCH', `/${key.apiKeyId}`, { expiresAt: null })).json().data.expiresAt).toBeNull();
  });

  it('rotates under its id: both secrets work until the grace ends, and a second rotation meanwhile is 409 4092', async () => {
    const old = await createKey(world);
    const rotated = await send('POST', `/${old.apiKeyId}/rotate`, { graceSeconds: 60 });
    expect(Object.keys(rotated.json().data)).toEqual([
      'apiKeyId',
      'secret',
      'name',
      'status',
      'mode',
      'scopes',
      'ipWhitelist',
      'createdAt',
    ]);
    const fresh: Key = rotated.json().data;
    expect(fresh).toMatchObject({ apiKeyId: old.apiKeyId, secret: expect.stringMatching(/^sk_live_/) });
    expect(fresh.secret).not.toBe(old.secret);
    expect([await call(old), await call(fresh)]).toEqual([200, 200]);
    expectCode(await send('POST', `/${old.apiKeyId}/rotate`), 409, '4092');
    const shown = await record(old);
    expect(shown).toMatchObject({ secretVersion: 2, secrets: [{ version: 2 }, { version: 1 }] });
    expect(Date.parse(shown.previousSecretExpiresAt) - Date.now()).toBeGreaterThan(50_000);
    world.clock.advance(61);
    expect([await call(old), await call(fresh)]).toEqual(['4012', 200]);
    world.clock.advance(-61);
  });

  it('closes the grace early, at the next request', async () => {
    const old = await createKey(world);
    const fresh: Key = (await send('POST', `/${old.apiKeyId}/rotate`)).json().data;
    expect(await call(old)).toBe(200);
    const closed = await send('DELETE', `/${old.apiKeyId}/previous-secret`);
    expect(closed.json().data).toMatchObject({ previousSecretExpiresAt: null, secrets: [{ version: 2 }] });
    expect([await call(old), await call(fresh)]).toEqual(['4012', 200]);
    expectCode(await send('DELETE', `/${old.apiKeyId}/previous-secret`), 409, '4091');
    expect((await send('POST', `/${old.apiKeyId}/rotate`, { graceSeconds: 0 })).statusCode).toBe(200);
    expect(await call(fresh)).toBe('4012');
  });

  it('refuses a grace that is no whole number of seconds up to 30 days with 400 4000', async () => {
    const key = await createKey(world);
    for (const graceSeconds of [-1, 2_592_001, 1.5, '60', true]) {
      expectCode(await send('POST', `/${key.apiKeyId}/rotate`, { graceSeconds }), 400, '4000');
    }
    expect((await send('POST', `/${key.apiKeyId}/rotate`, { graceSeconds: 2_592_000 })).statusCode).toBe(200);
  });

  it('in TEST mode is rotated and enabled on a partner portal only: else 403 4033', async () => {
    const key = await createKey(world, { mode: 2 });
    const elsewhere = { 'x-portal-access-code': 'demo-institution' };
    expectCode(await send('POST', `/${key.apiKeyId}/rotate`, {}, elsewhere), 403, '4033');
    expect((await send('POST', `/${key.apiKeyId}/disable`, {}, elsewhere)).statusCode).toBe(200);
    expectCode(await send('POST', `/${key.apiKeyId}/enable`, {}, elsewhere), 403, '4033');
    expect((await send('POST', `/${key.apiKeyId}/revoke`, {}, elsewhere)).statusCode).toBe(200);
  });

  it('shows when and from where each of its secrets last signed, without a write per request', async () => {
    const old = await createKey(world);
    const fresh: Key = (await send('POST', `/${old.apiKeyId}/rotate`)).json().data;
    const from = (key: Key, ip: string) =>
      signedCall(world, key, { url: '/api/v1/ping' }, { 'x-forwarded-for': ip });
    await from(old, '203.0.113.7');
    world.clock.advance(5);
    await from(fresh, '2001:DB8::1');
    expect((await record(old)).lastUsedAt).toBeNull();
    await world.services.usage.flush(world.db);
    const shown = await record(old);
    expect(shown).toMatchObject({ lastUsedIp: '2001:db8::1', lastUsedAt: shown.secrets[0].lastUsedAt });
    expect(
      Date.parse(shown.secrets[0].lastUsedAt) - Date.parse(shown.secrets[1].lastUsedAt),
    ).toBeGreaterThanOrEqual(5000);
    world.clock.advance(-5);
  });

  it('of another workspace, or that does not exist, is 404 4040 to those who may look, and 403 4030 to the others', async () => {
    const key = await createKey(world);
    const outsider = await signIn(world, 'outsider@demo.test');
    const theirs = await createKey(world, {}, 'WS_OTHER', 'outsider@demo.test');
    for (const id of [theirs.apiKeyId, 'ak_live_NOWHERE', 'x'.repeat(4000), "' or 1=1 --"]) {
      expectCode(await send('GET', `/${encodeURIComponent(id)}`), 404, '4040');
      expectCode(await send('POST', `/${encodeURIComponent(id)}/revoke`), 404, '4040');
    }
    for (const [method, path] of [
      ['GET', ''],
      ['GET', `/${key.apiKeyId}`],
      ['POST', `/${key.apiKeyId}/revoke`],
      ['DELETE', `/${key.apiKeyId}/previous-secret`],
    ] as const) {
      expectCode(await send(method, path, undefined, {}, outsider), 403, '4030');
    }
    expect((await record(key)).status).toBe('ACTIVE');
  });

  it('is read by every role and changed by owners alone', async () => {
    const key = await createKey(world);
    const viewer = await signIn(world, 'viewer@demo.test');
    expect((await send('GET', '', undefined, {}, viewer)).statusCode).toBe(200);
    expect((await send('GET', `/${key.apiKeyId}`, undefined, {}, viewer)).statusCode).toBe(200);
    for (const action of ['disable', 'enable', 'revoke', 'rotate'])
      expectCode(await send('POST', `/${key.apiKeyId}/${action}`, {}, {}, viewer), 403, '4030');
    expectCode(await send('PATCH', `/${key.apiKeyId}`, { name: 'x' }, {}, viewer), 403, '4030');
    expectCode(await send('DELETE', `/${key.apiKeyId}/previous-secret`, undefined, {}, viewer), 403, '4030');
  });
});

describe('the list of API keys', () => {
  it('filters by status and mode, by code or by name', async () => {
    const world = await openWorld();
    await fillWorkspace(world);
    const token = await signIn(world);
    const list = async (query: string) =>
      (await portalCall(world, token, { method: 'GET', url: `${url}?size=100&${query}` })).json();
    let sum = 0;
    for (const status of ['ACTIVE', 'DISABLED', 'REVOKED', 'EXPIRED']) {
      const { content, totalElements } = (await list(`status=${status}`)).data;
      expect(new Set(content.map((record: { status: string }) => record.status))).toEqual(new Set([status]));
      sum += totalElements;
    }
    expect(sum).toBe(130);
    expect((await list('mode=2')).data).toEqual((await list('mode=TEST')).data);
    expect((await list('mode=1&status=EXPIRED')).data.totalElements).toBeLessThan(
      (await list('mode=1')).data.totalElements,
    );
    for (const wrong of ['status=active', 'mode=3', 'mode=', 'status=ACTIVE&status=ACTIVE'])
      expect((await list(wrong)).code).toBe('4000');
    await world.close();
  });
});
