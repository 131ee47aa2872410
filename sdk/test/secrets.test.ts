import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Portico } from '../src/index.ts';
import { PorticoPortal } from '../src/portal/index.ts';
import { answer, openLoopback, someKey } from './service.ts';

const baseUrl = 'http://127.0.0.1:1';

const shown = (value: unknown) =>
  [
    String(value),
    JSON.stringify(value),
    inspect(value, { depth: 9, showHidden: true, getters: true }),
  ].join();

const thrownBy = (work: () => unknown) => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('a secret', () => {
  it('is not shown by the client', () => {
    expect(shown(new Portico({ baseUrl, ...someKey }))).not.toContain(someKey.secret);
    const tokens = { accessToken: 'jwt-of-mine', turnstileToken: 'solved-by-me' };
    expect(shown(new PorticoPortal({ baseUrl, ...tokens }))).not.toMatch(/jwt-of-mine|solved-by-me/);
  });

  it('is not in an error of any kind', async () => {
    const echo = await openLoopback((request, response) =>
      response.writeHead(500).end(JSON.stringify(request.headers)),
    );
    const answered = await new Portico({ baseUrl: echo.url, ...someKey }).ping().catch(shown);
    const created = await openLoopback(answer(201, '{"apiKeyId":"ak","secret":"sk_live_new"}'));
    const portal = new PorticoPortal({ baseUrl: created.url, accessToken: 'jwt-of-mine' });
    const misread = await portal.createApiKey('WS_DEMO', { name: 'x' }).catch(shown);
    const unanswered = await new Portico({ baseUrl, ...someKey, retries: 0 }).ping().catch(shown);
    await Promise.all([echo.close(), created.close()]);
    expect(`${answered}${misread}${unanswered}`).not.toMatch(/sk_test|sk_live|jwt-of-mine/);
  });

  it('is not repeated when it cannot be sent', async () => {
    const portal = new PorticoPortal({ baseUrl, accessToken: 'jwt-of-mine\n\n', retries: 0 });
    const error = await portal.me().catch((reason: unknown) => reason);
    const spoilt = await new PorticoPortal({ baseUrl, accessToken: 'jwt-of-mine\r\nx: y', retries: 0 })
      .me()
      .catch((reason: unknown) => reason);
    expect(spoilt).toBeInstanceOf(TypeError);
    expect(shown(error) + shown(spoilt)).not.toContain('jwt-of-mine');
  });
});

describe('options that cannot work', () => {
  it.each([
    ['no secret', { secret: '' }],
    ['no key id', { apiKeyId: '' }],
    ['a base URL that is none', { baseUrl: 'localhost' }],
    ['a base URL of another kind', { baseUrl: 'file:///etc' }],
    ['a base URL with a password', { baseUrl: 'http://me:hunter2@localhost' }],
    ['a base URL that is none, with a password', { baseUrl: 'http://me:hunter2@:port' }],
    ['no time at all', { timeoutMs: 0 }],
    ['endless time', { timeoutMs: Number.POSITIVE_INFINITY }],
    ['half a retry', { retries: 0.5 }],
    ['less than no retry', { retries: -1 }],
  ])('%s is refused at once, without repeating a secret', (_name, wrong) => {
    const error = thrownBy(() => new Portico({ baseUrl, ...someKey, ...wrong }));
    expect(error).toBeInstanceOf(TypeError);
    expect(shown(error)).not.toMatch(/hunter2|sk_test/);
  });
});
