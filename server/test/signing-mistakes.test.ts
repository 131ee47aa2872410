import { createHash, createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findMistake, signingMistakes } from '../src/auth/signed/signing-mistakes.ts';
import { createKey, type Key, openWorld, portalCall, signIn, type World } from './world.ts';

const basePath = '/portico';
const path = '/api/v1/transfers';
/** Has something of everything that can be got wrong. */
const query = 'sort=status,desc&page=0&size=20&sort=amount,asc&currency=%55SD&reference=a+b%20c';
const canonical = 'currency=USD&page=0&reference=a%20b%20c&size=20&sort=status%2Cdesc&sort=amount%2Casc';
const body = '{ "to":"Zürich, \\"CH\\"",   "amounts": [1, 2]}';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (secret: string | Buffer, text: string) => createHmac('sha256', secret).update(text);

/** The eight lines as they should be, by name, so that a client can get one of them wrong. */
function rightLines(apiKeyId: string, nonce: string, sent = body) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const target = { scheme: 'PORTICO1-HMAC-SHA256', method: 'GET', path, query: canonical };
  return { ...target, timestamp, nonce, apiKeyId, hash: sha256(sent) };
}
type Lines = ReturnType<typeof rightLines>;
const joined = (lines: Partial<Lines>, by = '\n') => Object.values(lines).join(by);

type Secrets = { current: string; former: string; live: string };
type Client = ((lines: Lines, secrets: Secrets, base: string) => string) & {
  /** What it says in X-Content-Sha256. */
  states?: string;
};

const hex = (text: (lines: Lines) => string): Client => {
  return (lines, { current }) => hmac(current, text(lines)).digest('hex');
};
const instead = (change: (lines: Lines) => Partial<Lines>) =>
  hex((lines) => joined({ ...lines, ...change(lines) }));
/** Wrong lines that have the base path in them, where there is one. */
const at =
  (change: (base: string) => Partial<Lines>): Client =>
  (lines, { current }, base) =>
    hmac(current, joined({ ...lines, ...change(base) })).digest('hex');
const put = (wrong: Partial<Lines>) => instead(() => wrong);
const leftOut = (name: keyof Lines) =>
  hex((lines) => joined(Object.fromEntries(Object.entries(lines).filter(([key]) => key !== name))));
const signed = (sign: (secret: string, text: string) => string): Client => {
  return (lines, { current }) => sign(current, joined(lines));
};
const keyed = (change: (secret: string) => string | Buffer) =>
  signed((secret, text) => hmac(change(secret), text).digest('hex'));

const unsorted = 'sort=status%2Cdesc&page=0&size=20&sort=amount%2Casc&currency=USD&reference=a%20b%20c';
const sortedValues = 'currency=USD&page=0&reference=a%20b%20c&size=20&sort=amount%2Casc&sort=status%2Cdesc';
const sortedPieces = query.split('&').sort().join('&');
const sortedNames = 'currency=%55SD&page=0&reference=a+b%20c&size=20&sort=status,desc&sort=amount,asc';

const keyIdAsSecret: Client = (lines) => hmac(lines.apiKeyId, joined(lines)).digest('hex');

