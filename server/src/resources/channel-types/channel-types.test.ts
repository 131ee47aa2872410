import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionSuite } from '../../../test/suites/collection.ts';
import { createKey, openWorld, portalCall, signedCall, signIn, type World } from '../../../test/world.ts';
import { channelTypes } from './collection.ts';
import { ChannelTypeRecord } from './schema.ts';

const one = '/web/v1/notification-channel-types';
const url = `${one}/query`;
const declared = {
  fields: Object.keys(ChannelTypeRecord.properties),
  sortable: Object.keys(channelTypes.sortable),
  defaultSort: 'displayOrder,asc',
  id: 'bizId',
  total: async () => 13,
};

collectionSuite({
  ...declared,
  name: 'query channel types',
  shape: 'flat',
  get: async (world, query, noMatch) =>
    portalCall(world, await signIn(world), {
      url: `${url}${query}`,
      body: noMatch ? { bizId: 'NCT_NOBODY' } : {},
    }),
});

collectionSuite({
  ...declared,
  name: 'signed channel types',
  shape: 'nested',
  get: async (world, query, noMatch) => {
    const key = await keyOf(world);
    const filter = noMatch ? `${query === '' ? '?' : '&'}bizId=NCT_NOBODY` : '';
    return signedCall(world, key, { url: `/api/v1/channel-types${query}${filter}` });
  },
});

const keys = new WeakMap<World, ReturnType<typeof createKey>>();
function keyOf(world: World) {
  const key = keys.get(world) ?? createKey(world, { scopes: ['channel-types:read'] });
  keys.set(world, key);
  return key;
}

