import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../../../test/world.ts';
import { contentSecurityPolicy } from './page.ts';
import { portalPaths } from './routes.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function expectError(url: string, code: string, on = world, method: 'GET' | 'POST' = 'GET') {
  const answer = await on.app.inject({ method, url });
  expect([answer.statusCode, answer.json().code]).toEqual([Math.floor(Number(code) / 10), code]);
}

const scriptOf = (html: string) => /<script type="module"[^>]* src="([^"]+)"/.exec(html)?.[1] ?? '';

describe('the page', () => {
  it.each(portalPaths)('is at %s, not cached, and may not be framed', async (url) => {
    const { statusCode, headers, body } = await world.app.inject(url);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(body).toContain('<div id="root">');
  });

  it('has a policy without unsafe sources, whose nonce is that of the page and new each time', async () => {
    const answers = await Promise.all([world.app.inject('/files'), world.app.inject('/files')]);
    const nonces = answers.map(({ headers, body }) => {
      const policy = String(headers['content-security-policy']);
      const nonce = /'nonce-([\w-]{22})'/.exec(policy)?.[1] ?? '';
      expect(policy).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; img-src 'self'; font-src 'self'; frame-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      );
      expect(body).toContain(`nonce="${nonce}"`);
      expect(body).not.toContain('%nonce%');
      return nonce;
    });
    expect(new Set(nonces).size).toBe(2);
  });

  it('lets Cloudflare in for a real site key, and for nothing but script and frame', () => {
    const directives = (key: string | undefined) => contentSecurityPolicy('n', key).split('; ');
    const cloudflare = 'https://challenges.cloudflare.com';
    expect(directives('0x4AAAAAAAbcdefgh').filter((directive) => directive.includes('//'))).toEqual([
      `script-src 'self' ${cloudflare}`,
      `frame-src ${cloudflare}`,
    ]);
    for (const key of [undefined, '1x00000000000000000000AA', '3x00000000000000000000FF'])
      expect(directives(key).join()).not.toContain('//');
  });

  it('answers HEAD without a body, and no other method', async () => {
    const head = await world.app.inject({ method: 'HEAD', url: '/files' });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    await expectError('/files', '4050', world, 'POST');
  });

  const asBrowser = (url: string, accept = 'text/html,application/xhtml+xml,*/*;q=0.8', on = world) =>
    on.app.inject({ url, headers: { accept } });

  it('tells people who mistype an address, with the status of what is not there', async () => {
    for (const url of ['/nothing', '/files/x', '/docs/x', '/webs', '/api-key', '/%E4%B8%AD?a=/web/']) {
      const { statusCode, headers, body } = await asBrowser(url);
      expect([url, statusCode]).toEqual([url, 404]);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
      });
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(body).toContain('<div id="root">');
    }
    const head = await world.app.inject({
      method: 'HEAD',
      url: '/nothing',
      headers: { accept: 'text/html' },
    });
    expect([head.statusCode, head.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect((await world.app.inject('/metrics')).body).toMatch(/portico_refusals_total\{code="4041"\} [1-9]/);
  });

  it('is not sent to programs, nor where programs ask, however a path is spelt', async () => {
    for (const url of [
      '/web',
      '/web/v1/nothing',
      '/api/v1/nothing',
      '/%77eb/v1/x',
      '/assets/none.js',
      '/.well-known/x',
    ])
      expect([url, (await asBrowser(url)).json().code]).toEqual([url, '4041']);
    for (const accept of [
      '*/*',
      'application/json',
      'text/html;q=0, */*',
      'text/htmlx',
      'application/problem+json',
    ])
      expect([accept, (await asBrowser('/nothing', accept)).json().code]).toEqual([accept, '4041']);
    const post = { method: 'POST', url: '/nothing', headers: { accept: 'text/html' } } as const;
    expect((await world.app.inject(post)).json().code).toBe('4041');
    expect((await world.app.inject({ ...post, url: '/files' })).json().code).toBe('4050');
  });

  it('is at no address but its own', async () => {
    for (const url of ['/nothing', '/files/x', '/assets/', '/assets/none.js', '/assets/..%2findex.html'])
      await expectError(url, '4041');
  });
});

describe('a file of the page', () => {
  const get = (url: string, headers: Record<string, string> = {}) => world.app.inject({ url, headers });

  it('may be kept for ever, and is sent as the client takes it', async () => {
    const url = scriptOf((await get('/')).body);
    const plain = await get(url);
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
    });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const brotli = await get(url, { 'accept-encoding': 'gzip, deflate, br' });
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(brotli.rawPayload).equals(plain.rawPayload)).toBe(true);
    const gzip = await get(url, { 'accept-encoding': 'br;q=0, gzip' });
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(new Set([plain, brotli, gzip].map(({ headers }) => headers.etag)).size).toBe(3);
  });

  it('is not sent again to those who have it', async () => {
    const url = scriptOf((await get('/')).body);
    const etag = String((await get(url)).headers.etag);
    for (const known of [etag, `"other", W/${etag}`, '*']) {
      const again = await get(url, { 'if-none-match': known });
      expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
    }
    expect((await get(url, { 'if-none-match': '"other"' })).statusCode).toBe(200);
    const head = await world.app.inject({ method: 'HEAD', url });
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', etag]);
  });
});

it('lives under the base path, files included', async () => {
  const based = await openWorld({ env: { PORTICO_BASE_PATH: '/portico' }, database: world.database });
  for (const url of ['/portico', '/portico/', '/portico/files']) {
    const { statusCode, body } = await based.app.inject(url);
    expect(statusCode).toBe(200);
    expect(scriptOf(body)).toMatch(/^\/portico\/assets\/index-/);
    expect((await based.app.inject(scriptOf(body))).statusCode).toBe(200);
  }
  await expectError('/files', '4041', based);
  const person = { accept: 'text/html' };
  const missed = await based.app.inject({ url: '/portico/x', headers: person });
  expect([missed.statusCode, scriptOf(missed.body)]).toEqual([404, expect.stringMatching(/^\/portico\//)]);
  expect((await based.app.inject({ url: '/elsewhere', headers: person })).json().code).toBe('4041');
  await based.close();
});
