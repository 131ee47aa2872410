import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import { createKey } from '../../server/test/world.ts';
import { fillSignIn, heading, openPortal, type Portal, settled, signInAt } from './harness.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await openPortal();
  await createKey(portal.world(), { name: 'Seen by all', mode: 2 });
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

/** An address that says more than the page, and what it shows. */
const pages = [
  { name: 'Overview', path: '/overview?days=30', shows: 'Your first signed call' },
  { name: 'Files', path: '/files?category=INVOICE&size=10', shows: '1–10 of 15' },
  { name: 'API keys', path: '/api-keys?mode=TEST', shows: '1–1 of 1' },
  { name: 'Requests', path: '/requests?statusClass=4xx', shows: 'Nothing matches these filters' },
  { name: 'Channels', path: '/channels?mode=TEST', shows: 'No TEST channels yet' },
  { name: 'Channel types', path: '/channel-types?enabledOnly=true', shows: '1–4 of 4' },
  { name: 'Transfers', path: '/transfers?mode=TEST&page=2', shows: '21–40 of 60' },
  { name: 'Members', path: '/members?role=OWNER', shows: '1–1 of 1' },
  { name: 'Developers', path: '/developers', shows: 'Signature debugger' },
];

/** Everything on the page that would change something. */
const changesOf = (page: Page) =>
  page
    .getByRole('button', {
      name: /^(create|cancel|upload|archive|restore|invite|rotate|revoke|disable|enable|delete|remove|edit|end|actions)\b/i,
    })
    .allInnerTexts();

const addressOf = (url: string) => {
  const { pathname, searchParams } = new URL(url);
  return { pathname, ...Object.fromEntries(searchParams) };
};

describe.each(pages)('$name', ({ name, path, shows }) => {
  it('is opened by its address and by a reload, within the policy, from this service alone', async () => {
    const { page } = await portal.enter({ path, name });
    await page.getByText(shows, { exact: true }).waitFor();
    const address = addressOf(page.url());
    expect(address).toEqual({ ...addressOf(`${portal.origin}${path}`), workspace: 'WS_DEMO' });
    await page.reload();
    await heading(page, name).waitFor();
    await page.getByText(shows, { exact: true }).waitFor();
    await settled(page);
    expect(addressOf(page.url())).toEqual(address);
  });

  it('offers a viewer nothing that an owner alone may do', async () => {
    const { page } = await portal.enter({ path, name, email: 'viewer@demo.test' });
    await page.getByText(shows, { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Account' }).getByText('Viewer', { exact: true }).waitFor();
    const first = page.getByRole('row').nth(1).getByRole('button').first();
    if ((await first.count()) > 0) {
      await first.click();
      await page.getByRole('dialog').getByRole('button').first().waitFor();
    }
    expect(await changesOf(page)).toEqual([]);
  });
});

it('an owner is offered what a viewer is not', async () => {
  const { page } = await portal.enter({ path: '/api-keys?mode=TEST', name: 'API keys' });
  await page.getByRole('button', { name: 'Seen by all', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).waitFor();
  const offered = (await changesOf(page)).map((text) => text.trim());
  expect(offered).toEqual(expect.arrayContaining(['Disable', 'Rotate', 'Revoke']));
});

it('the back button goes from page to page, to each as it was', async () => {
  const { page } = await portal.enter({ path: '/files?category=INVOICE', name: 'Files' });
  await page.getByText('1–15 of 15').waitFor();
  const others = ['API keys', 'Channel types', 'Transfers', 'Developers'];
  for (const name of others) {
    await page.getByRole('link', { name, exact: true }).click();
    await heading(page, name).waitFor();
  }
  for (const name of ['Transfers', 'Channel types', 'API keys', 'Files']) {
    await page.goBack();
    await heading(page, name).waitFor();
  }
  await page.getByText('1–15 of 15').waitFor();
  expect(await page.getByRole('combobox', { name: 'Category' }).inputValue()).toBe('INVOICE');
});

it('a sign-in that was ended elsewhere leads from a reload to the sign-in page and back', async () => {
  const { page, expectNoise } = await portal.visit();
  await signInAt(page, '/transfers?mode=TEST&page=2', 'Transfers', 'viewer@demo.test');
  await page.getByText('21–40 of 60').waitFor();
  await portal.world().db.query(sql`
    update sign_ins set revoked_at = now()
    where account_id = (select id from accounts where email = 'viewer@demo.test')`);
  expectNoise(/status of 401/);
  await page.reload();
  await heading(page, 'Sign in').waitFor();
  await fillSignIn(page, 'viewer@demo.test');
  await heading(page, 'Transfers').waitFor();
  await page.getByText('21–40 of 60').waitFor();
});

describe('what the tests of every page rely on', () => {
  it('a script, a style and a request that the policy forbids are heard of', async () => {
    const { page, complaints, expectNoise } = await portal.visit();
    await page.goto('/sign-in');
    await heading(page, 'Sign in').waitFor();
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.injected = true';
      document.body.append(script);
      document.body.insertAdjacentHTML('beforeend', '<p style="color: red">x</p>');
      void fetch('https://elsewhere.example/').catch(() => {});
    });
    const isHeard = (pattern: RegExp) => complaints().some((text) => pattern.test(text));
    for (const directive of ['script-src', 'style-src', 'connect-src'])
      await expect.poll(() => isHeard(new RegExp(`violates ${directive}`))).toBe(true);
    expect(await page.evaluate(() => 'injected' in globalThis)).toBe(false);
    expectNoise(/./);
  });

  it('who visits next is someone new, whatever the last one left behind', async () => {
    const last = await portal.visit({ colorScheme: 'dark', width: 390 });
    await last.context.grantPermissions(['clipboard-read']);
    await last.page.route('**/sign-in', (route) => route.abort());
    await signInAt(last.page, '/files', 'Files');
    await last.page.evaluate(() => {
      localStorage.setItem('kept', 'here');
      sessionStorage.setItem('kept', 'here');
    });
    expect(await portal.endVisits()).toEqual([]);

    const { page, context } = await portal.visit();
    expect(context).toBe(last.context);
    expect([page.url(), await context.cookies()]).toEqual(['about:blank', []]);
    await page.goto('/files');
    await heading(page, 'Sign in').waitFor();
    const found = await page.evaluate(async () => ({
      kept: [localStorage.getItem('kept'), sessionStorage.getItem('kept')],
      clipboard: (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state, // newer than the types
      isDark: matchMedia('(prefers-color-scheme: dark)').matches,
      width: innerWidth,
    }));
    expect(found).toEqual({ kept: [null, null], clipboard: 'prompt', isDark: false, width: 1280 });
  });

  it('a page of another origin cannot frame the portal', async () => {
    const { page, context, expectNoise } = await portal.visit();
    expectNoise(/frame-ancestors|another origin: http:\/\/elsewhere\.example\//);
    const body = `<iframe src="${portal.origin}/files"></iframe>`;
    await context.route('http://elsewhere.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body }),
    );
    await page.goto('http://elsewhere.example/');
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
  });
});
