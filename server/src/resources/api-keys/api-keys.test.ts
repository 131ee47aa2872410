import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey, openWorld, portalCall, signIn, type World } from '../../../test/world.ts';
import { secretOwner } from '../../auth/signed/api-key-lookup.ts';
import { sql } from '../../db/sql.ts';

const url = '/web/v1/workspaces/WS_DEMO/api-keys';

let world: World;
let token: string;
beforeAll(async () => {
  world = await openWorld({ env: { PORTICO_TRUSTED_PROXIES: '127.0.0.1/32' } });
  token = await signIn(world);
});
afterAll(() => world.close());

const create = (body: unknown, headers = {}) => portalCall(world, token, { url, body, headers });
const countKeys = async () =>
  (await world.db.query<{ count: number }>(sql`select count(*) as count from api_keys`))[0]?.count;

describe('create API key', () => {
  it('answers 201 with exactly the eight fields of a new key', async () => {
    const before = Date.now();
    const response = await create({
      name: 'Settlement job',
      scopes: ['transfers:read'],
      mode: 1,
      ipWhitelist: ['203.0.113.7'],
    });
    expect(response.statusCode).toBe(201);
    expect(Object.keys(response.json())).toEqual([
      'version',
      'timestamp',
      'success',
      'code',
      'message',
      'data',
    ]);
    expect(response.json().data).toEqual({
      apiKeyId: expect.stringMatching(/^ak_live_[0-9A-HJKMNP-TV-Z]{26}$/),
      secret: expect.stringMatching(/^sk_live_[0-9A-Za-z]{49}$/),
      name: 'Settlement job',
      status: 'ACTIVE',
      mode: 'LIVE',
      scopes: ['transfers:read'],
      ipWhitelist: ['203.0.113.7'],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(Math.abs(Date.parse(response.json().data.createdAt) - before)).toBeLessThan(10_000);
  });

  it('is LIVE, with zero access and no IP restriction, when only a name is given', async () => {
    expect((await create({ name: 'x' })).json().data).toMatchObject({
      mode: 'LIVE',
      scopes: [],
      ipWhitelist: [],
    });
    expect(
      (await create({ name: 'x', scopes: null, mode: null, ipWhitelist: null })).json().data,
    ).toMatchObject({ mode: 'LIVE', scopes: [] });
  });

  it('makes TEST keys with mode 2, marked in id and secret', async () => {
    const { data } = (await create({ name: 'x', mode: 2 })).json();
    expect(data).toMatchObject({
      mode: 'TEST',
      apiKeyId: expect.stringMatching(/^ak_test_/),
      secret: expect.stringMatching(/^sk_test_/),
    });
  });

  it('ends a secret with the checksum of what stands before it', async () => {
    const { secret } = (await create({ name: 'x' })).json().data;
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const value = [...secret.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(value).toBe(crc32(secret.slice(0, -6)));
  });

  it('stores the secret encrypted, readable only for its own key, and in no log', async () => {
    const { apiKeyId, secret } = await createKey(world);
    const [row] = await world.db.query<{ sealed: Buffer }>(
      sql`select sealed from api_key_secrets where api_key_id = ${apiKeyId}`,
    );
    const sealed = row?.sealed as Buffer; // the key was just created
    expect(sealed.includes(secret)).toBe(false);
    expect(world.services.vault.open(sealed, secretOwner(apiKeyId, 1))).toBe(secret);
    expect(() => world.services.vault.open(sealed, secretOwner('ak_live_OTHER', 1))).toThrow();
    expect(world.logs()).not.toContain(secret.slice(8, 40));
  });

  it('takes a name of 1 to 128 code points as it was sent', async () => {
    for (const name of ['x', '😀'.repeat(128), ' Größe ', 'e\u0301', '\u202Ertl']) {
      expect((await create({ name })).json().data.name).toBe(name);
    }
    const [row] = await world.db.query<{ count: number }>(
      sql`select count(*) as count from api_keys where name = ' Größe '`,
    );
    expect(row?.count).toBe(1);
  });

  it('refuses a name that is missing, blank, too long or no string with 400 4000 and stores nothing', async () => {
    const before = await countKeys();
    for (const name of [
      undefined,
      null,
      '',
      ' ',
      '\t\n',
      'x'.repeat(129),
      '😀'.repeat(129),
      5,
      {},
      ['x'],
      true,
      'a\0b',
      '\udfff',
    ]) {
      const response = await create({ name });
      expect([name, response.statusCode, response.json().code]).toEqual([name, 400, '4000']);
      expect(response.json().message).toContain('name');
    }
    expect(await countKeys()).toBe(before);
  });

  it('refuses unknown scopes, modes and addresses with 400 4000 that names them', async () => {
    const wrong: [string, unknown][] = [
      ['scopes', 'transfers:read'],
      ['scopes', ['nope:read']],
      ['scopes', ['transfers:*']],
      ['scopes', ['*']],
      ['scopes', [1]],
      ['scopes', [null]],
      ['scopes', {}],
      ['mode', 0],
      ['mode', 3],
      ['mode', '1'],
      ['mode', 1.5],
      ['mode', 'TEST'],
      ['mode', true],
      ['ipWhitelist', '1.2.3.4'],
      ['ipWhitelist', ['1.2.3']],
      ['ipWhitelist', ['01.2.3.4']],
      ['ipWhitelist', ['1.2.3.4/33']],
      ['ipWhitelist', ['1.2.3.4/08']],
      ['ipWhitelist', ['::1/129']],
      ['ipWhitelist', ['fe80::1%eth0']],
      ['ipWhitelist', ['1.2.3.4/']],
      ['ipWhitelist', ['1.2.3.4/-1']],
      ['ipWhitelist', ['example.com']],
      ['ipWhitelist', ['']],
      ['ipWhitelist', [null]],
      ['ipWhitelist', Array.from({ length: 101 }, () => '1.2.3.4')],
      ['ipWhitelist', [' 1.2.3.4']],
      ['ipWhitelist', ['1.2.3.4\0']],
    ];
    for (const [field, value] of wrong) {
      const response = await create({ name: 'x', [field]: value });
      expect([field, value, response.statusCode, response.json().code]).toEqual([field, value, 400, '4000']);
      expect(response.json().message).toContain(field);
    }
  });

  it('collapses duplicate scopes and echoes addresses as sent', async () => {
    const ipWhitelist = ['10.0.0.1/8', '2001:DB8::/32', '::ffff:1.2.3.4', '0.0.0.0/0'];
    const { data } = (
      await create({ name: 'x', scopes: ['files:read', 'transfers:read', 'files:read'], ipWhitelist })
    ).json();
    expect(data).toMatchObject({ scopes: ['files:read', 'transfers:read'], ipWhitelist });
  });

  it('lists every wrong field in problem+json', async () => {
    const response = await create({ name: '', mode: 9 }, { accept: 'application/problem+json' });
    expect(response.headers['content-type']).toContain('application/problem+json');
    expect(response.json()).toMatchObject({ status: 400, success: false, code: '4000' });
    expect(response.json().errors.map(({ field }: { field: string }) => field)).toEqual(['name', 'mode']);
  });

  it('is for the OWNER alone; a foreign and an unknown workspace answer alike: 403 4030', async () => {
    const viewer = await signIn(world, 'viewer@demo.test');
    const asViewer = await portalCall(world, viewer, { url, body: { name: 'x' } });
    const foreign = await portalCall(world, token, {
      url: '/web/v1/workspaces/WS_OTHER/api-keys',
      body: { name: 'x' },
    });
    const unknown = await portalCall(world, token, {
      url: '/web/v1/workspaces/WS_NOWHERE/api-keys',
      body: { name: 'x' },
    });
    for (const response of [asViewer, foreign, unknown]) {
      expect([response.statusCode, response.json().code, response.body]).toEqual([403, '4030', foreign.body]);
    }
  });

  it('judges the role before the body, and the body before the portal', async () => {
    const viewer = await signIn(world, 'viewer@demo.test');
    expect((await portalCall(world, viewer, { url, body: {} })).json().code).toBe('4030');
    const institution = { 'x-portal-access-code': 'demo-institution' };
    expect((await create({ mode: 2 }, institution)).json().code).toBe('4000');
    expect((await create({ name: 'x', mode: 2 }, institution)).json().code).toBe('4033');
  });

  it('makes TEST keys on a partner portal only: else 403 4033', async () => {
    const response = await create({ name: 'x', mode: 2 }, { 'x-portal-access-code': 'demo-institution' });
    expect([response.statusCode, response.json().code]).toEqual([403, '4033']);
    expect(
      (await create({ name: 'x', mode: 1 }, { 'x-portal-access-code': 'demo-institution' })).statusCode,
    ).toBe(201);
    expect(
      (await create({ name: 'x', mode: 2 }, { 'x-portal-access-code': 'demo-partner' })).statusCode,
    ).toBe(201);
  });

  it('refuses an unknown portal access code of a trusted proxy with 403 4030', async () => {
    const response = await create({ name: 'x' }, { 'x-portal-access-code': 'nope' });
    expect([response.statusCode, response.json().code]).toEqual([403, '4030']);
  });

  it('keeps at most 50 keys that are not revoked in a workspace, also when many are created at once: 409 4093', async () => {
    const ours = await signIn(world, 'outsider@demo.test');
    const make = () =>
      portalCall(world, ours, { url: '/web/v1/workspaces/WS_OTHER/api-keys', body: { name: 'x' } });
    const answers = await Promise.all(Array.from({ length: 60 }, make));
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(50);
    expect(
      new Set(answers.filter(({ statusCode }) => statusCode !== 201).map((answer) => answer.json().code)),
    ).toEqual(new Set(['4093']));
    await world.db.query(
      sql`update api_keys set status = 'REVOKED' where id = (select min(k.id) from api_keys k join workspaces w on w.id = k.workspace_id where w.biz_id = 'WS_OTHER')`,
    );
    expect((await make()).statusCode).toBe(201);
  });
});

describe('the portal access code', () => {
  it('is ignored when the peer is not a trusted proxy', async () => {
    const open = await openWorld();
    const response = await portalCall(open, await signIn(open), {
      url,
      body: { name: 'x', mode: 2 },
      headers: { 'x-portal-access-code': 'demo-institution' },
    });
    expect(response.statusCode).toBe(201);
    await open.close();
  });

  it('is needed for TEST keys when there is no default portal', async () => {
    const env = { PORTICO_PORTALS: '{"p":"PARTNER"}', PORTICO_TRUSTED_PROXIES: '127.0.0.1' };
    const open = await openWorld({ env });
    const send = async (headers: Record<string, string>) =>
      portalCall(open, await signIn(open), { url, body: { name: 'x', mode: 2 }, headers });
    expect((await send({})).json().code).toBe('4033');
    expect((await send({ 'x-portal-access-code': 'p' })).statusCode).toBe(201);
    await open.close();
  });

  it('is shown by its kind to the page that has to know where TEST keys are made', async () => {
    const env = {
      PORTICO_PORTALS: '{"p":"PARTNER","i":"INSTITUTION"}',
      PORTICO_TRUSTED_PROXIES: '127.0.0.1',
    };
    const open = await openWorld({ env });
    const kindOf = async (headers: Record<string, string>) =>
      (await portalCall(open, undefined, { method: 'GET', url: '/web/v1/auth/config', headers })).json().data
        .portal;
    expect(await kindOf({ 'x-portal-access-code': 'p' })).toBe('PARTNER');
    expect(await kindOf({ 'x-portal-access-code': 'i' })).toBe('INSTITUTION');
    expect(await kindOf({})).toBeNull();
    await open.close();
  });
});
