import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import published from '../../docs/webhook-vectors.json' with { type: 'json' };
import { Portico, type Transfer, WebhookError } from '../src/index.ts';

type Vector = (typeof published.vectors)[number];

const { webhooks } = Portico;
const secret = webhooks.newSecret();
const event = { eventId: 'EVT_7', type: 'ping', occurredAt: '', mode: 'TEST', workspaceId: 'WS', data: {} };
const body = JSON.stringify(event);

/** A header that is empty in a vector was not sent. */
const headersOf = ({ id, timestamp, signature }: Pick<Vector, 'id' | 'timestamp' | 'signature'>) =>
  Object.fromEntries(
    Object.entries({
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    }).filter(([, value]) => value !== ''),
  );

const judged = async (work: () => unknown) => {
  try {
    await work();
    return 'valid';
  } catch (error) {
    return error instanceof WebhookError ? error.reason : String(error);
  }
};

afterEach(() => vi.useRealTimers());

describe('every published vector', () => {
  it.each(published.vectors)('is judged as it says: $name', async (vector) => {
    const now = () => Number(vector.now) * 1000;
    const verify = (given: string | Uint8Array) =>
      judged(() => webhooks.verify(given, headersOf(vector), vector.secrets.split(' '), { now }));
    expect(await verify(vector.body)).toBe(vector.expected);
    expect(await verify(Buffer.from(vector.body))).toBe(vector.expected);
  });

  it.each(published.vectors)('is judged alike by the library of the specification: $name', async (vector) => {
    vi.useFakeTimers({ now: Number(vector.now) * 1000, toFake: ['Date'] });
    const outcomes = await Promise.all(
      vector.secrets
        .split(' ')
        .map((each) => judged(() => new Webhook(each).verify(vector.body, headersOf(vector)))),
    );
    expect(outcomes.includes('valid')).toBe(vector.expected === 'valid');
  });

  it('are of every kind', () => {
    const kinds = new Set(published.vectors.map(({ expected }) => expected));
    expect([...kinds].sort()).toEqual([
      'misshaped-header',
      'missing-header',
      'too-new',
      'too-old',
      'valid',
      'wrong-signature',
    ]);
  });
});

describe('signing', () => {
  const bodies = fc
    .string({ unit: 'binary', maxLength: 200 })
    .map((text) => JSON.stringify({ ...event, text }));

  it('is what the library of the specification signs and verifies', async () => {
    const same = async (given: string, bytes: Uint8Array) => {
      const own = `whsec_${Buffer.from(bytes).toString('base64')}`;
      const headers = await webhooks.sign(given, own, { id: 'EVT_7' });
      const library = new Webhook(own);
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      expect(library.sign('EVT_7', at, given)).toBe(headers['webhook-signature']);
      expect(library.verify(given, headers)).toEqual(JSON.parse(given));
      expect(await webhooks.verify(given, headers, own)).toEqual(JSON.parse(given));
    };
    const secrets = fc.uint8Array({ minLength: 24, maxLength: 64 });
    await fc.assert(fc.asyncProperty(bodies, secrets, same), { numRuns: 200 });
  });

  it('makes a signature with each secret, and one of them is enough', async () => {
    const [old, others] = [webhooks.newSecret(), webhooks.newSecret()];
    const headers = await webhooks.sign(body, [secret, old], { id: 'EVT_7' });
    expect(headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
    expect(await webhooks.verify(body, headers, old)).toEqual(event);
    expect(await webhooks.verify(body, headers, [others, secret])).toEqual(event);
    expect(await judged(() => webhooks.verify(body, headers, others))).toBe('wrong-signature');
  });

  it('makes secrets of 32 random bytes', () => {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhooks.newSecret()).not.toBe(secret);
  });
});

describe('verifying', () => {
  it('takes headers of fetch and of Node, in any case', async () => {
    const headers = await webhooks.sign(body, secret, { id: 'EVT_7' });
    const capital = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
    const lists = Object.entries(headers).map(([name, value]) => [name, [value]]);
    for (const given of [new Headers(headers), Object.fromEntries(capital), Object.fromEntries(lists)])
      expect(await webhooks.verify(body, given, secret)).toEqual(event);
  });

  it('says which header is missing, and how old is too old', async () => {
    const headers = await webhooks.sign(body, secret, { id: 'EVT_7' });
    for (const name of Object.keys(headers)) {
      const { [name as keyof typeof headers]: _left, ...rest } = headers; // of its own keys
      await expect(webhooks.verify(body, rest, secret)).rejects.toThrow(`the header ${name} is missing`);
    }
    const twice = { ...headers, 'webhook-id': ['EVT_7', 'EVT_8'] };
    expect(await judged(() => webhooks.verify(body, twice, secret))).toBe('missing-header');
    const later = { now: () => Date.now() + 61_000, toleranceSeconds: 60 };
    await expect(webhooks.verify(body, headers, secret, later)).rejects.toThrow(/sent 6\d s ago, where 60 s/);
  });

  it('knows no event in a text that is none, though it was signed', async () => {
    for (const text of ['', '[]', 'null', '7', '{', '{"type":"ping"}']) {
      const headers = await webhooks.sign(text, secret, { id: 'EVT_7' });
      expect(await judged(() => webhooks.verify(text, headers, secret))).toBe('no-event');
    }
    const bytes = Buffer.concat([Buffer.from(body), Buffer.from([0xff])]);
    const headers = await webhooks.sign(bytes, secret, { id: 'EVT_7' });
    expect(await judged(() => webhooks.verify(bytes, headers, secret))).toBe('no-event');
  });

  it.each([
    ['', 'is missing'],
    [[], 'is missing'],
    [undefined, 'is missing'],
    ['sk_test_4eC39HqLyjWDarjtT1zdp7dcQ2mVn8XsKb5RfGhZ0aA1tTM6K', 'of an API key'],
    [secret.slice(6), 'does not begin with whsec_'],
    [`${secret}\n`, 'newline at its end'],
    [`${secret.slice(0, -1)}!`, 'not base64'],
    [secret.slice(0, -1), 'not base64'],
    ['whsec_YWJj', 'is cut'],
    [`whsec_${'YWJj'.repeat(22)}`, 'is cut'],
    [[secret, 'whsec_'], 'not base64'],
  ])('refuses a secret that is none, and does not repeat it: case %#', async (given, message) => {
    const headers = await webhooks.sign(body, secret, { id: 'EVT_7' });
    const refused = webhooks.verify(body, headers, given as string); // as a caller without types would
    await expect(refused).rejects.toThrow(TypeError);
    await expect(refused).rejects.toThrow(message);
    const told = await refused.catch((error: Error) => error.message);
    for (const each of [given].flat()) if (each && each.length > 8) expect(told).not.toContain(each.trim());
  });

  it('refuses a body that was parsed', async () => {
    const headers = await webhooks.sign(body, secret, { id: 'EVT_7' });
    const parsed = event as unknown as string; // as a caller without types would
    await expect(webhooks.verify(parsed, headers, secret)).rejects.toThrow('as they came');
  });

  it('gives an event whose type tells its data', async () => {
    const text = JSON.stringify({ ...event, type: 'transfer.created', data: { transferId: 'TRF_1' } });
    const given = await webhooks.verify(text, await webhooks.sign(text, secret, { id: 'EVT_7' }), secret);
    if (given.type !== 'transfer.created') throw new Error('another type');
    expectTypeOf(given.data).toEqualTypeOf<Transfer>();
    expect(given.data.transferId).toBe('TRF_1');
  });
});
