import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../src/db/sql.ts';
import {
  begin,
  callbackUrl,
  comeBack,
  cookieOf,
  cookiesOf,
  locationOf,
  settingOf,
  startUrl,
} from './support/oidc-browser.ts';
import { client, type OpenIdProvider, startOpenIdProvider } from './support/openid-provider.ts';
import { openWorld, portalCall, type World } from './world.ts';

const publicUrl = 'http://portal.example:8080';
const httpsUrl = 'https://portal.example';
let provider: OpenIdProvider;
let world: World;

const worldOf = (env = {}, database = world?.database) =>
  openWorld({
    env: { PORTICO_PUBLIC_URL: publicUrl, ...settingOf(provider.issuer, client), ...env },
    ...(database === undefined ? {} : { database }),
  });

beforeAll(async () => {
  provider = await startOpenIdProvider([
    `${publicUrl}${callbackUrl}`,
    `${publicUrl}/partner${callbackUrl}`,
    `${httpsUrl}${callbackUrl}`,
  ]);
  world = await worldOf();
  await world.db.query(sql`
    insert into account_identities (issuer, subject, account_id)
    select ${provider.issuer}, s.subject, a.id from accounts a
    join (values ('owner-7', 'ACC_DEMO_OWNER'), ('viewer-7', 'ACC_DEMO_VIEWER')) s (subject, account) on s.account = a.biz_id`);
});
afterAll(async () => {
  await world?.close();
  await provider?.stop();
});

const owner = { sub: 'owner-7', email: 'someone@elsewhere.test', email_verified: true, name: 'Owner' };
beforeEach(() => provider.become(owner));

/** The whole way of a browser, up to where it ends. */
async function signInThere(on = world, query = '') {
  const { location, cookie } = await begin(on, query);
  const address = await provider.visit(location);
  return { address, cookie, response: await comeBack(on, address, cookie) };
}

const failures = async () =>
  world.db.query<{ subject: string }>(
    sql`select subject_id as subject from audit_waiting where action = 'account.sign-in-failed'
        union all select subject_id from audit_log where action = 'account.sign-in-failed'`,
  );

