import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionSuite } from '../../../test/suites/collection.ts';
import { newChannel } from '../../../test/suites/command-targets.ts';
import { channelsUrl as url } from '../../../test/support/deliveries.ts';
import { run } from '../../../test/support/operator.ts';
import { openWorld, portalCall, signIn, type World } from '../../../test/world.ts';
import { openChannel } from '../../channels/secrets.ts';
import { sql } from '../../db/sql.ts';
import { eventTypeCodes } from '../../log/event-types.ts';
import { channels } from './collection.ts';

const filled = new WeakMap<World, Promise<unknown>>();

/** 49 channels that differ in all that is sorted by. */
const fill = (world: World) =>
  world.db.query(sql`
    insert into channels (biz_id, workspace_id, type_code, name, mode, event_types, config, status, created_at, updated_at)
    select 'NCH_' || n, w.id, case when n % 3 = 0 then 'IN_APP' else 'WEBHOOK' end, 'Channel ' || n % 7, case when n % 2 = 0 then 'LIVE' else 'TEST' end::key_mode,
      '{transfer.created}', '{}', (enum_range(null::channel_status))[n % 3 + 1], at, at + n % 5 * interval '1 day'
    from workspaces w cross join generate_series(1, 49) n cross join lateral (select '2026-01-01Z'::timestamptz + n / 2 * interval '1 hour' as at) t
    where w.biz_id = 'WS_DEMO'`);

collectionSuite({
  name: 'channels of a workspace',
  shape: 'flat',
  fields: Object.keys(channels.record.properties),
  sortable: Object.keys(channels.sortable),
  defaultSort: 'createdAt,desc',
  id: 'channelId',
  total: async () => 49,
  get: async (world, query, noMatch) => {
    const once = filled.get(world) ?? fill(world);
    filled.set(world, once);
    await once;
    const place = noMatch ? '/web/v1/workspaces/WS_OTHER/notification-channels' : url;
    const who = noMatch ? 'outsider@demo.test' : 'viewer@demo.test';
    return portalCall(world, await signIn(world, who), { method: 'GET', url: `${place}${query}` });
  },
});

let world: World;
let token: string;
beforeAll(async () => {
  world = await openWorld({ env: { PORTICO_OUTBOUND_ALLOW: '203.0.113.0/24' } });
  token = await signIn(world);
});
afterAll(() => world.close());

const create = (body: object, headers = {}) => portalCall(world, token, { url, body, headers });
const withConfig = (config: object) => create({ ...newChannel, config });
const count = async () =>
  (await world.db.query<{ count: number }>(sql`select count(*) as count from channels`))[0]?.count;