describe('query channel types', () => {
  let world: World;
  let token: string;
  beforeAll(async () => {
    world = await openWorld();
    token = await signIn(world);
  });
  afterAll(() => world.close());

  const query = (body?: unknown) => portalCall(world, token, { url, body });
  const codes = async (body?: unknown) =>
    (await query(body)).json().data.content.map((record: { typeCode: string }) => record.typeCode);

  it('answers exactly code, message and data', async () => {
    const body = (await query({})).json();
    expect(Object.keys(body)).toEqual(['code', 'message', 'data']);
    expect(body).toMatchObject({ code: '2000', message: 'SUCCESS' });
  });

  it('returns every channel type, in display order, when all filters are omitted or there is no body', async () => {
    const all = [
      'EMAIL',
      'SMS',
      'IN_APP',
      'WEBHOOK',
      'PUSH',
      'SLACK',
      'MS_TEAMS',
      'WHATSAPP',
      'TELEGRAM',
      'WECOM',
      'LARK',
      'DINGTALK',
      'VOICE',
    ];
    expect(await codes({})).toEqual(all);
    expect(await codes(undefined)).toEqual(all);
    expect(await codes({ bizId: null, typeCode: null, typeStatus: null, enabledOnly: null })).toEqual(all);
  });

  it('gives each field of a record in its type, with null for no icon and no configuration', async () => {
    const [push] = (await query({ typeCode: 'PUSH' })).json().data.content;
    expect(push).toEqual({
      bizId: 'NCT_PUSH',
      typeCode: 'PUSH',
      typeValue: 5,
      typeName: expect.any(String),
      typeDescription: expect.any(String),
      typeStatus: 'DISABLED',
      displayOrder: 5,
      iconUrl: null,
      extraConfig: null,
      createdAt: '2025-01-05T00:00:00.000Z',
      updatedAt: '2025-06-01T00:00:00.000Z',
    });
  });

  it('describes a configuration by its schema, without any secret’s value', async () => {
    const [webhook] = (await query({ typeCode: 'WEBHOOK' })).json().data.content;
    expect(Object.keys(webhook.extraConfig).sort()).toEqual([
      'address',
      'capabilities',
      'configSchema',
      'providers',
      'schemaVersion',
    ]);
    const { signingSecret, url: target } = webhook.extraConfig.configSchema.properties;
    expect(signingSecret).toEqual({
      type: 'string',
      writeOnly: true,
      pattern: '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$',
      title: 'Signing secret',
      description: 'whsec_ and 24 to 64 bytes in base64; made here when it is left out',
    });
    expect(Object.keys(target).sort()).toEqual(['format', 'maxLength', 'pattern', 'title', 'type']);
  });

  it('applies all filters together', async () => {
    expect(await codes({ enabledOnly: true })).toEqual(['EMAIL', 'SMS', 'IN_APP', 'WEBHOOK']);
    expect(await codes({ enabledOnly: false })).toHaveLength(13);
    expect(await codes({ typeStatus: 'ENABLED' })).toEqual(['EMAIL', 'SMS', 'IN_APP', 'WEBHOOK']);
    expect(await codes({ typeStatus: 'DISABLED' })).toHaveLength(9);
    expect(await codes({ typeStatus: 'DISABLED', enabledOnly: true })).toEqual([]);
    expect(
      await codes({ bizId: 'NCT_SMS', typeCode: 'SMS', typeStatus: 'ENABLED', enabledOnly: true }),
    ).toEqual(['SMS']);
    expect(await codes({ bizId: 'NCT_SMS', typeCode: 'EMAIL' })).toEqual([]);
    expect(await codes({ typeCode: 'email' })).toEqual([]);
  });

  it('takes a bizId of 64 and a typeCode of 32 code points, and refuses longer ones with 400 4000', async () => {
    expect((await query({ bizId: '😀'.repeat(64), typeCode: '😀'.repeat(32) })).statusCode).toBe(200);
    for (const body of [{ bizId: 'x'.repeat(65) }, { typeCode: 'x'.repeat(33) }]) {
      const response = await query(body);
      expect([response.statusCode, response.json().code]).toEqual([400, '4000']);
      expect(response.json().message).toMatch(/at most (64|32) characters/);
    }
  });

  it('refuses a filter of another type with 400 4000 that names it', async () => {
    const wrong = [
      { bizId: 1 },
      { typeCode: ['EMAIL'] },
      { typeStatus: 'enabled' },
      { typeStatus: 1 },
      { enabledOnly: 'true' },
      { enabledOnly: 1 },
      { typeCode: 'a\0' },
    ];
    for (const body of wrong) {
      const response = await query(body);
      expect([response.statusCode, response.json().code]).toEqual([400, '4000']);
      expect(response.json().message).toContain(Object.keys(body)[0]);
    }
  });

  it('is shown one by one, by code, as in the list', async () => {
    const show = (code: string) => portalCall(world, token, { method: 'GET', url: `${one}/${code}` });
    const { content } = (await query({ typeCode: 'EMAIL' })).json().data;
    expect((await show('EMAIL')).json().data).toEqual(content[0]);
    for (const none of ['email', 'NONE', '__proto__', encodeURIComponent("' or 1=1 --")]) {
      const response = await show(none);
      expect([response.statusCode, response.json().code]).toEqual([404, '4040']);
    }
  });

  it('is open to every account, whatever its role', async () => {
    for (const email of ['viewer@demo.test', 'outsider@demo.test']) {
      expect((await portalCall(world, await signIn(world, email), { url, body: {} })).statusCode).toBe(200);
    }
  });

  it('reads the same filters from the query on the signed endpoint', async () => {
    const key = await keyOf(world);
    const enabled = await signedCall(world, key, {
      url: '/api/v1/channel-types?enabledOnly=true&typeCode=SMS',
    });
    expect(enabled.json().data.page.totalElements).toBe(1);
    for (const wrong of [
      'enabledOnly=yes',
      'typeStatus=x',
      `bizId=${'x'.repeat(65)}`,
      'typeCode=a&typeCode=b',
      'typeCode=%00',
      'typeCode=%FF',
      'typeCode=%ED%A0%80',
      'typeCode=a%20%C3',
    ]) {
      const response = await signedCall(world, key, { url: `/api/v1/channel-types?${wrong}` });
      expect([wrong, response.statusCode, response.json().code]).toEqual([wrong, 400, '4000']);
    }
  });
});
