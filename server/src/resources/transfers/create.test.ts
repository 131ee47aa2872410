import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { currenciesFile, currenciesText } from '../../../../scripts/currencies.ts';
import {
  createKey,
  type Key,
  openWorld,
  portalCall,
  signedCall,
  signIn,
  type World,
} from '../../../test/world.ts';
import { keyWith } from '../../auth/signed/key-place.ts';
import { sql } from '../../db/sql.ts';
import { currencyDigits } from '../../transfers/currencies.ts';

const url = '/api/v1/transfers';
const webUrl = '/web/v1/workspaces/WS_DEMO/transfers';
const money = { amount: '12.50', currency: 'USD' };

type Answer = { statusCode: number; json(): { code: string; data: { transferId: string } } };

let world: World;
let live: Key;
let trial: Key;
let owner: string;
beforeAll(async () => {
  world = await openWorld();
  const scopes = ['transfers:read', 'transfers:write'];
  live = await createKey(world, { scopes });
  trial = await createKey(world, { scopes, mode: 2 });
  owner = await signIn(world);
});
afterAll(() => world.close());

const send = (key: Key, path: string, body?: object) =>
  signedCall(
    world,
    key,
    {
      method: 'POST',
      url: `${url}${path}`,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
    body === undefined ? {} : { 'content-type': 'application/json' },
  );
const get = (key: Key, path: string) => signedCall(world, key, { url: `${url}${path}` });
const count = async () => {
  const [row] = await world.db.query<{ count: number }>(sql`select count(*) as count from transfers`);
  return row?.count;
};

describe('a transfer that a key creates', () => {
  it('is answered with 201 and the record, PENDING, as it then is in list and by its id', async () => {
    const answer = await send(live, '', { ...money, reference: 'Rechnung 7 – 請求書' });
    expect(answer.statusCode).toBe(201);
    const { data } = answer.json();
    expect(data).toEqual({
      transferId: expect.stringMatching(/^TRF_[0-9A-HJKMNP-TV-Z]{26}$/),
      ...money,
      status: 'PENDING',
      createdAt: data.updatedAt,
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      reference: 'Rechnung 7 – 請求書',
    });
    expect((await get(live, `/${data.transferId}`)).json().data).toEqual(data);
    expect((await get(live, '?size=1')).json().data.content).toEqual([data]);
  });

  it('is of the mode of the key, and in the portal of the one that is asked for, LIVE unless told', async () => {
    const idOf = async (answer: Promise<Answer>) => (await answer).json().data.transferId;
    const post = (body: object) =>
      idOf(portalCall(world, owner, { url: webUrl, body: { ...money, ...body } }));
    const made = {
      LIVE: [await idOf(send(live, '', money)), await post({}), await post({ mode: 1 })],
      TEST: [await idOf(send(trial, '', money)), await post({ mode: 2 })],
    };
    for (const [mode, key, others] of [
      ['LIVE', live, made.TEST],
      ['TEST', trial, made.LIVE],
    ] as const) {
      for (const id of made[mode]) {
        expect((await get(key, `/${id}`)).statusCode).toBe(200);
        const shown = await portalCall(world, owner, { method: 'GET', url: `${webUrl}/${id}` });
        expect(shown.json().data).toEqual((await get(key, `/${id}`)).json().data);
      }
      for (const id of others) expect((await get(key, `/${id}`)).statusCode).toBe(404);
    }
  });

  it('is written down with all that was given', async () => {
    const { transferId } = (await send(trial, '', { ...money, reference: 'x' })).json().data;
    const [record] = await world.db.query<{ changes: string }>(sql`
      select action, actor_type, actor_id, actor_name, subject_type, workspace_id, changes from audit_waiting where subject_id = ${transferId}`);
    expect({ ...record, changes: JSON.parse(record?.changes ?? '') }).toEqual({
      action: 'transfer.created',
      actor_type: 'API_KEY',
      actor_id: trial.apiKeyId,
      actor_name: 'test',
      subject_type: 'TRANSFER',
      workspace_id: 'WS_DEMO',
      changes: Object.fromEntries(
        Object.entries({ ...money, reference: 'x', mode: 'TEST', status: 'PENDING' }).map(([field, to]) => [
          field,
          { from: null, to },
        ]),
      ),
    });
  });

  it('needs transfers:write, which a key may lose while it writes', async () => {
    const reader = await createKey(world, { scopes: ['transfers:read'] });
    expect((await send(reader, '', money)).json().code).toBe('4031');
    const place = keyWith('transfers:write');
    const [{ missing } = {}] = await world.db.query<{ missing: string }>(
      place.lock({ apiKeyId: reader.apiKeyId, workspaceId: 0, mode: 'LIVE' }),
    );
    expect(place.refusal(missing ?? '').code).toBe('4031');
    await world.db.query(sql`update api_keys set status = 'DISABLED' where id = ${reader.apiKeyId}`);
    const [gone] = await world.db.query<{ missing: string }>(
      place.lock({ apiKeyId: reader.apiKeyId, workspaceId: 0, mode: 'LIVE' }),
    );
    expect(place.refusal(gone?.missing ?? '').code).toBe('4015');
  });
});

/** Each is refused with 400 4000 that names the field, and says what would be right where there is such a thing. */
const refused: [string, object, RegExp][] = [
  ['no amount', { amount: undefined }, /^amount is required$/],
  ['no currency', { currency: undefined }, /^currency is required$/],
  ['zero', { amount: '0' }, /^amount must be greater than 0$/],
  ['zero with digits', { amount: '0.00' }, /^amount must be greater than 0$/],
  ['less than zero', { amount: '-1' }, /^amount must be greater than 0$/],
  ['a sign', { amount: '+1.00' }, /^amount must be a decimal number/],
  ['an exponent', { amount: '1e3' }, /^amount must be a decimal number/],
  ['digits of another script', { amount: '\u0661\u0662' }, /^amount must be a decimal number/],
  ['wide digits', { amount: '\uff11\uff12.00' }, /^amount must be a decimal number/],
  ['hexadecimal', { amount: '0x10' }, /^amount must be a decimal number/],
  ['no number', { amount: 'NaN' }, /^amount must be a decimal number/],
  ['infinity', { amount: 'Infinity' }, /^amount must be a decimal number/],
  ['a comma', { amount: '1,250.00' }, /^amount must be a decimal number/],
  ['spaces', { amount: ' 1.00' }, /^amount must be a decimal number/],
  ['a line feed', { amount: '1.00\n' }, /^amount must be a decimal number/],
  ['nothing', { amount: '' }, /^amount must be a decimal number/],
  ['no whole number', { amount: '.50' }, /^amount must be a decimal number/],
  ['a bare point', { amount: '1.' }, /^amount must be a decimal number/],
  [
    'too few digits',
    { amount: '12.5' },
    /^amount must have exactly 2 digits after the point in USD, as in 12\.50$/,
  ],
  ['no digits', { amount: '12' }, /in USD, as in 12\.00$/],
  [
    'too many digits',
    { amount: '12.345' },
    /^amount must have exactly 2 digits after the point in USD, as in 12\.34$/,
  ],
  [
    'digits of the yen',
    { amount: '1.0', currency: 'JPY' },
    /^amount must have no digits after the point in JPY, as in 1$/,
  ],
  [
    'three digits',
    { amount: '1.00', currency: 'KWD' },
    /exactly 3 digits after the point in KWD, as in 1\.000$/,
  ],
  ['a leading zero', { amount: '012.50' }, /^amount must not begin with a 0 that means nothing: 12\.50$/],
  ['10^15', { amount: '1000000000000000.00' }, /^amount must have at most 15 digits before the point$/],
  ['10^16', { amount: '10000000000000000' }, /^amount must have at most 15 digits before the point$/],
  ['a long one', { amount: '9'.repeat(10_000) }, /^amount must have at most 32 characters$/],
  ['a number', { amount: 12.5 }, /^amount must be a string$/],
  ['a list', { amount: ['12.50'] }, /^amount must be a string$/],
  [
    'a withdrawn currency',
    { currency: 'DEM' },
    /^currency must be a currency that is in use: DEM was withdrawn/,
  ],
  [
    'one withdrawn of late',
    { currency: 'BGN' },
    /^currency must .* BGN was withdrawn, its last day was 2026-01-31$/,
  ],
  ['one in small letters', { currency: 'usd' }, /^currency must be a code of ISO 4217, such as USD$/],
  ['no currency of the world', { currency: 'ABC' }, /^currency must be a code of ISO 4217/],
  ['a metal', { currency: 'XAU' }, /^currency must be a code of ISO 4217/],
  ['a currency for tests', { currency: 'XTS' }, /^currency must be a code of ISO 4217/],
  ['none', { currency: 'XXX' }, /^currency must be a code of ISO 4217/],
  ['a name of objects', { currency: '__proto__' }, /^currency must be a code of ISO 4217/],
  ['another one', { currency: 'constructor' }, /^currency must be a code of ISO 4217/],
  ['a blank reference', { reference: ' ' }, /^reference must not be blank$/],
  ['an empty reference', { reference: '' }, /^reference must not be blank$/],
  ['a long reference', { reference: 'x'.repeat(141) }, /^reference must have at most 140 characters$/],
  ['lines', { reference: 'a\nb' }, /^reference must not have control characters$/],
  ['text turned around', { reference: 'a\u202eb' }, /^reference must not have control characters$/],
  ['NUL', { reference: 'a\0b' }, /^reference must/],
  ['half a character', { reference: 'a\ud800' }, /^reference must/],
];

describe('a transfer that is not right', () => {
  test.each(refused)('is refused: %s', async (_name, wrong, message) => {
    const before = await count();
    const body = { ...money, ...wrong };
    for (const answer of [
      await send(live, '', body),
      await portalCall(world, owner, { url: webUrl, body }),
    ]) {
      expect([answer.statusCode, answer.json().code]).toEqual([400, '4000']);
      expect(answer.json().message).toMatch(message);
    }
    expect(await count()).toBe(before);
  });

  test.each([{ mode: 3 }, { mode: 0 }, { mode: 'LIVE' }, { mode: '1' }])('is refused: %j', async (mode) => {
    const answer = await portalCall(world, owner, { url: webUrl, body: { ...money, ...mode } });
    expect([answer.statusCode, answer.json().code]).toEqual([400, '4000']);
    expect(answer.json().message).toContain('mode');
  });
});

describe('an amount', () => {
  it('is kept to the last digit', async () => {
    for (const [amount, currency] of [
      ['999999999999999.99', 'USD'],
      ['999999999999999', 'JPY'],
      ['0.001', 'KWD'],
      ['0.0001', 'CLF'],
      ['900719925474099.93', 'EUR'],
    ] as const) {
      const answer = await send(live, '', { amount, currency });
      expect(answer.json().data).toMatchObject({ amount, currency });
    }
  });

  it('is taken in every currency with the digits that the database wants of it', async () => {
    for (const [currency, digits] of Object.entries(currencyDigits)) {
      const amount = digits === 0 ? '1' : `1.${'0'.repeat(digits)}`;
      const answer = await send(live, '', { amount, currency });
      expect([currency, answer.statusCode]).toEqual([currency, 201]);
    }
  });
});

describe('currencies', () => {
  it('are those of their sources, or npm run currencies was forgotten', () => {
    expect(readFileSync(currenciesFile, 'utf8')).toBe(currenciesText());
  });
});

describe('a transfer of another workspace, or of the other mode', () => {
  it('answers exactly like one that is nowhere, to be shown and to be cancelled', async () => {
    const [foreign] = await world.db.query<{ id: string }>(sql`
      select t.biz_id as id from transfers t join workspaces w on w.id = t.workspace_id where w.biz_id = 'WS_OTHER' limit 1`);
    const ofTrial = (await send(trial, '', money)).json().data.transferId;
    const nowhere = 'TRF_00000000000000000000000000';
    const answers = async (id: string | undefined) => [
      (await get(live, `/${id}`)).body,
      (await send(live, `/${id}/cancel`)).body,
      (await portalCall(world, owner, { method: 'GET', url: `${webUrl}/${id}` })).body,
      (await portalCall(world, owner, { url: `${webUrl}/${id}/cancel` })).body,
    ];
    const unknown = await answers(nowhere);
    for (const body of unknown) expect(JSON.parse(body).code).toBe('4040');
    expect(await answers(foreign?.id)).toEqual(unknown);
    expect((await answers(ofTrial)).slice(0, 2)).toEqual(unknown.slice(0, 2));
  });

  it('is not told to who is no member of the workspace: 403, whatever the id', async () => {
    const outsider = await signIn(world, 'outsider@demo.test');
    const { transferId } = (await send(live, '', money)).json().data;
    const codes = [transferId, 'TRF_NOWHERE', '%00'].map(async (id) => {
      const shown = await portalCall(world, outsider, { method: 'GET', url: `${webUrl}/${id}` });
      const cancelled = await portalCall(world, outsider, { url: `${webUrl}/${id}/cancel` });
      return [shown.body, cancelled.json().code];
    });
    const [first, ...others] = await Promise.all(codes);
    expect(JSON.parse(first?.[0] ?? '').code).toBe('4030');
    for (const each of others) expect(each).toEqual(first);
  });
});

describe('a cancelled transfer', () => {
  it('is CANCELLED with a later updatedAt, once, and written down', async () => {
    const { data } = (await send(live, '', money)).json();
    const answer = await send(live, `/${data.transferId}/cancel`);
    expect(answer.statusCode).toBe(200);
    const { updatedAt, ...cancelled } = answer.json().data;
    expect(cancelled).toEqual({ ...data, status: 'CANCELLED', updatedAt: undefined });
    expect(updatedAt > data.updatedAt).toBe(true);
    const again = await send(live, `/${data.transferId}/cancel`);
    expect([again.statusCode, again.json().code, again.json().message]).toEqual([
      409,
      '4091',
      'a transfer that is CANCELLED cannot become CANCELLED',
    ]);
    const records = await world.db.query(sql`
      select action, changes from audit_waiting where subject_id = ${data.transferId} and action <> 'transfer.created'`);
    expect(records).toEqual([
      { action: 'transfer.cancelled', changes: '{"status":{"from":"PENDING","to":"CANCELLED"}}' },
    ]);
  });
});