describe('a sign-in by OpenID Connect', () => {
  it('leads to the provider by authorization code with PKCE, state and nonce', async () => {
    const { response, location } = await begin(world);
    expect(response.statusCode).toBe(302);
    expect(response.body).toBe('');
    const { origin, searchParams } = new URL(location);
    expect(origin).toBe(provider.issuer);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: client.clientId,
      response_type: 'code',
      redirect_uri: `${publicUrl}${callbackUrl}`,
      scope: 'openid email profile',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('keeps all it needs in one sealed cookie that comes back to the callback alone', async () => {
    const { response, location } = await begin(world);
    const [line = '', ...more] = cookiesOf(response);
    expect(more).toEqual([]);
    const [pair = '', ...attributes] = line.split('; ');
    expect(pair).toMatch(/^portico_oidc=[\w-]+$/);
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=600', `Path=${callbackUrl}`, 'SameSite=Lax']);
    const opened = Buffer.from(pair.split('=')[1] ?? '', 'base64url').toString('latin1');
    expect(opened).not.toContain(new URL(location).searchParams.get('state'));
  });

  it('ends in a cookie session of the bound account, whatever its e-mail there', async () => {
    const { response } = await signInThere(world, '?returnTo=/files%3Fpage=2%26sort=fileSize,asc');
    expect(response.statusCode).toBe(302);
    expect(locationOf(response)).toBe(
      '/sign-in?oidc=done&return=%2Ffiles%3Fpage%3D2%26sort%3DfileSize%2Casc',
    );
    expect(cookiesOf(response)).toContainEqual(expect.stringMatching(/^portico_oidc=; .*Max-Age=0/));
    const cookie = cookieOf(response, 'portico_refresh');
    const renewed = await portalCall(world, undefined, {
      url: '/web/v1/auth/refresh',
      body: {},
      headers: { cookie, origin: publicUrl },
    });
    const me = await portalCall(world, renewed.json().data.accessToken, {
      method: 'GET',
      url: '/web/v1/auth/me',
    });
    expect(me.json().data.account.bizId).toBe('ACC_DEMO_OWNER');
  });

  it('is offered to the sign-in page by its label, and by nothing else', async () => {
    const { data } = (await world.app.inject('/web/v1/auth/config')).json();
    expect(data.openIdConnect).toEqual({ label: 'Example ID' });
  });

  it('goes on after the provider has changed its key, without a restart', async () => {
    await signInThere();
    await provider.rotateKey();
    world.clock.advance(5.1); // keys are asked for again after a rest
    expect(locationOf((await signInThere()).response)).toBe('/sign-in?oidc=done');
    world.clock.advance(-5.1);
  });

  it('keeps to the base path, and under https to cookies that only https sets', async () => {
    const partner = await worldOf({ PORTICO_BASE_PATH: '/partner' });
    const secure = await worldOf({ PORTICO_PUBLIC_URL: httpsUrl });
    const { response } = await signInThere(partner, '?returnTo=/files');
    expect(locationOf(response)).toBe('/partner/sign-in?oidc=done&return=%2Ffiles');
    expect(cookiesOf(response)[0]).toContain(`Path=/partner${callbackUrl};`);
    const { response: https, cookie } = await signInThere(secure);
    expect(cookie).toMatch(/^__Secure-portico_oidc=/);
    expect(cookiesOf(https)).toEqual([
      expect.stringMatching(/^__Secure-portico_oidc=; .*; Secure$/),
      expect.stringMatching(/^__Secure-portico_refresh=rt_.*; Secure$/),
    ]);
    await partner.close();
    await secure.close();
  });
});

describe('nobody is signed in', () => {
  const expectNobody = (response: Awaited<ReturnType<typeof comeBack>>, reason: string) => {
    expect([response.statusCode, locationOf(response)]).toEqual([302, `/sign-in?oidc=${reason}`]);
    expect(cookieOf(response, 'portico_refresh')).toBe('');
  };

  it('whom no account is bound to, though an account has the e-mail', async () => {
    provider.become({ sub: 'stranger', email: 'owner@demo.test', email_verified: true, name: 'Demo Owner' });
    expectNobody((await signInThere()).response, 'unknown');
  });

  it('whose account is disabled, which is told as if there were none, and written down by its name', async () => {
    await world.db.query(sql`update accounts set status = 'DISABLED' where biz_id = 'ACC_DEMO_VIEWER'`);
    provider.become({ sub: 'viewer-7' });
    await world.services.failedSignIns.flush(world.db, true);
    expectNobody((await signInThere()).response, 'unknown');
    expect(await failures()).toContainEqual({ subject: 'ACC_DEMO_VIEWER' });
  });

  it('who says no at the provider, which is no failure', async () => {
    await world.services.failedSignIns.flush(world.db, true);
    const before = (await failures()).length;
    provider.become(undefined);
    expectNobody((await signInThere()).response, 'cancelled');
    expect((await failures()).length).toBe(before);
  });

  it('by a callback that is sent a second time: the code works once', async () => {
    const { address, cookie, response } = await signInThere();
    expect(locationOf(response)).toBe('/sign-in?oidc=done');
    expectNobody(await comeBack(world, address, cookie), 'failed');
  });

  it('by a callback of another browser, with no cookie, two, a forged one, or one of its own', async () => {
    const own = await begin(world);
    for (const forge of [
      () => '',
      (cookie: string) => `${cookie}; ${own.cookie}`,
      (cookie: string) => `${cookie.slice(0, -6)}AAAAAA`,
      () => 'portico_oidc=%00',
      () => own.cookie,
    ]) {
      const { location, cookie } = await begin(world);
      const address = await provider.visit(location);
      expectNobody(await comeBack(world, address, forge(cookie)), 'failed');
    }
  });

  it('by a state that is not that of the browser, is missing, or is there twice', async () => {
    for (const change of [/state=[^&]+/, /state=/, /$/]) {
      const { location, cookie } = await begin(world);
      const address = await provider.visit(location);
      const state = new URL(location).searchParams.get('state');
      const forged = address.replace(change, change.source === '$' ? `&state=${state}` : 'state=x&x=');
      expectNobody(await comeBack(world, forged, cookie), 'failed');
    }
  });

  it('by an answer in the name of another issuer', async () => {
    const { location, cookie } = await begin(world);
    const address = new URL(await provider.visit(location));
    address.searchParams.set('iss', 'https://other.example');
    expectNobody(await comeBack(world, address.href, cookie), 'failed');
  });

  it('who took longer than ten minutes', async () => {
    const { location, cookie } = await begin(world);
    const address = await provider.visit(location);
    world.clock.advance(601);
    expectNobody(await comeBack(world, address, cookie), 'failed');
    world.clock.advance(-601);
    // The code was not spent on it.
    expect(locationOf(await comeBack(world, address, cookie))).toBe('/sign-in?oidc=done');
  });

  it('and what failed is written down once for an address, then counted', async () => {
    await world.services.failedSignIns.flush(world.db, true);
    const before = (await failures()).length;
    for (let attempt = 0; attempt < 3; attempt += 1)
      await comeBack(world, `${callbackUrl}?code=x&state=y`, '');
    expect((await failures()).length).toBe(before + 1);
    await world.services.failedSignIns.flush(world.db, true);
    expect((await failures()).length).toBe(before + 2);
  });

  it('and no secret, token, code or state is logged', async () => {
    const { location, cookie } = await begin(world);
    const address = new URL(await provider.visit(location));
    await comeBack(world, address.href, cookie);
    await comeBack(world, address.href, cookie);
    const { code = '', state = '' } = Object.fromEntries(address.searchParams);
    for (const word of [client.clientSecret, code, state, cookie.slice(20), 'eyJ'])
      expect(world.logs()).not.toContain(word);
    expect(world.logs()).toContain('invalid_grant');
  });
});

describe('start and callback', () => {
  it('are for browsers that go there: HEAD and PUT reach neither', async () => {
    for (const method of ['HEAD', 'PUT'] as const)
      for (const url of [startUrl, callbackUrl])
        expect([method, url, (await world.app.inject({ method, url })).statusCode]).toEqual([
          method,
          url,
          405,
        ]);
  });
});

describe('the page to return to', () => {
  it('is a page of the portal, or the request is refused by the name of the field', async () => {
    const attacks = [
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https://evil.example',
      'evil',
      '',
    ];
    const hidden = [
      '/%2f..',
      '/%5cevil',
      '/..//evil',
      '/./files',
      '/a//b',
      '/files#x',
      '/ files',
      '/\t/evil',
      '/\n/evil',
    ];
    const strange = [
      '/files?a=\u0000',
      '/files?a=\r\nx',
      '/fi\u0301les',
      `/files?${'x'.repeat(600)}`,
      '/files?a="',
      '/@evil:80',
    ];
    for (const attack of [...attacks, ...hidden, ...strange]) {
      const { response } = await begin(world, `?${new URLSearchParams({ returnTo: attack })}`);
      expect([attack, response.statusCode]).toEqual([attack, 400]);
      expect(response.json()).toMatchObject({ code: '4000', message: expect.stringMatching(/^returnTo /) });
      expect(cookiesOf(response)).toEqual([]);
    }
    const { response } = await begin(world, '?returnTo=/files&returnTo=//evil.example');
    expect(response.statusCode).toBe(400);
  });

  it('may be any page, with its query', async () => {
    for (const page of ['/', '/files', '/a/b-c', '/files?page=2&sort=fileSize,asc&a=%2F%2Fx'])
      expect((await begin(world, `?${new URLSearchParams({ returnTo: page })}`)).response.statusCode).toBe(
        302,
      );
  });
});

describe('where no provider is configured', () => {
  it('start and callback are 404 4040, and the sign-in page is told of none', async () => {
    const without = await openWorld({ database: world.database });
    for (const url of [startUrl, `${callbackUrl}?code=x&state=y`]) {
      const response = await without.app.inject(url);
      expect([response.statusCode, response.json().code]).toEqual([404, '4040']);
    }
    expect((await without.app.inject('/web/v1/auth/config')).json().data.openIdConnect).toBeNull();
    await without.close();
  });
});
