import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addFactor, codeOf, dropFactor, restorePassword } from '../../server/test/support/own-account.ts';
import { tokenOf } from '../../server/test/world.ts';
import { seriousIssues } from './axe.ts';
import { fillSignIn, heading, openPortal, type Portal, signInAt } from './harness.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await openPortal();
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

const enter = (email?: string) =>
  portal.enter({ path: '/account', name: 'Your account', ...(email === undefined ? {} : { email }) });
const isFocused = (page: Page, name: string) =>
  page.getByRole('textbox', { name, exact: true }).evaluate((field) => field === document.activeElement);

describe('the second factor', () => {
  afterEach(() => dropFactor(portal.world()));

  it('is added with a code of the app, and its recovery codes are shown until they are stored', async () => {
    const { page, context, expectNoise } = await enter();
    expectNoise(/status of 401/);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByText('This browser').waitFor(); // the last thing that the page itself asks for
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.getByRole('button', { name: 'Add a second factor' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: 'The secret as a QR code' }).waitFor();
    // The code is drawn here: the secret goes to nobody who would draw it.
    expect(asked).toEqual(['POST /web/v1/account/second-factor']);
    expect(await isFocused(page, 'Code')).toBe(true);
    expect(await seriousIssues(page)).toEqual([]);
    const secret = await dialog.locator('code').innerText();
    await dialog.getByRole('textbox', { name: 'Code' }).fill('not it');
    await page.keyboard.press('Enter');
    await dialog.getByText('The code is wrong or was used before.').waitFor();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(codeOf(portal.world(), secret));
    await page.keyboard.press('Enter');

    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    const shown = await codes.allInnerTexts();
    expect(shown).toHaveLength(10);
    await page.keyboard.press('Escape');
    await page.goBack();
    expect(await codes.allInnerTexts()).toEqual(shown);
    expect(await seriousIssues(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Copy all' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown.join('\n'));
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    expect(await readFile(await (await download).path(), 'utf8')).toBe(`${shown.join('\n')}\n`);
    await dialog.getByRole('checkbox', { name: 'I have stored' }).check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove' }).waitFor();
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state]),
    );
    for (const each of [secret, ...shown]) expect(kept).not.toContain(each);
  });

  it('is asked for after the password, takes a recovery code too, and is removed by one', async () => {
    const owner = await tokenOf(portal.world(), 'ACC_DEMO_OWNER');
    const { recoveryCodes } = await addFactor(portal.world(), owner);
    const { page, expectNoise } = await portal.visit();
    expectNoise(/status of 401/);
    await page.goto('/account');
    await fillSignIn(page);
    const code = page.getByRole('textbox', { name: 'Code' });
    await code.waitFor();
    expect(await isFocused(page, 'Code')).toBe(true);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await seriousIssues(page)).toEqual([]);
    await code.fill('wrong-wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The code is wrong or was used before.').waitFor();
    await code.fill(recoveryCodes[0] ?? '');
    await page.keyboard.press('Enter');
    await heading(page, 'Your account').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page
      .getByRole('dialog')
      .getByRole('textbox', { name: 'Code' })
      .fill(recoveryCodes[1] ?? '');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Add a second factor' }).waitFor();
  });
});

it('who is signed in elsewhere is listed, and ended with all others but this one', async () => {
  const elsewhere = await portal.visit();
  await signInAt(elsewhere.page, '/account', 'Your account', 'viewer@demo.test');
  const { page } = await enter('viewer@demo.test');
  const sessions = page.getByRole('list', { name: 'Sign-ins' }).getByRole('listitem');
  await expect.poll(() => sessions.count()).toBeGreaterThan(1);
  await sessions.filter({ hasText: 'This browser' }).getByText('Chrome on Linux').waitFor();
  await page.getByRole('button', { name: 'End all others' }).click();
  await page
    .getByRole('status')
    .getByText(/ha(s|ve) ended/)
    .waitFor();
  expect(await sessions.count()).toBe(1);
  elsewhere.expectNoise(/status of 401/);
  await elsewhere.page.reload();
  await heading(elsewhere.page, 'Sign in').waitFor();
  await page.reload();
  await heading(page, 'Your account').waitFor();
});

it('a password is changed by who knows it, and another name and language are everywhere at once', async () => {
  const { page, expectNoise } = await enter();
  expectNoise(/status of 401/);
  const [current, next] = ['Current password', 'New password'].map((name) =>
    page.getByRole('textbox', { name, exact: true }),
  );
  const change = async (from: string, to: string) => {
    await current?.fill(from);
    await next?.fill(to);
    await page.getByRole('button', { name: 'Change the password' }).click();
  };
  await change('portico-demo', 'seven 7');
  await page.getByText('The password has at least 8 characters.').waitFor();
  expect(await isFocused(page, 'New password')).toBe(true);
  await change('wrong', 'another password');
  await page.getByText('That is not your current password.').waitFor();
  await expect.poll(() => isFocused(page, 'Current password')).toBe(true);
  await change('portico-demo', 'another password');
  await page.getByRole('status').getByText('Your password is changed.').waitFor();
  await restorePassword(portal.world());

  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Olive Owner');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('简体中文');
  await page.getByRole('button', { name: 'Save' }).click();
  await heading(page, '我的账户').waitFor();
  await page.getByRole('link', { name: /Olive Owner/ }).waitFor();
});
