import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newChannel } from '../../test/suites/command-targets.ts';
import { channelsUrl } from '../../test/support/deliveries.ts';
import { lastRecord, recorded, refusal, run } from '../../test/support/operator.ts';
import { openWorld, portalCall, signIn, type World } from '../../test/world.ts';
import { sql } from '../db/sql.ts';

let world: World;
let token: string;
beforeAll(async () => {
  world = await openWorld();
  token = await signIn(world);
});
afterAll(() => world.close());

const create = async (typeCode: string, config: object) => {
  const response = await portalCall(world, token, {
    url: channelsUrl,
    body: { ...newChannel, typeCode, config },
  });
  return { status: response.statusCode, ...response.json() };
};
const shown = async (code: string) =>
  (
    await portalCall(world, token, { method: 'GET', url: `/web/v1/notification-channel-types/${code}` })
  ).json().data;

const url = { type: 'string', format: 'uri' };
const schemaOf = (more: object = {}) => ({ type: 'object', required: ['url'], properties: { url }, ...more });
/** Not this, but not that, and so on. */
const deep = Array.from({ length: 16 }).reduce<object>((not) => ({ not }), {});
const configure = (type: string, schema: unknown) => ({ type, schema: JSON.stringify(schema) });

describe('a channel type', () => {
  it('takes channels once it is enabled, and no new ones when it is disabled', async () => {
    const config = { url: 'https://hooks.slack.com/x' };
    expect(await create('SLACK', config)).toMatchObject({ status: 400, code: '4000' });
    expect(await run(world, 'enableChannelType', { type: 'SLACK' })).toEqual({
      typeCode: 'SLACK',
      typeName: 'Slack',
      typeStatus: 'ENABLED',
      updatedAt: expect.any(String),
    });
    const changes = { typeStatus: { from: 'DISABLED', to: 'ENABLED' } };
    expect(await lastRecord(world)).toEqual(recorded('channel-type.enabled', 'SLACK', changes));
    const { status, data } = await create('SLACK', config);
    expect(status).toBe(201);
    expect(await refusal(world, 'enableChannelType', { type: 'SLACK' })).toMatch(/^4091 .*ENABLED already/);
    await run(world, 'disableChannelType', { type: 'SLACK' });
    expect((await shown('SLACK')).typeStatus).toBe('DISABLED');
    expect((await create('SLACK', config)).message).toContain('DISABLED');
    const there = await portalCall(world, token, {
      method: 'PATCH',
      url: `${channelsUrl}/${data.channelId}`,
      body: { name: 'y' },
    });
    expect(there.statusCode).toBe(200);
  });

  it('that is not delivered cannot be enabled, and one that does not exist is 4040', async () => {
    expect(await refusal(world, 'enableChannelType', { type: 'PUSH' })).toMatch(
      /^4091 .*not delivered by Portico/,
    );
    expect(await refusal(world, 'enableChannelType', { type: 'NOPE' })).toMatch(
      /^4040 there is no channel type NOPE/,
    );
    expect(await refusal(world, 'disableChannelType', { type: 'PUSH' })).toMatch(/^4091/);
  });
});

