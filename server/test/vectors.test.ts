import { createHash, createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secretChecksum } from '../src/auth/secrets/key-material.ts';
import { secretOwner } from '../src/auth/signed/api-key-lookup.ts';
import { canonicalQuery, scheme, sign, stringToSign } from '../src/auth/signed/signature.ts';
import { signingMistakes } from '../src/auth/signed/signing-mistakes.ts';
import { chainErrors } from '../src/contract/describe.ts';
import { sql } from '../src/db/sql.ts';
import { exchange, listen, requestBytes } from './raw-http.ts';
import { createKey, openWorld, type World } from './world.ts';

type Request = {
  method: string;
  path: string;
  query: string;
  body?: string;
  bodyBase64?: string;
  contentSha256?: string;
  timestamp: string;
  nonce: string;
  apiKeyId: string;
};
type Vector = {
  name: string;
  secret: string;
  request: Request;
  canonicalQuery: string;
  stringToSign: string;
  signature: string;
};

const read = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');
const file = JSON.parse(read('signing-vectors.json')) as { scheme: string; vectors: Vector[] };
const { vectors } = file;
const [first] = vectors as [Vector];
const guide = read('signing.md');

const bodyOf = ({ body, bodyBase64 }: Request) =>
  bodyBase64 === undefined ? Buffer.from(body ?? '') : Buffer.from(bodyBase64, 'base64');
/** As the server's own code takes it: one character a byte. */
const wire = (text: string) => Buffer.from(text).toString('latin1');

