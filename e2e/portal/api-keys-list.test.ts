import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKey, type Key, portalCall, signIn } from '../../server/test/world.ts';
import { choose, readSecret, sayStored, startCreating } from './api-keys-steps.ts';
import { seriousIssues } from './axe.ts';
import { openPortal, type Portal } from './harness.ts';

let portal: Portal;
/** Has a rotation open. */
let shared: Key;
beforeAll(async () => {
  portal = await openPortal();
  const world = portal.world();
  const token = await signIn(world);
  const keys = '/web/v1/workspaces/WS_DEMO/api-keys';
  const over = await createKey(world, { name: 'Over', mode: 2 });
  await portalCall(world, token, { url: `${keys}/${over.apiKeyId}/revoke` });
  shared = await createKey(world, { name: 'Shared', mode: 2 });
  await portalCall(world, token, { url: `${keys}/${shared.apiKeyId}/rotate` });
  await createKey(world, { name: 'Real', mode: 1, scopes: [] });
  const expiresAt = new Date(Date.now() + 19.2 * 3_600_000).toISOString();
  await createKey(world, { name: 'Ending', mode: 1, ipWhitelist: ['203.0.113.7'], expiresAt });
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

const openKeys = (options: Partial<Parameters<Portal['enter']>[0]> = {}) =>
  portal.enter({ path: '/api-keys?mode=TEST', name: 'API keys', ...options });

describe('a viewer', () => {
  it('sees the keys and is offered nothing that changes them, and the service refuses it too', async () => {
    const { page } = await openKeys({ email: 'viewer@demo.test' });
    await page.getByRole('button', { name: 'Shared', exact: true }).click();
    await page.getByRole('dialog').getByText(shared.apiKeyId).waitFor();
    for (const name of ['Create API key', 'Edit', 'Disable', 'Enable', 'Rotate', 'Revoke', /^Actions for/])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    const token = await signIn(portal.world(), 'viewer@demo.test');
    const keys = '/web/v1/workspaces/WS_DEMO/api-keys';
    for (const path of [
      '',
      ...['disable', 'enable', 'rotate', 'revoke'].map((each) => `/${shared.apiKeyId}/${each}`),
    ]) {
      const response = await portalCall(portal.world(), token, {
        url: `${keys}${path}`,
        body: { name: 'x' },
      });
      expect(response.json()).toMatchObject({ code: '4030' });
    }
  });
});

describe('the list', () => {
  it('is filtered and sorted by the address, which a link brings back', async () => {
    const path = '/api-keys?mode=TEST&sort=name,asc&size=10';
    const { page } = await openKeys({ path });
    await page.getByText('1–2 of 2').waitFor();
    const rows = await page.getByRole('row').allInnerTexts();
    expect(rows.slice(1).map((row) => row.split('\n')[0])).toEqual(['Over', 'Shared']);
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Revoked');
    await page.getByText('1–1 of 1').waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('REVOKED');
    await page.getByRole('button', { name: 'Over', exact: true }).click();
    await page.reload();
    await page.getByRole('dialog', { name: 'Over' }).waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

describe('the page', () => {
  it('is used by keyboard alone', async () => {
    const { page } = await openKeys();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.getByRole('button', { name: 'Create API key' }).focus();
    await press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Create API key' });
    const hasFocus = (role: 'textbox' | 'checkbox' | 'button' | 'menuitem', name: string) =>
      page.getByRole(role, { name, exact: true }).evaluate((each) => each === document.activeElement);
    await dialog.waitFor();
    await expect.poll(() => hasFocus('textbox', 'Name')).toBe(true);
    await page.keyboard.type('By hand');
    await press('Tab', 'Tab', 'Space');
    expect(await dialog.getByRole('checkbox', { name: 'transfers:read' }).isChecked()).toBe(true);
    await press('Enter');
    await page.getByRole('dialog', { name: 'API key created' }).waitFor();
    // Copy id, copy secret, download, stored.
    await press('Tab', 'Tab', 'Tab', 'Tab');
    expect(await hasFocus('checkbox', 'I have stored the secret')).toBe(true);
    await press('Space', 'Tab', 'Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus('button', 'Create API key')).toBe(true);
    await page.getByRole('button', { name: 'Actions for By hand' }).focus();
    await press('Enter');
    await page.getByRole('menuitem', { name: 'Details' }).waitFor();
    await expect.poll(() => hasFocus('menuitem', 'Details')).toBe(true);
    await press('ArrowDown', 'ArrowDown', 'ArrowDown');
    expect(await hasFocus('menuitem', 'Disable')).toBe(true);
    await press('Enter');
    await page.getByRole('row').filter({ hasText: 'By hand' }).getByText('Disabled').waitFor();
  });

  it('tells at every width where a key may be used from, and that it ends soon', async () => {
    const { page } = await openKeys({ path: '/api-keys' });
    const row = page.getByRole('row').filter({ hasText: 'Ending' });
    for (const width of [390, 800, 1000, 1280, 1440, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      const end = row.getByText('in 19 hours').filter({ visible: true });
      await end.waitFor();
      expect(await end.evaluate((each) => getComputedStyle(each).color)).toBe('rgb(133, 72, 10)');
      await row.getByText('203.0.113.7').filter({ visible: true }).waitFor();
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await expect.poll(overflow).toBeLessThanOrEqual(0);
    }
  });

  it.each([390, 2560])('fits %d pixels, with every action within reach', async (width) => {
    const { page } = await openKeys({ width });
    await page.getByRole('button', { name: 'Shared', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('dialog', { name: 'Revoke API key' }).waitFor();
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(width);
  });
});

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  it('list, drawer and dialogs have no serious flaw for anyone', async () => {
    const { page } = await openKeys({ colorScheme });
    const expectNoIssue = async () => expect(await seriousIssues(page)).toEqual([]);
    await page.getByRole('button', { name: 'Actions for Shared' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).waitFor();
    await expectNoIssue();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('textbox').fill('Shared');
    await expectNoIssue();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Shared', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('alert').waitFor();
    await expectNoIssue();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await choose(page, 'Shared', 'Edit');
    await page.getByRole('dialog', { name: 'Edit API key' }).waitFor();
    await expectNoIssue();
    await page.keyboard.press('Escape');
    const { dialog, submit } = await startCreating(page, `In ${colorScheme}`);
    await dialog.getByRole('textbox', { name: 'IP addresses' }).fill('nowhere');
    await submit.click();
    await dialog.getByText(/^Line 1: “nowhere”/).waitFor();
    await expectNoIssue();
    await dialog.getByRole('textbox', { name: 'IP addresses' }).fill('');
    await submit.click();
    await readSecret(page, 'API key created');
    await expectNoIssue();
    await sayStored(page);
  });
});

it('offers no TEST key on a portal that may not make one', async () => {
  const other = await openPortal({ PORTICO_DEFAULT_PORTAL: 'demo-institution' });
  const { page } = await other.enter({ path: '/api-keys', name: 'API keys' });
  await page.getByRole('button', { name: 'Create API key' }).click();
  const offered = page.getByRole('dialog').getByRole('radio');
  expect(await offered.count()).toBe(1);
  expect(await offered.and(page.getByLabel('LIVE', { exact: true })).isChecked()).toBe(true);
  expect(await other.endVisits()).toEqual([]);
  await other.close();
});
