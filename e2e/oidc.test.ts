import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../server/src/db/sql.ts';
import { freePort } from '../server/test/service-process.ts';
import { callbackUrl, settingOf } from '../server/test/support/oidc-browser.ts';
import { client, type OpenIdProvider, startOpenIdProvider } from '../server/test/support/openid-provider.ts';
import { inviteTo } from '../server/test/support/people.ts';
import { openWorld, tokenOf, type World } from '../server/test/world.ts';
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
  it('comes back with its cookie, signed in, on the page that it had asked for', async () => {
    const browser = await chromiumOfWorker();
    const context = await browser.newContext();
    const page = await context.newPage();
    const visited: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) visited.push(new URL(request.url()).origin);
    });
    await page.goto(`${origin}/sign-in?return=%2Ftransfers`);
    await page.getByRole('link', { name: 'Sign in with' }).click();
    await page.getByRole('heading', { name: 'Transfers', level: 1 }).waitFor();
    expect(visited).toContain(provider.issuer);
    expect((await context.cookies()).map(({ name, sameSite }) => [name, sameSite])).toContainEqual([
      'portico_refresh',
      'Strict',
    ]);
    await context.close();
  });

  it('accepts an invitation on the way, and comes back as a member', async () => {
    const { token } = await inviteTo(world, await tokenOf(world, 'ACC_DEMO_OWNER'), 'ada@example.com');
    provider.become({ sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada Adams' });
    const browser = await chromiumOfWorker();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${origin}/invitation#${token}`);
    await page.getByRole('button', { name: 'Accept with' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Your account: Ada Adams MEMBER' }).waitFor();
    await context.close();
  });
});