/** Written from the words of docs/signing.md, byte by byte, and sharing no line with the server. */
function fromTheGuide(secret: string, request: Request) {
  const keep = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~';
  const encode = (bytes: Buffer): string => {
    let text = '';
    for (let at = 0; at < bytes.length; at += 1) {
      let byte = bytes[at] as number; // at is below the length
      const digits = bytes.toString('latin1', at + 1, at + 3);
      if (byte === 0x2b) byte = 0x20;
      else if (byte === 0x25 && /^[0-9a-fA-F]{2}$/.test(digits)) {
        byte = Number.parseInt(digits, 16);
        at += 2;
      }
      const letter = String.fromCharCode(byte);
      text += keep.includes(letter) ? letter : `%${(byte + 0x100).toString(16).slice(1).toUpperCase()}`;
    }
    return text;
  };
  const lists = new Map<string, string[]>();
  for (const piece of request.query.split('&')) {
    if (piece === '') continue;
    const [name = '', ...rest] = piece.split('=');
    const key = encode(Buffer.from(name));
    lists.set(key, [...(lists.get(key) ?? []), encode(Buffer.from(rest.join('=')))]);
  }
  const names = [...lists.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const query = names.flatMap((name) => (lists.get(name) ?? []).map((value) => `${name}=${value}`)).join('&');
  const hash = createHash('sha256').update(bodyOf(request)).digest('hex');
  const { method, path, timestamp, nonce, apiKeyId } = request;
  const text = `PORTICO1-HMAC-SHA256\n${method}\n${path}\n${query}\n${timestamp}\n${nonce}\n${apiKeyId}\n${hash}`;
  const signature = createHmac('sha256', Buffer.from(secret)).update(Buffer.from(text)).digest('hex');
  return { canonicalQuery: query, stringToSign: text, signature };
}

const expected = ({ canonicalQuery, stringToSign, signature }: Vector) => ({
  canonicalQuery,
  stringToSign,
  signature,
});

describe('the published vectors', () => {
  it('are at least thirty of different names, begin with the worked example and name the scheme', () => {
    expect(file.scheme).toBe(scheme);
    expect(vectors.length).toBeGreaterThanOrEqual(30);
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
    expect(first.signature).toBe('17cf555ddf2b8d81575856e2b258dde8fc590c8d8683eb9feb8d5a36862ace10');
  });

  it('have keys and secrets of both modes in the shape of real ones', () => {
    const kinds = vectors.map(({ secret, request: { apiKeyId } }) => {
      const [, kind] = /^sk_(live|test)_[0-9A-Za-z]{49}$/.exec(secret) ?? [];
      expect(apiKeyId).toMatch(new RegExp(`^ak_${kind}_[0-9A-HJKMNP-TV-Z]{26}$`));
      expect(secretChecksum(secret.slice(0, -6))).toBe(secret.slice(-6));
      return kind;
    });
    expect(new Set(kinds)).toEqual(new Set(['test', 'live']));
  });

  it.each(vectors)('hold for the server: $name', (vector) => {
    const { secret, request } = vector;
    const text = stringToSign({ ...request, query: wire(request.query), body: bodyOf(request) });
    const stated = { query: wire(request.query), body: Buffer.alloc(0), statedHash: request.contentSha256 };
    if (request.contentSha256 !== undefined) expect(stringToSign({ ...request, ...stated })).toBe(text);
    expect({
      canonicalQuery: canonicalQuery(wire(request.query)),
      stringToSign: text,
      signature: sign(secret, text),
    }).toEqual(expected(vector));
  });

  it.each(vectors)('hold for whoever follows the guide: $name', (vector) => {
    expect(fromTheGuide(vector.secret, vector.request)).toEqual(expected(vector));
  });
});

describe('the running service', () => {
  let world: World;
  let port: number;
  let nowMs = Date.now();
  beforeAll(async () => {
    world = await openWorld({ clock: { now: () => nowMs, advance: () => {} } });
    port = await listen(world);
  });
  afterAll(() => world.close());

  /** As every HTTP client sends it: in a request target, bytes beyond ASCII are not valid HTTP. */
  const target = ({ path, query }: Request) =>
    (query === '' ? path : `${path}?${query}`).replace(/[^\x21-\x7e]+/g, encodeURIComponent);

  const send = (request: Request, signature: string) => {
    const { method, timestamp, nonce, apiKeyId } = request;
    const body = bodyOf(request);
    const bytes = requestBytes({
      method,
      target: target(request),
      headers: [
        ['X-Api-Key', apiKeyId],
        ['X-Timestamp', timestamp],
        ['X-Nonce', nonce],
        ['X-Signature', signature],
        ...(request.contentSha256 === undefined
          ? []
          : [['X-Content-Sha256', request.contentSha256] as const]),
        ...(body.length === 0 ? [] : [['Content-Type', 'application/json'] as const]),
      ],
      ...(body.length === 0 ? {} : { body }),
    });
    return exchange(port, bytes, { toHead: method === 'HEAD' });
  };

  /** A key as it stands in the vectors; no portal would make one with a given secret. */
  async function insertKey({ secret, request: { apiKeyId } }: Vector) {
    const mode = apiKeyId.startsWith('ak_live_') ? 'LIVE' : 'TEST';
    await world.db.query(sql`
      insert into api_keys (id, workspace_id, name, mode, scopes, ip_whitelist, created_at)
      select ${apiKeyId}, id, 'vector', ${mode}::key_mode, ${['transfers:read', 'transfers:write', 'files:write']}::text[], ${[]}::text[], now()
      from workspaces where biz_id = 'WS_DEMO' on conflict do nothing`);
    const sealed = world.services.vault.seal(secret, secretOwner(apiKeyId, 1));
    await world.db.query(sql`
      insert into api_key_secrets (api_key_id, version, sealed) values (${apiKeyId}, 1, ${sealed}) on conflict do nothing`);
  }

  /** A nonce is claimed by a right signature and by nothing else. What the handler then says of the query is its own affair. */
  const claimed = async ({ nonce }: Request) => {
    const rows = await world.db.query(sql`delete from api_nonces where nonce = ${nonce}::uuid returning 1`);
    return rows.length === 1;
  };

  it('accepts the published signature of every vector whose endpoint exists, and no other one', async () => {
    const served = vectors.filter(({ request }) =>
      world.services.signedRoutes.some(
        ({ method, path }) => method === request.method && path === request.path,
      ),
    );
    expect(served.length).toBeGreaterThanOrEqual(30);
    for (const vector of served) {
      const { name, request, signature } = vector;
      await insertKey(vector);
      nowMs = Number(request.timestamp) * 1000;
      const wrong = signature.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
      expect([name, (await send(request, wrong)).status, await claimed(request)]).toEqual([name, 401, false]);
      const { status } = await send(request, signature);
      expect([name, [200, 201, 400], await claimed(request)]).toEqual([
        name,
        expect.arrayContaining([status]),
        true,
      ]);
    }
  });

  it('reads the query of every vector as its signer does', async () => {
    nowMs = Date.now();
    const { apiKeyId, secret } = await createKey(world, { mode: 2 });
    for (const { name, request } of vectors) {
      const timestamp = String(Math.floor(nowMs / 1000));
      const fresh = { method: 'GET', path: '/api/v1/transfers', query: request.query, timestamp };
      const call = { ...fresh, nonce: randomUUID(), apiKeyId };
      await send(call, fromTheGuide(secret, call).signature);
      expect([name, await claimed(call)]).toEqual([name, true]);
    }
  });
});

describe('docs/signing.md', () => {
  it('works through the first vector', () => {
    expect(guide).toContain(`\`\`\`\n${first.stringToSign}\n\`\`\``);
    for (const part of [first.secret, first.request.query, first.canonicalQuery, first.signature])
      expect(guide).toContain(part);
  });

  const rowsOf = (heading: string) => {
    const [, section = ''] = guide.split(`\n## ${heading}\n`);
    const [, rows = ''] = (section.split('\n## ')[0] ?? '').split(/\n\|[-|]+\|\n/);
    return [...rows.matchAll(/^\| (.*?) \|/gm)].map(([, cell = '']) => cell.replaceAll('`', ''));
  };

  it('lists every mistake that is recognised, in the order of trying, and no other', () => {
    expect(rowsOf('What the explainer says')).toEqual(Object.keys(signingMistakes));
  });

  it('lists every code that a signed request can be refused with', () => {
    expect(rowsOf('The order of checks').sort()).toEqual([...chainErrors.signed].sort());
  });
});
