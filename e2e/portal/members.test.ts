import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { inviteTo } from '../../server/test/support/people.ts';
import { tokenOf } from '../../server/test/world.ts';
import { seriousIssues } from './axe.ts';
import { fillSignIn, heading, openPortal, type Portal, settled } from './harness.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await openPortal();
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

const enter = (email?: string) =>
  portal.enter({ path: '/members', name: 'Members', ...(email === undefined ? {} : { email }) });

/** By the button that copies it; then the dialog is left. */
async function invite(page: Page, email: string, role: string): Promise<string> {
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Email' }).fill(email);
  await dialog.getByRole('radio', { name: role }).check();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByText('This link is shown only now').waitFor();
  await page.keyboard.press('Escape');
  expect(await seriousIssues(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  return link;
}

async function choose(page: Page, of: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${of}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

it('a colleague comes by a link that is shown once, gets another role, and goes', async () => {
  const { page, context } = await enter();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const link = await invite(page, 'ada@example.com', 'Member');
  expect(await page.content()).not.toContain(new URL(link).hash.slice(1));

  const { page: guest, expectNoise } = await portal.visit();
  await guest.goto(link);
  await heading(guest, 'Join Demo Workspace').waitFor();
  expect(guest.url()).toBe(`${portal.origin}/invitation`);
  await guest.getByText('Demo Owner invites you').waitFor();
  expect(await seriousIssues(guest)).toEqual([]);
  await guest.getByRole('textbox', { name: 'Your name' }).fill('Ada Adams');
  await guest.getByRole('textbox', { name: 'Password' }).fill('correct horse');
  await guest.keyboard.press('Enter');
  await heading(guest, 'Overview').waitFor();
  await guest.getByRole('region', { name: 'Account' }).getByText('Member', { exact: true }).waitFor();

  await page.reload();
  await choose(page, 'Ada Adams', 'Change role');
  await page.getByRole('dialog').getByRole('radio', { name: 'Viewer' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
  await page.getByRole('status').getByText('Ada Adams is now Viewer').waitFor({ state: 'attached' });
  await page.getByRole('row', { name: /Ada Adams.*Viewer/ }).waitFor();
  await choose(page, 'Ada Adams', 'Remove');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('1–2 of 2').waitFor();
  await page.getByRole('tab', { name: 'Invitations' }).click();
  await page.getByRole('row', { name: /ada@example\.com.*Accepted/ }).waitFor();
  expect(await seriousIssues(page)).toEqual([]);

  expectNoise(/status of 403/); // what the open page still asks for is refused
  await guest.reload();
  await guest.getByText('You have no role in any workspace').first().waitFor();
  expectNoise(/status of 404/);
  await guest.goto(link);
  await heading(guest, 'This invitation does not work any more').waitFor();
});

it('an invitation that is revoked does not work any more', async () => {
  const { page, context } = await enter();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const link = await invite(page, 'bob@example.com', 'Viewer');
  await page.getByRole('tab', { name: 'Invitations' }).click();
  await choose(page, 'bob@example.com', 'Revoke');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('row', { name: /bob@example\.com.*Revoked/ }).waitFor();
  const { page: guest, expectNoise } = await portal.visit();
  expectNoise(/status of 404/);
  await guest.goto(link);
  await heading(guest, 'This invitation does not work any more').waitFor();
});

it('who has an account accepts as that account alone, and may leave again', async () => {
  const owner = await tokenOf(portal.world(), 'ACC_DEMO_OWNER');
  const { token } = await inviteTo(portal.world(), owner, 'outsider@demo.test', 'VIEWER');
  const { page } = await portal.visit();
  await page.goto('/files');
  await fillSignIn(page, 'viewer@demo.test');
  await heading(page, 'Files').waitFor();
  await page.goto(`/invitation#${token}`);
  await page.getByText('You are signed in as viewer@demo.test').waitFor();
  expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Sign out and go on' }).click();
  await page.getByText('You have an account. Sign in to accept.').waitFor();
  expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe('outsider@demo.test');
  expect(await seriousIssues(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Password' }).fill('portico-demo');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await heading(page, 'Members').waitFor();
  await page.getByRole('button', { name: 'Workspace: Demo Workspace' }).waitFor();
  await choose(page, 'Demo Outsider', 'Leave the workspace');
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await settled(page);
  expect(await page.getByText('Demo Workspace', { exact: true }).count()).toBe(0);
});

it('a viewer sees who is there and may leave; the last owner may not', async () => {
  const viewer = await enter('viewer@demo.test');
  await viewer.page.getByRole('row', { name: /Demo Owner/ }).waitFor();
  expect(await viewer.page.getByRole('tab').count()).toBe(0);
  expect(await viewer.page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
  const menus = viewer.page.getByRole('button', { name: /^Actions for/ });
  expect(await menus.count()).toBe(1);
  await menus.click();
  expect(await viewer.page.getByRole('menuitem').allInnerTexts()).toEqual(['Leave the workspace']);

  const { page, expectNoise } = await enter();
  expectNoise(/status of 409/);
  await choose(page, 'Demo Owner', 'Leave the workspace');
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('alert').getByText('A workspace keeps an owner').waitFor();
});