describe('the schema of a channel type', () => {
  it('checks configurations from then on, and is in the log', async () => {
    const before = (await shown('WEBHOOK')).extraConfig;
    const schema = schemaOf({
      required: ['url', 'region'],
      properties: { url, region: { enum: ['EU', 'US'] }, token: { type: 'string', writeOnly: true } },
    });
    await run(world, 'configureChannelType', configure('WEBHOOK', schema));
    expect((await lastRecord(world))?.['changes']).toEqual({
      configSchema: { from: before.configSchema, to: schema },
    });
    expect((await shown('WEBHOOK')).extraConfig).toEqual({ ...before, configSchema: schema });
    const good = { url: 'https://partner.example/', region: 'EU' };
    expect((await create('WEBHOOK', newChannel.config)).message).toContain('config.region is required');
    expect((await create('WEBHOOK', { ...good, region: 'XX' })).message).toContain(
      'config.region must be one of EU, US',
    );
    expect((await create('WEBHOOK', { ...good, token: 'hidden' })).data.config).toEqual(good);
    await run(world, 'configureChannelType', configure('WEBHOOK', before.configSchema));
  });

  it('can be given to a type that had none, which is still not delivered', async () => {
    await run(world, 'configureChannelType', configure('PUSH', { type: 'object' }));
    expect((await shown('PUSH')).extraConfig.configSchema).toEqual({ type: 'object' });
    expect(await refusal(world, 'enableChannelType', { type: 'PUSH' })).toMatch(/^4091/);
  });

  it.each<[string, unknown, RegExp]>([
    ['an array', [], /must be a JSON object/],
    ['null', null, /must be a JSON object/],
    ['a boolean', true, /must be a JSON object/],
    ['of something else', { type: 'string' }, /must be of an object/],
    ['of nothing said', { properties: { url } }, /must be of an object/],
    [
      'with a type that does not exist',
      schemaOf({ properties: { url: { type: 'text' } } }),
      /no valid JSON Schema/,
    ],
    [
      'with a broken pattern',
      schemaOf({ properties: { url, a: { type: 'string', pattern: '(' } } }),
      /no valid JSON Schema/,
    ],
    [
      'with a misspelt keyword',
      schemaOf({ properties: { url, a: { type: 'string', maxLenght: 5 } } }),
      /unknown keyword/,
    ],
    [
      'with an unknown format',
      schemaOf({ properties: { url, a: { type: 'string', format: 'nope' } } }),
      /unknown format/,
    ],
    [
      'that refers elsewhere',
      schemaOf({ properties: { url, a: { $ref: 'https://example.com/schema' } } }),
      /nothing outside of itself/,
    ],
    [
      'that refers to a file',
      schemaOf({ properties: { url, a: { $ref: 'other.json' } } }),
      /nothing outside of itself/,
    ],
    [
      'that refers to nothing',
      schemaOf({ properties: { url, a: { $ref: '#/$defs/none' } } }),
      /no valid JSON Schema/,
    ],
    [
      'of an unknown dialect',
      schemaOf({ $schema: 'https://json-schema.org/draft/2042-12/schema' }),
      /\$schema must be one of/,
    ],
    ['that is asynchronous', schemaOf({ $async: true }), /must not be asynchronous/],
    [
      'that hides an object',
      schemaOf({ properties: { url, a: { type: 'object', writeOnly: true } } }),
      /writeOnly only of strings/,
    ],
    [
      'that hides what is inside',
      schemaOf({
        properties: { url, a: { type: 'object', properties: { b: { type: 'string', writeOnly: true } } } },
      }),
      /writeOnly only of strings/,
    ],
    ['without where to send to', { type: 'object' }, /must require url, a string/],
    ['with NUL', schemaOf({ title: 'a\0b' }), /without NUL/],
    ['too deep', schemaOf({ properties: { url, a: deep } }), /must not be deeper than 16/],
  ])('is refused and not stored: one %s', async (_what, schema, message) => {
    const before = await world.db.query(sql`select * from channel_types order by id`);
    const refused = await refusal(world, 'configureChannelType', configure('WEBHOOK', schema));
    expect(refused).toMatch(/^4000 schema /);
    expect(refused).toMatch(message);
    expect(await world.db.query(sql`select * from channel_types order by id`)).toEqual(before);
  });

  it('is refused when it is no JSON or too long', async () => {
    for (const schema of ['', '{', 'x'.repeat(70_000)])
      expect(await refusal(world, 'configureChannelType', { type: 'WEBHOOK', schema })).toMatch(
        /^4000 schema /,
      );
  });

  it('takes draft 7, references inside, formats and what it says of fields', async () => {
    const schema = schemaOf({
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { mail: { type: 'string', format: 'email' } },
      properties: { url, copy: { $ref: '#/definitions/mail', title: 'Copy to' } },
    });
    await run(world, 'configureChannelType', configure('MS_TEAMS', schema));
    await run(world, 'enableChannelType', { type: 'MS_TEAMS' });
    const { message } = await create('MS_TEAMS', { url: 'https://a.example', copy: 'nobody' });
    expect(message).toBe('config.copy must match format "email"');
  });

  it('cannot hide what channels show already', async () => {
    expect((await create('WEBHOOK', newChannel.config)).status).toBe(201);
    const schema = schemaOf({ properties: { url: { ...url, writeOnly: true } } });
    expect(await refusal(world, 'configureChannelType', configure('WEBHOOK', schema))).toMatch(
      /^4000 schema cannot make url writeOnly/,
    );
  });
});
