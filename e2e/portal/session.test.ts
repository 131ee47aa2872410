import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import { fillSignIn, heading, openPortal, type Portal, signInAt } from './harness.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await openPortal();
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

/** Past the end of an access token. */
const accessTokenEnds = () => portal.world().clock.advance(16 * 60);
const endSignIns = () => portal.world().db.query(sql`update sign_ins set revoked_at = now()`);
const unauthorized = /status of 401/;

/** In the dialog over the page, as the only account that can go on with it. */
async function signInAgain(page: Page): Promise<void> {
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByRole('textbox', { name: 'Password' }).fill('portico-demo');
  await again.getByRole('button', { name: 'Sign in', exact: true }).click();
  await again.waitFor({ state: 'detached' });
}

async function openCreateKey(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Create API key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create API key' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('radio', { name: 'TEST', exact: true }).check();
  await dialog.getByRole('checkbox', { name: 'transfers:read', exact: true }).check();
  return dialog;
}

describe('signing in', () => {
  it('leads to the overview, and says who one is', async () => {
    const { page } = await portal.visit();
    await signInAt(page, '/', 'Overview');
    const account = page.getByRole('region', { name: 'Account' });
    await account.getByText('Demo Owner').waitFor();
    await account.getByText('owner@demo.test').waitFor();
    await account.getByText('Owner', { exact: true }).waitFor();
    expect(await page.title()).toBe('Overview · Portico');
    await page.getByRole('button', { name: 'Workspace: Demo Workspace Demo Institution' }).waitFor();
  });

  it('keeps every token away from storage and scripts', async () => {
    const { page, context } = await portal.visit();
    await signInAt(page, '/files', 'Files');
    const seen = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(seen).not.toMatch(/eyJ|rt_/);
    const [cookie, ...others] = await context.cookies(`${portal.origin}/web/v1/auth/refresh`);
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/web/v1/auth' });
  });

  it('refuses a wrong password with an alert, and takes the right one after it', async () => {
    const { page, expectNoise } = await portal.visit();
    expectNoise(unauthorized);
    await page.goto('/sign-in');
    await fillSignIn(page, 'owner@demo.test', 'wrong');
    const alert = page.getByRole('alert');
    await alert.getByText('The e-mail address or the password is wrong.').waitFor();
    await fillSignIn(page);
    await heading(page, 'Overview').waitFor();
  });

  it('tells nobody who is not signed in of anything', async () => {
    const { page } = await portal.visit();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/api-keys');
    await heading(page, 'Sign in').waitFor();
    await page.getByText('You are human').waitFor();
    expect(asked.filter((path) => path.startsWith('/web/'))).toEqual(['/web/v1/auth/config']);
  });
});

describe('the way back', () => {
  it('is to the very address that was asked for', async () => {
    const { page } = await portal.visit();
    await signInAt(page, '/files?category=INVOICE&sort=fileSize,asc', 'Files');
    const { pathname, searchParams } = new URL(page.url());
    expect(pathname).toBe('/files');
    expect(Object.fromEntries(searchParams)).toEqual({
      category: 'INVOICE',
      sort: 'fileSize,asc',
      workspace: 'WS_DEMO',
    });
  });

  // Every other spelling: portal/test/return-path.test.ts.
  it('is never to another origin', async () => {
    const { page } = await portal.visit();
    await signInAt(page, `/sign-in?return=${encodeURIComponent('//evil.example')}`, 'Overview');
    expect(new URL(page.url()).origin).toBe(portal.origin);
    expect(new URL(page.url()).pathname).toBe('/overview');
  });
});

