import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../server/src/db/sql.ts';
import { freePort } from '../server/test/service-process.ts';
import { callbackUrl, settingOf, startUrl } from '../server/test/support/oidc-browser.ts';
import { client, type OpenIdProvider, startOpenIdProvider } from '../server/test/support/openid-provider.ts';
import { openWorld, type World } from '../server/test/world.ts';
import { chromiumOfWorker } from './chromium.ts';

let provider: OpenIdProvider;
let world: World;
let origin: string;

beforeAll(async () => {
  const port = await freePort();
  // To a browser, a name and an address are two sites.
  origin = `http://localhost:${port}`;
  provider = await startOpenIdProvider([`${origin}${callbackUrl}`]);
  world = await openWorld({ env: { PORTICO_PUBLIC_URL: origin, ...settingOf(provider.issuer, client) } });
  await world.app.listen({ host: 'localhost', port });
  await world.db.query(sql`
    insert into account_identities (issuer, subject, account_id)
    select ${provider.issuer}, 'owner-9', id from accounts where biz_id = 'ACC_DEMO_OWNER'`);
  provider.become({ sub: 'owner-9' });
});
afterAll(async () => {
  world?.app.server.closeAllConnections();
  await world?.close();
  await provider?.stop();
});

describe('a browser that signs in at another site', () => {
  it('comes back with its cookie, and the first request of the page carries the session', async () => {
    const browser = await chromiumOfWorker();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${origin}/sign-in`);
    const visited: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) visited.push(new URL(request.url()).origin);
    });
    await page.evaluate((url) => location.assign(url), `${startUrl}?returnTo=/files`);
    await page.waitForURL(`${origin}/sign-in?oidc=done&return=%2Ffiles`);
    expect(visited).toContain(provider.issuer);
    const status = await page.evaluate(async () => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
      return (await fetch('/web/v1/auth/refresh', init)).status;
    });
    expect(status).toBe(200);
    expect((await context.cookies()).map(({ name, sameSite }) => [name, sameSite])).toContainEqual([
      'portico_refresh',
      'Strict',
    ]);
    await context.close();
  });
});
