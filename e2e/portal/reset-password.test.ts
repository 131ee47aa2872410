import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { waitingMails } from '../../server/test/support/mails.ts';
import { seriousIssues } from './axe.ts';
import { fillSignIn, heading, openPortal, type Portal } from './harness.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await openPortal({
    PORTICO_SMTP_URL: 'smtp://127.0.0.1:9',
    PORTICO_MAIL_FROM: 'portico@example.com',
  });
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

async function mailedLink(): Promise<string> {
  await expect.poll(() => waitingMails(portal.world())).toHaveLength(1);
  const [mail] = await waitingMails(portal.world());
  return (mail as { values: { url: string } }).values.url; // as its kind says
}

it('a forgotten password is set anew by a mailed link, which leaves the address and works once', async () => {
  const { page, expectNoise } = await portal.visit();
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await heading(page, 'Reset your password').waitFor();
  await page.getByText('You are human').waitFor();
  expect(await seriousIssues(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Email' }).fill('owner@demo.test');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await heading(page, 'Look into your mail').waitFor();

  // Into the same tab, which loads nothing: it is at this page already.
  const link = await mailedLink();
  await page.goto(link);
  await heading(page, 'Set a new password').waitFor();
  expect(page.url()).toBe(`${portal.origin}/reset-password`);
  expect(await seriousIssues(page)).toEqual([]);
  const password = page.getByRole('textbox', { name: 'New password' });
  await password.fill('seven 7');
  await page.keyboard.press('Enter');
  await page.getByText('The password has at least 8 characters.').waitFor();
  await password.fill('another password');
  await page.keyboard.press('Enter');
  await heading(page, 'Your password is set').waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await heading(page, 'Sign in').waitFor();
  await fillSignIn(page, 'owner@demo.test', 'another password');
  await heading(page, 'Overview').waitFor();

  expectNoise(/status of 404/);
  await page.goto(link);
  await page.getByRole('textbox', { name: 'New password' }).fill('yet another password');
  await page.keyboard.press('Enter');
  await heading(page, 'This link does not work any more').waitFor();
  await page.getByRole('button', { name: 'Ask for another link' }).click();
  await heading(page, 'Reset your password').waitFor();
});