/** For every mistake clients that make it, and no other. */
const clients: Record<string, Client[]> = {
  'the method is in lower case': [put({ method: 'get' })],
  'the path has the base path before /api/': [put({ path: `${basePath}${path}` })],
  'the path lacks /api': [put({ path: '/v1/transfers' })],
  'the path lacks /api/v1': [put({ path: '/transfers' })],
  'the path is a whole URL': [
    'http://portico.example:8443',
    'https://portico.example:8443',
    'http://127.0.0.1:8080',
  ].flatMap((origin) => [
    at((base) => ({ path: `${origin}${base}${path}` })),
    at((base) => ({ path: `${origin}${base}${path}?${query}` })),
    at((base) => ({ path: `${origin}${base}${path}?${query}`, query: '' })),
  ]),
  'the path has the query behind it': [
    put({ path: `${path}?${query}` }),
    put({ path: `${path}?${query}`, query: '' }),
  ],
  'the query is left out': [put({ query: '' }), leftOut('query')],
  'the query is not sorted': [put({ query: unsorted })],
  'the query is as it was sent, not encoded anew': [query, `?${query}`, sortedPieces, sortedNames].map(
    (raw) => put({ query: raw }),
  ),
  'a + in the query is kept instead of read as a space': [
    put({ query: canonical.replace('a%20b', 'a%2Bb') }),
  ],
  'a space in the query is written as + instead of %20': [put({ query: canonical.replaceAll('%20', '+') })],
  'the query is encoded in lower case': [put({ query: canonical.replaceAll('%2C', '%2c') })],
  'repeated parameters are sorted by their values': [put({ query: sortedValues })],
  'the nonce and the timestamp are swapped': [
    instead(({ timestamp, nonce }) => ({ timestamp: nonce, nonce: timestamp })),
  ],
  'the nonce is written otherwise than in X-Nonce': [
    instead(({ nonce }) => ({ nonce: nonce.toUpperCase() })),
    instead(({ nonce }) => ({ nonce: nonce.replaceAll('-', '') })),
    instead(({ nonce }) => ({ nonce: nonce.replaceAll('-', '').toUpperCase() })),
    instead(({ nonce }) => ({ nonce: `{${nonce}}` })),
    instead(({ nonce }) => ({ nonce: `{${nonce.toUpperCase()}}` })),
  ],
  'the key id is left out': [leftOut('apiKeyId'), put({ apiKeyId: '' })],
  'the hash of the body is left out': [leftOut('hash'), put({ hash: '' })],
  'the hash is of {} instead of the bytes of the body': [put({ hash: sha256('{}') })],
  'the hash is of the body written as JSON anew': [
    '{"to":"Zürich, \\"CH\\"","amounts":[1,2]}',
    '{"to": "Zürich, \\"CH\\"", "amounts": [1, 2]}',
    '{\n  "to": "Zürich, \\"CH\\"",\n  "amounts": [\n    1,\n    2\n  ]\n}',
  ].map((text) => put({ hash: sha256(text) })),
  'the hash of the body is in upper case': [instead(({ hash }) => ({ hash: hash.toUpperCase() }))],
  'the hash of the body is in base64': [
    instead(({ hash }) => ({ hash: Buffer.from(hash, 'hex').toString('base64') })),
    instead(({ hash }) => ({ hash: Buffer.from(hash, 'hex').toString('base64url') })),
  ],
  'the hash is of no bytes, though a body was sent': [put({ hash: sha256('') })],
  'the hash of the body is signed, and X-Content-Sha256 states another': [
    Object.assign(
      hex((lines) => joined(lines)),
      { states: sha256('another') },
    ),
  ],
  'there is a newline after the last line': [hex((lines) => `${joined(lines)}\n`)],
  'the lines are joined by CRLF': [
    hex((lines) => joined(lines, '\r\n')),
    hex((lines) => `${joined(lines, '\r\n')}\r\n`),
  ],
  'the lines are joined by a backslash and an n': [hex((lines) => joined(lines, '\\n'))],
  'the first line, with the scheme, is missing': [leftOut('scheme')],
  'the signature is in base64': [
    signed((secret, text) => hmac(secret, text).digest('base64')),
    signed((secret, text) => hmac(secret, text).digest('base64url')),
    signed((secret, text) => `${hmac(secret, text).digest('base64url')}=`),
  ],
  'the signature is in upper case': [
    signed((...by) =>
      hmac(...by)
        .digest('hex')
        .toUpperCase(),
    ),
  ],
  'the signature is HMAC-SHA-1': [
    signed((secret, text) => createHmac('sha1', secret).update(text).digest('hex')),
  ],
  'the signature is a plain SHA-256 of secret and text': [
    signed((secret, text) => sha256(secret + text)),
    signed((secret, text) => sha256(`${text}\n${secret}`)),
  ],
  'the secret lacks its prefix': [keyed((secret) => secret.slice('sk_test_'.length))],
  'the secret was decoded as base64': [
    keyed((secret) => Buffer.from(secret, 'base64')),
    keyed((secret) => Buffer.from(secret.replaceAll('_', ''), 'base64')),
    keyed((secret) => Buffer.from(secret.slice('sk_test_'.length), 'base64')),
  ],
  'the secret was decoded as hex, or is empty': [
    keyed((secret) => Buffer.from(secret, 'hex')),
    keyed(() => ''),
  ],
  'the secret has a newline at its end': [
    keyed((secret) => `${secret}\n`),
    keyed((secret) => `${secret}\r\n`),
  ],
  'the secret is in quotes': [keyed((secret) => `"${secret}"`), keyed((secret) => `'${secret}'`)],
  'the secret is the previous one, which no longer works': [
    (lines, { former }) => hmac(former, joined(lines)).digest('hex'),
  ],
  'the secret is that of a LIVE key': [(lines, { live }) => hmac(live, joined(lines)).digest('hex')],
  'the secret is the key id': [keyIdAsSecret],
  'the timestamp in the signed text is another than in X-Timestamp': [-2, 1].map((seconds) =>
    instead(({ timestamp }) => ({ timestamp: String(Number(timestamp) + seconds) })),
  ),
  'the timestamp is in milliseconds in the signed text': ['000', '007', '999'].map((digits) =>
    instead(({ timestamp }) => ({ timestamp: `${timestamp}${digits}` })),
  ),
};

