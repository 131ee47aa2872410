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

describe('signing in', () => {
  it('leads to the files, and says who one is', async () => {
    const { page } = await portal.visit();
    await signInAt(page, '/', 'Files');
    const account = page.getByRole('region', { name: 'Account' });
    await account.getByText('Demo Owner').waitFor();
    await account.getByText('owner@demo.test').waitFor();
    await account.getByText('OWNER', { exact: true }).waitFor();
    expect(await page.title()).toBe('Files · Portico');
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
    await heading(page, 'Files').waitFor();
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
    await signInAt(page, `/sign-in?return=${encodeURIComponent('//evil.example')}`, 'Files');
    expect(new URL(page.url()).origin).toBe(portal.origin);
    expect(new URL(page.url()).pathname).toBe('/files');
  });
});

describe('a session', () => {
  it('is gone on with at the first page, where the address names none', async () => {
    const { page } = await portal.visit();
    await signInAt(page, '/developers', 'Developers');
    await page.goto('/');
    await heading(page, 'Files').waitFor();
  });

  it('outlives a reload', async () => {
    const { page } = await portal.visit();
    await signInAt(page, '/transfers', 'Transfers');
    await page.reload();
    await heading(page, 'Transfers').waitFor();
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

  it('that has ended leads to the sign-in page and back', async () => {
    const { page, expectNoise } = await portal.visit();
    await signInAt(page, '/files', 'Files');
    await page.getByText('1–20 of 250').waitFor();
    accessTokenEnds();
    await endSignIns();
    expectNoise(unauthorized);
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Archived');
    await page.getByRole('alert').getByText('Your session has ended').waitFor();
    await fillSignIn(page);
    await heading(page, 'Files').waitFor();
    expect(await page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('ARCHIVED');
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

  it('sign in and out together', async () => {
    const { page, newTab } = await portal.visit();
    await signInAt(page, '/files', 'Files');
    const other = await newTab();
    await other.goto('/developers');
    await heading(other, 'Developers').waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await heading(other, 'Sign in').waitFor();
    await fillSignIn(other, 'viewer@demo.test');
    await heading(page, 'Files').waitFor();
    await page.getByRole('region', { name: 'Account' }).getByText('Demo Viewer').waitFor();
  });
});