describe('create a channel', () => {
  it('answers 201 with the record, defaults filled in, and the secret of a WEBHOOK', async () => {
    const response = await create({ ...newChannel, mode: 2 });
    expect(response.statusCode).toBe(201);
    expect(response.json().data).toEqual({
      channelId: expect.stringMatching(/^NCH_[0-9A-HJKMNP-TV-Z]{26}$/),
      typeCode: 'WEBHOOK',
      name: 'x',
      mode: 'TEST',
      eventTypes: ['transfer.created'],
      config: { url: 'https://partner.example/hooks', timeoutSeconds: 10 },
      status: 'ACTIVE',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.any(String),
      lastSuccessAt: null,
      failingSince: null,
      disabledReason: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { secret: _secret, ...record } = response.json().data;
    for (const who of ['owner@demo.test', 'viewer@demo.test']) {
      const reader = await signIn(world, who);
      const shown = await portalCall(world, reader, { method: 'GET', url: `${url}/${record.channelId}` });
      expect(shown.json().data).toEqual(record);
      const { content } = (await portalCall(world, reader, { method: 'GET', url: `${url}?mode=2` })).json()
        .data;
      expect(content).toEqual([record]);
    }
  });

  it('has no secret where nothing is signed, and is LIVE when no mode is given', async () => {
    const { data } = (await create({ ...newChannel, typeCode: 'IN_APP', config: {} })).json();
    expect(data).toMatchObject({ mode: 'LIVE', config: {}, secret: null });
  });

  it('keeps what is writeOnly sealed: in no answer, no column in plain, no log and no record', async () => {
    await run(world, 'enableChannelType', { type: 'SLACK' });
    const hidden = 'https://hooks.slack.com/services/T00/B00/unfindable';
    const signingSecret = `whsec_${Buffer.alloc(64, 3).toString('base64')}`;
    const slack = (await create({ ...newChannel, typeCode: 'SLACK', config: { url: hidden } })).json().data;
    const hook = (await withConfig({ ...newChannel.config, signingSecret })).json().data;
    expect([slack.config, slack.secret, hook.secret]).toEqual([{}, null, signingSecret]);
    const rows = await world.db.query<{ id: string; sealed: Buffer; row: string }>(
      sql`select biz_id as id, sealed, c::text as row from channels c where biz_id in (${slack.channelId}, ${hook.channelId}) order by id`,
    );
    const opened = rows.map(({ id, sealed }) => openChannel(world.services.vault, id, sealed));
    expect(opened).toEqual([
      { fields: { url: hidden } },
      { fields: {}, signing: { current: signingSecret } },
    ]);
    const lists = (await portalCall(world, token, { method: 'GET', url: `${url}?size=100` })).body;
    const records = JSON.stringify(await world.db.query(sql`select * from audit_waiting`));
    for (const text of [hidden, 'unfindable', signingSecret.slice(6, 40)])
      for (const place of [rows.map(({ row }) => row).join(), lists, records, world.logs()])
        expect(place).not.toContain(text);
  });

  it('refuses a type that does not exist, is DISABLED or cannot be reached from here with 400 4000', async () => {
    const before = await count();
    const refused: [object, RegExp][] = [
      [{ typeCode: 'NOPE' }, /^typeCode must be the code of a channel type$/],
      [{ typeCode: 'PUSH' }, /^typeCode must be an enabled channel type: this one is DISABLED$/],
      [{ typeCode: 'LARK' }, /^typeCode must be an enabled channel type/],
      [{ typeCode: '__proto__' }, /^typeCode must be the code/],
      [{ typeCode: 'EMAIL', config: { to: 'a@b.example' } }, /^config\.to .*PORTICO_SMTP_URL/],
      [{ typeCode: 'SMS', config: { to: '+491511234567' } }, /^config\.to .*PORTICO_SMS_URL/],
    ];
    for (const [change, message] of refused) {
      const response = await create({ ...newChannel, ...change });
      expect([change, response.statusCode, response.json().code]).toEqual([change, 400, '4000']);
      expect(response.json().message).toMatch(message);
    }
    expect(await count()).toBe(before);
  });

  it('takes 1 to all types of events, and refuses none, one twice, an unknown one and ping', async () => {
    const all = eventTypeCodes.filter((type) => type !== 'ping');
    expect((await create({ ...newChannel, eventTypes: all })).statusCode).toBe(201);
    const wrong = [
      undefined,
      [],
      ['ping'],
      ['transfer.created', 'transfer.exploded'],
      ['transfer.created', 'transfer.created'],
      [...all, 'transfer.created'],
      'transfer.created',
      [1],
      ['__proto__'],
      Array.from({ length: 10_000 }, () => 'transfer.created'),
    ];
    for (const eventTypes of wrong) {
      const response = await create({ ...newChannel, eventTypes });
      expect([eventTypes, response.statusCode, response.json().code]).toEqual([eventTypes, 400, '4000']);
      expect(response.json().message).toContain('eventTypes');
    }
  });

  it.each<[string, object, string]>([
    ['config.url', {}, 'is required'],
    ['config.url', { url: 7 }, 'must be a string'],
    ['config.url', { url: 'partner.example' }, 'must match pattern "^https?://"'],
    [
      'config.url',
      { url: `https://partner.example/${'x'.repeat(2048)}` },
      'must have at most 2048 characters',
    ],
    ['config.more', { url: 'https://a.example', more: 1 }, 'is no field of this type of channel'],
    ['config.timeoutSeconds', { url: 'https://a.example', timeoutSeconds: 31 }, 'must be <= 30'],
    ['config.timeoutSeconds', { url: 'https://a.example', timeoutSeconds: '5' }, 'must be an integer'],
    [
      'config.signingSecret',
      { url: 'https://a.example', signingSecret: 'whsec_short' },
      'must match pattern',
    ],
    [
      'config.signingSecret',
      { url: 'https://a.example', signingSecret: `whsec_${'A'.repeat(33)}` },
      'must be whsec_ and 24 to 64 bytes in base64',
    ],
    ['config.url', { url: 'https://user:pass@a.example' }, 'must not hold a user or a password'],
    ['config.url', { url: 'https://@a.example' }, 'must not hold a user or a password'],
    ['config.url', { url: 'https://a.example/#part' }, 'must not have a fragment'],
    ['config.url', { url: 'https://a.example/#' }, 'must not have a fragment'],
    ['config.url', { url: 'https://a.example:0/' }, 'must not have port 0'],
    ['config.url', { url: 'http://8.8.8.8/' }, 'must be https'],
    ['config', { url: 'https://a.example', deep: [[[[[[[[[[]]]]]]]]]] }, 'must not be deeper than 8'],
    ['config', { url: 'https://a.example', long: 'x'.repeat(20_000) }, 'must have at most 16384 bytes'],
    ['config', { url: 'https://a.example/\0' }, 'must be valid Unicode'],
    ['config', { url: 'https://a.example', '\ud800': 1 }, 'must be valid Unicode'],
  ])('names %s when it refuses %j', async (field, config, message) => {
    const response = await withConfig(config);
    expect([response.statusCode, response.json().code]).toEqual([400, '4000']);
    expect(response.json().message).toContain(`${field} ${message}`);
  });

  it.each([
    ...['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '10.0.0.1', '172.16.0.1', '192.168.1.1'],
    ...['169.254.169.254', '0.0.0.0', '100.64.0.1', '224.0.0.1', '[::1]', '[::]', '[fe80::1]', '[fd00::1]'],
    ...['[::ffff:10.0.0.1]', '[::ffff:a00:1]', '[64:ff9b::10.0.0.1]', '198.51.100.1', '①②⑦.⓪.⓪.①'],
  ])('refuses the address %s, which is not public', async (host) => {
    const response = await withConfig({ url: `https://${host}/hooks` });
    expect([response.statusCode, response.json().code]).toEqual([400, '4000']);
    expect(response.json().message).toMatch(/^config\.url /);
  });

  it('takes an address that the operator allows, also by plain http, and a public one by https', async () => {
    for (const target of ['http://203.0.113.7/x', 'https://203.0.113.7:8443/x', 'https://8.8.8.8/x'])
      expect((await withConfig({ url: target })).statusCode).toBe(201);
  });

  it('lists every wrong field in problem+json', async () => {
    const body = { ...newChannel, config: { more: 1, timeoutSeconds: 0 } };
    const response = await create(body, { accept: 'application/problem+json' });
    const fields = response.json().errors.map(({ field }: { field: string }) => field);
    expect(fields.sort()).toEqual(['config.more', 'config.timeoutSeconds', 'config.url']);
  });

  it('keeps at most 50 channels in a workspace, also when 60 are created at once: 409 4096', async () => {
    const ours = await signIn(world, 'outsider@demo.test');
    const other = '/web/v1/workspaces/WS_OTHER/notification-channels';
    const make = () => portalCall(world, ours, { url: other, body: newChannel });
    const answers = await Promise.all(Array.from({ length: 60 }, make));
    const made = answers.filter(({ statusCode }) => statusCode === 201);
    expect(made).toHaveLength(50);
    const refused = answers.filter(({ statusCode }) => statusCode !== 201);
    expect(new Set(refused.map((answer) => `${answer.statusCode} ${answer.json().code}`))).toEqual(
      new Set(['409 4096']),
    );
    const first = made[0]?.json().data.channelId;
    await portalCall(world, ours, { method: 'DELETE', url: `${other}/${first}` });
    expect((await make()).statusCode).toBe(201);
    expect((await make()).json().code).toBe('4096');
  });
});

describe('a channel', () => {
  it('of type EMAIL in the language of who creates it, unless another is given', async () => {
    const env = { PORTICO_SMTP_URL: 'smtp://127.0.0.1:9', PORTICO_MAIL_FROM: 'portico@demo.example' };
    const mailing = await openWorld({ env, database: world.database });
    const localeOf = async (config: object) => {
      const body = { ...newChannel, mode: 1, typeCode: 'EMAIL', config: { to: 'a@b.example', ...config } };
      const answer = await portalCall(mailing, token, { url, body });
      return [answer.statusCode, answer.json().data?.config.locale];
    };
    await world.db.query(sql`update accounts set locale = 'zh-CN' where biz_id = 'ACC_DEMO_OWNER'`);
    expect(await localeOf({})).toEqual([201, 'zh-CN']);
    expect(await localeOf({ locale: 'en' })).toEqual([201, 'en']);
    expect(await localeOf({ locale: 'de' })).toEqual([400, undefined]);
    // An operator's own schema may know no languages.
    await world.db.query(sql`
      update channel_types set extra_config = extra_config #- '{configSchema,properties,locale}' where type_code = 'EMAIL'`);
    expect(await localeOf({})).toEqual([201, undefined]);
    await mailing.close();
  });
});
