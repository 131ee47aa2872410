import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey, openWorld, portalCall, signIn, type World } from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';

const url = '/web/v1/workspaces/WS_DEMO/api-keys';
const institution = { 'x-portal-access-code': 'demo-institution' };
const partner = { 'x-portal-access-code': 'demo-partner' };
const end = '2030-01-01T00:00:00.000Z';

let world: World;
let token: string;
beforeAll(async () => {
  world = await openWorld({ env: { PORTICO_TRUSTED_PROXIES: '127.0.0.1' } });
  token = await signIn(world);
});
afterAll(() => world.close());

const settings = {
  scopes: ['transfers:read', 'files:read'],
  ipWhitelist: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7'],
};

async function makeKey(mode: 1 | 2, change: object = {}) {
  const key = await createKey(world, { mode, ...settings });
  await world.db.query(sql`update api_keys set expires_at = ${end}::timestamptz where id = ${key.apiKeyId}`);
  const patch = (body: object, headers: Record<string, string>) =>
    portalCall(world, token, { method: 'PATCH', url: `${url}/${key.apiKeyId}`, body, headers });
  if (Object.keys(change).length > 0) await patch(change, partner);
  return { patch };
}

const widening: [string, object, object?][] = [
  ['another scope', { scopes: ['transfers:read', 'channel-types:read'] }],
  ['a scope where there was none', { scopes: ['transfers:read'] }, { scopes: [] }],
  ['any address', { ipWhitelist: [] }],
  ['another address', { ipWhitelist: ['203.0.113.0/24', '198.51.100.8'] }],
  ['a larger network', { ipWhitelist: ['203.0.112.0/23'] }],
  ['a larger network of the same base', { ipWhitelist: ['203.0.113.0/23'] }],
  ['a network of the other family', { ipWhitelist: ['::/0'] }],
  ['a later end', { expiresAt: '2030-01-01T00:00:00.001Z' }],
  ['a later end by its offset', { expiresAt: '2030-01-01T00:00:00-01:00' }],
  ['no end', { expiresAt: null }],
  ['life after its end', { expiresAt: end }, { expiresAt: '2020-01-01T00:00:00Z' }],
  ['less in one way and more in another', { scopes: [], expiresAt: null }],
];

const harmless: [string, object, object?][] = [
  ['a name', { name: 'another' }],
  ['nothing', {}],
  ['what it is', { ...settings, expiresAt: end }],
  ['fewer scopes', { scopes: ['files:read'] }],
  ['no scope', { scopes: [] }],
  [
    'smaller networks',
    { ipWhitelist: ['203.0.113.128/25', '203.0.113.4', '2001:db8:1::1', '::ffff:198.51.100.7'] },
  ],
  ['addresses where there were none', { ipWhitelist: ['10.0.0.0/8'] }, { ipWhitelist: [] }],
  ['an earlier end', { expiresAt: '2029-12-31T23:59:59Z' }],
  ['an end where there was none', { expiresAt: end }, { expiresAt: null }],
];

describe('a change of a TEST key on a portal that may not make one', () => {
  it.each(widening)('that gives it %s is 403 4033, and changes nothing', async (_what, change, before) => {
    const { patch } = await makeKey(2, before);
    const shown = (await patch({}, institution)).json().data;
    const refused = await patch(change, institution);
    expect([refused.statusCode, refused.json().code]).toEqual([403, '4033']);
    expect((await patch({}, institution)).json().data).toEqual(shown);
    expect((await patch(change, partner)).statusCode).toBe(200);
  });

  it.each(harmless)('that gives it %s is allowed', async (_what, change, before) => {
    const { patch } = await makeKey(2, before);
    expect((await patch(change, institution)).statusCode).toBe(200);
  });

  it('says nothing to LIVE keys', async () => {
    const { patch } = await makeKey(1);
    for (const [, change] of widening) expect((await patch(change, institution)).statusCode).toBe(200);
  });
});