const variants = Object.entries(clients).flatMap(([did, each]) => each.map((client) => ({ did, client })));

const unknown = 'the API key is unknown or the signature does not match';
const unexplainedProblem = `${unknown}, and no known mistake explains it`;
const unexplained = `${unexplainedProblem}; with Accept: application/problem+json the answer has the text to sign`;
const lowerCase: Client = put({ method: 'get' });
const right = hex((lines) => joined(lines));

describe('a wrong signature', () => {
  let plain: World;
  let world: World;
  let test: Key;
  let live: Key;
  let secrets: Secrets;

  beforeAll(async () => {
    plain = await openWorld();
    const old = await createKey(plain, { mode: 2 });
    live = await createKey(plain);
    const url = `/web/v1/workspaces/WS_DEMO/api-keys/${old.apiKeyId}/rotate`;
    const rotated = await portalCall(plain, await signIn(plain), { url, body: { graceSeconds: 0 } });
    test = rotated.json().data;
    secrets = { current: test.secret, former: old.secret, live: live.secret };
    world = await openWorld({ env: { PORTICO_BASE_PATH: basePath }, database: plain.database });
  });
  afterAll(async () => {
    await world.close();
    await plain.close();
  });

  type Sent = { key?: Key; at?: World; problem?: boolean; nonce?: string; content?: string; from?: string };

  async function send(client: Client, sent: Sent = {}) {
    const { key = test, at: on = world, nonce = randomUUID(), content = body } = sent;
    const base = on === plain ? '' : basePath;
    const own = rightLines(key.apiKeyId, nonce, content);
    const { states } = client;
    const lines = states === undefined ? own : { ...own, hash: states };
    const response = await on.app.inject({
      method: 'GET',
      url: `${base}${path}?${query}`,
      headers: {
        host: 'portico.example:8443',
        'x-api-key': key.apiKeyId,
        'x-timestamp': lines.timestamp,
        'x-nonce': nonce,
        'x-signature': client(own, { ...secrets, current: key.secret }, base),
        ...(states === undefined ? {} : { 'x-content-sha256': states }),
        ...(sent.problem ? { accept: 'application/problem+json' } : {}),
      },
      payload: content,
      ...(sent.from === undefined ? {} : { remoteAddress: sent.from }),
    });
    return { status: response.statusCode, answer: response.json(), text: response.body, lines };
  }

  /** What must not be found in any answer or log: where no half of a secret is, no whole one is. */
  const hidden = (lines: Lines) => {
    const digest = hmac(test.secret, joined(lines)).digest();
    return [
      ...Object.values(secrets).flatMap((secret) => [secret.slice(8, 24), secret.slice(-24)]),
      digest.toString('hex'),
      digest.toString('base64').slice(0, 43),
      digest.toString('base64url'),
    ].map((text) => text.toLowerCase());
  };

  it('has a client here for every mistake that is recognised', () => {
    expect(Object.keys(clients)).toEqual(Object.keys(signingMistakes));
  });

  it.each(variants.map(({ did, client }, at) => [did, at, client] as const))(
    'is explained to the holder of a TEST key: %s (%#)',
    async (did, _at, client) => {
      const nonce = randomUUID();
      const { status, answer } = await send(client, { nonce });
      expect([status, answer]).toEqual([
        401,
        { success: false, code: '4012', message: `the signature does not match: ${did}` },
      ]);
      const { answer: problem, text, lines } = await send(client, { nonce, problem: true });
      expect(problem).toMatchObject({ code: '4012', stringToSign: joined(lines) });
      expect(problem.message).toBe(`the signature does not match: ${did}`);
      const seen = (text + world.logs()).toLowerCase();
      for (const secret of hidden(lines)) expect(seen).not.toContain(secret);
      expect((await send(right, { nonce })).status).toBe(200);
    },
  );

  it('is explained without the base path where there is none', async () => {
    for (const { did, client } of variants.filter(({ did }) => !did.includes('base path'))) {
      const { answer } = await send(client, { at: plain });
      expect(answer.message).toBe(`the signature does not match: ${did}`);
    }
  });

  it('of a LIVE key is answered like that of a key that does not exist, whatever the mistake', async () => {
    const noKey = { apiKeyId: 'ak_live_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E', secret: live.secret };
    for (const { did, client } of variants.filter(({ did }) => !did.includes('LIVE'))) {
      const known = await send(client, { key: live, problem: true });
      const missing = await send(client, { key: noKey, problem: true });
      expect([did, known.status, known.answer.message]).toEqual([did, 401, unknown]);
      expect(known.answer).toEqual({ ...missing.answer, instance: known.answer.instance });
      expect(known.answer).not.toHaveProperty('stringToSign');
    }
  });

  it('that nothing explains reads the same for a TEST key and for an id that does not exist', async () => {
    const noKey = { apiKeyId: 'ak_test_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E', secret: test.secret };
    for (const client of [() => '0'.repeat(64), () => 'x', keyed(() => ''), keyIdAsSecret]) {
      const known = await send(client, { problem: true });
      const missing = await send(client, { key: noKey, problem: true });
      expect(known.answer.message).toBe(missing.answer.message);
      expect(Object.keys(known.answer)).toEqual(Object.keys(missing.answer));
      expect(missing.answer.stringToSign).toBe(joined(missing.lines));
    }
    // Nobody is told to ask for what was asked for.
    const { answer } = await send(() => 'x', { problem: true });
    expect([answer.message, answer.detail]).toEqual([unexplainedProblem, unexplainedProblem]);
    // Two need no secret to be recognised, and so are told of any id.
    const others = variants.filter(({ did }) => !/empty|is the key id/.test(did));
    for (const { client } of others)
      expect((await send(client, { key: noKey })).answer.message).toBe(unexplained);
  });

  it('over a body of more than 64 KiB is not explained, and of 64 KiB is', async () => {
    const full = await send(lowerCase, { content: 'x'.repeat(65_536) });
    expect(full.answer.message).toContain('the method is in lower case');
    const over = await send(lowerCase, { content: 'x'.repeat(65_537), problem: true });
    expect([over.status, over.answer.message]).toEqual([401, unknown]);
    expect(over.answer).not.toHaveProperty('stringToSign');
  });

  it('is explained 30 times a minute to one address, over all key ids; a right one always passes', async () => {
    const nowMs = Date.now();
    const limited = await openWorld({
      clock: { now: () => nowMs, advance: () => {} },
      env: { PORTICO_BASE_PATH: basePath, PORTICO_LIMIT_BAD_SIGNATURE: '30/30' },
      database: plain.database,
    });
    const ask = (index: number, from = '198.51.100.7') => {
      const apiKeyId = `ak_test_01JGFZ3Q7W8X9Y0Z1A2B3C4D${String(index).padStart(2, '0')}`;
      return send(lowerCase, { key: { ...test, apiKeyId }, at: limited, from });
    };
    for (let index = 0; index < 30; index += 1) {
      expect((await ask(index)).answer.message).toBe(unexplained);
    }
    expect((await ask(30)).answer.message).toBe(unknown);
    expect((await send(lowerCase, { at: limited, from: '198.51.100.7' })).answer.message).toBe(unknown);
    expect((await ask(31, '203.0.113.7')).answer.message).toBe(unexplained);
    expect((await send(right, { at: limited, from: '198.51.100.7' })).status).toBe(200);
    await limited.close();
  });
});

describe('the search for a mistake', () => {
  const suspect = {
    parts: { method: 'GET', path, query, timestamp: '1767225600', nonce: 'n', apiKeyId: 'ak_test_x' },
    basePath,
    origins: ['https://portico.example'],
    secret: `sk_test_${'0'.repeat(49)}`,
    formerSecrets: ['former'],
    liveSecrets: Array.from({ length: 50 }, (_none, index) => `live ${index}`),
  };
  const find = (parts: { query?: string; body: Buffer }, pause = async () => {}) =>
    findMistake({ ...suspect, parts: { ...suspect.parts, ...parts } }, 'x', pause);

  it('copes with a long query and a deep body', async () => {
    expect(await find({ query: '%&'.repeat(4000), body: Buffer.alloc(0) })).toBeUndefined();
    const deep = (levels: number) => Buffer.from('{"a":'.repeat(levels) + 1 + '}'.repeat(levels));
    for (const levels of [33, 3000, 10_000]) expect(await find({ body: deep(levels) })).toBeUndefined();
  });

  it('may give others their turn after each of more than a thousand tries', async () => {
    let turns = 0;
    await find({ body: Buffer.from(body) }, async () => {
      turns += 1;
    });
    expect(turns).toBeGreaterThan(1000);
  });
});