describe('a session', () => {
  it('is gone on with at the first page, where the address names none', async () => {
    const { page } = await portal.visit();
    await signInAt(page, '/developers', 'Developers');
    await page.goto('/');
    await heading(page, 'Overview').waitFor();
  });

  it('outlives a reload, whose first row waits for the token and for nothing else', async () => {
    const { page } = await portal.visit();
    await signInAt(page, '/transfers', 'Transfers');
    await page.route(/\/web\/v1\/(?!auth\/refresh|workspaces\/[^/]+\/transfers\?)/, () => {});
    await page.reload();
    await heading(page, 'Transfers').waitFor();
    await page.getByRole('row').nth(1).getByRole('button').first().waitFor();
  });

  it('begins with a sign-in, after which the first row waits for itself alone', async () => {
    const { page } = await portal.visit();
    await page.goto('/transfers');
    await page.getByText('You are human').waitFor();
    await page.route(/\/web\/v1\/(?!auth\/login|workspaces\/[^/]+\/transfers\?)/, () => {});
    await fillSignIn(page);
    await heading(page, 'Transfers').waitFor();
    await page.getByRole('row').nth(1).getByRole('button').first().waitFor();
  });

  it('renews its token silently', async () => {
    const { page, expectNoise } = await portal.visit();
    await signInAt(page, '/transfers', 'Transfers');
    accessTokenEnds();
    expectNoise(unauthorized);
    const renewed = page.waitForResponse('**/web/v1/auth/refresh');
    await page.getByRole('link', { name: 'Files' }).click();
    expect((await renewed).status()).toBe(200);
    await page.getByText('1–20 of 250').waitFor();
  });

  it('that has ended is gone on with in place: nothing on the page is lost, and what was sent is done', async () => {
    const { page, expectNoise } = await portal.visit();
    await signInAt(page, '/files', 'Files');
    await page.getByText('1–20 of 250').waitFor();
    accessTokenEnds();
    await endSignIns();
    expectNoise(unauthorized);
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Archived');
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByRole('alert').getByText('Your session has ended').waitFor();
    await signInAgain(page);
    await page.getByText('1–20 of 250').waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'Archived' }).first().waitFor();
    expect(await page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('ARCHIVED');
  });

  it('that ends in the middle of a form keeps the form, which Escape does not close, and sends it', async () => {
    const { page, expectNoise } = await portal.visit();
    await signInAt(page, '/api-keys', 'API keys');
    const dialog = await openCreateKey(page, 'Kept through the end');
    accessTokenEnds();
    await endSignIns();
    expectNoise(unauthorized);
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe('owner@demo.test');
    await page.keyboard.press('Escape');
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Kept through the end');
    await signInAgain(page);
    await page
      .getByRole('dialog', { name: 'API key created' })
      .getByText(/^sk_test_/)
      .waitFor();
  });

  it('that someone else takes up finds nothing of who was there before', async () => {
    const { page, expectNoise } = await portal.visit();
    await signInAt(page, '/api-keys', 'API keys');
    await openCreateKey(page, 'Not for others');
    accessTokenEnds();
    await endSignIns();
    expectNoise(unauthorized);
    await page
      .getByRole('dialog', { name: 'Create API key' })
      .getByRole('button', { name: 'Create API key' })
      .click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByRole('button', { name: 'Sign in as someone else' }).click();
    await heading(page, 'Sign in').waitFor();
    await fillSignIn(page, 'viewer@demo.test');
    await heading(page, 'API keys').waitFor();
    await page.getByRole('region', { name: 'Account' }).getByText('Demo Viewer').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('is over after signing out, for the back button too', async () => {
    const { page, context } = await portal.visit();
    await signInAt(page, '/files', 'Files');
    await page.getByRole('link', { name: 'Developers' }).click();
    await heading(page, 'Developers').waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await heading(page, 'Sign in').waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await context.cookies(`${portal.origin}/web/v1/auth/refresh`)).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('owner@demo.test');
    await page.goBack();
    await heading(page, 'Sign in').waitFor();
  });

  it('is over on every device after signing out everywhere', async () => {
    const [here, there] = [await portal.visit(), await portal.visit()];
    await signInAt(here.page, '/files', 'Files');
    await signInAt(there.page, '/files', 'Files');
    await here.page.getByRole('button', { name: 'More ways to sign out' }).click();
    await here.page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
    await heading(here.page, 'Sign in').waitFor();
    there.expectNoise(unauthorized);
    await there.page.reload();
    await heading(there.page, 'Sign in').waitFor();
  });
});

describe('two tabs', () => {
  it('renew the session at the same time and both keep it', async () => {
    const { page, newTab, expectNoise } = await portal.visit();
    await signInAt(page, '/files', 'Files');
    const other = await newTab();
    await other.goto('/files');
    await heading(other, 'Files').waitFor();
    expectNoise(unauthorized);
    for (let round = 0; round < 2; round += 1) {
      accessTokenEnds();
      await Promise.all([page, other].map((tab) => tab.reload()));
      await Promise.all([page, other].map((tab) => tab.getByText('1–20 of 250').waitFor()));
    }
  });

  it('keep a secret that is not stored yet when one of them signs out, and that the browser does not copy', async () => {
    const { page, newTab } = await portal.visit();
    await signInAt(page, '/api-keys', 'API keys');
    const other = await newTab();
    await other.goto('/files');
    await heading(other, 'Files').waitFor();
    const dialog = await openCreateKey(page, 'Shown while out');
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    const created = page.getByRole('dialog', { name: 'API key created' });
    const secret = await created.getByText(/^sk_test_/).innerText();
    // As on a page that came by plain http.
    await page.evaluate(() => Reflect.deleteProperty(Navigator.prototype, 'clipboard'));
    await created.getByRole('button', { name: 'Copy secret' }).click();
    await page.getByRole('alert').getByText('This browser does not let the portal copy.').waitFor();
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(secret);
    await created.getByText('This secret is shown only now').click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await other.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('status').getByText('You are signed out.').waitFor();
    expect(await created.getByText(/^sk_test_/).innerText()).toBe(secret);
    await created.getByRole('checkbox', { name: 'I have stored the secret' }).click();
    await heading(page, 'Sign in').waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('keep nothing of who was there before, when one of them is signed in as someone else', async () => {
    const { page, newTab, expectNoise } = await portal.visit();
    await signInAt(page, '/api-keys', 'API keys');
    const dialog = await openCreateKey(page, 'Not for others either');
    accessTokenEnds();
    await endSignIns();
    expectNoise(unauthorized);
    const other = await newTab();
    await other.goto('/files');
    await heading(other, 'Sign in').waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Not for others either');
    await fillSignIn(other, 'viewer@demo.test');
    await page.getByRole('region', { name: 'Account' }).getByText('Demo Viewer').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('sign in and out together', async () => {
    const { page, newTab } = await portal.visit();
    await signInAt(page, '/files', 'Files');
    const other = await newTab();
    await other.goto('/developers');
    await heading(other, 'Developers').waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await heading(other, 'Sign in').waitFor();
    await fillSignIn(other, 'viewer@demo.test');
    await heading(page, 'Overview').waitFor();
    await page.getByRole('region', { name: 'Account' }).getByText('Demo Viewer').waitFor();
    expect(await other.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('Demo Owner');
  });
});
