import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { actionText, deedText, subjectText, valueText } from '../../portal/src/ui/audit-words.ts';
import { createSealer } from '../../server/src/log/sealer.ts';
import { createKey, type Key, portalCall, signIn } from '../../server/test/world.ts';
import { seriousIssues } from './axe.ts';
import { heading, openPortal, type Portal, settled } from './harness.ts';

let portal: Portal;
let kept: Key;
let rotated: Key;
beforeAll(async () => {
  portal = await openPortal();
  const world = portal.world();
  kept = await createKey(world, { name: 'Kept' });
  rotated = await createKey(world, { name: 'Rotated' });
  const token = await signIn(world);
  const url = `/web/v1/workspaces/WS_DEMO/api-keys/${rotated.apiKeyId}`;
  await portalCall(world, token, { method: 'PATCH', url, body: { name: 'Renamed' } });
  await portalCall(world, token, { url: `${url}/revoke`, body: {} });
  await createSealer(world.db)();
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

const open = (search = '', email = 'owner@demo.test') =>
  portal.enter({ path: `/audit-log${search}`, name: 'Audit log', email });
const firstCells = async (page: Page) =>
  (await page.getByRole('row').allInnerTexts()).slice(1).map((row) => row.split(/[\t\n]/)[0]);
const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

describe('the audit log', () => {
  it('has what was just done, the newest first, and who did it', async () => {
    const { page } = await open();
    await page.getByText('1–20 of 54').waitFor();
    expect((await firstCells(page)).slice(0, 4)).toEqual([
      'API key: revoked',
      'API key: changed',
      'API key: created',
      'API key: created',
    ]);
    await page.getByRole('button', { name: 'API key: changed' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'API key: changed' });
    const changes = dialog.getByRole('table', { name: 'Changes' });
    expect((await changes.getByRole('row').nth(1).innerText()).split('\t')).toEqual([
      'name',
      'Rotated',
      'Renamed',
    ]);
    await dialog.getByText('Demo Owner (account)').waitFor();
    await settled(page);
    expect(await seriousIssues(page)).toEqual([]);
  });

  it('is filtered by action, and by what a record says, which the address keeps', async () => {
    const { page } = await open();
    await page.getByRole('combobox', { name: 'Action' }).selectOption('API key: created');
    await page.getByText('1–12 of 12').waitFor();
    expect(searchOf(page)).toMatchObject({ action: 'api-key.created' });
    await page.getByRole('button', { name: 'API key: created' }).nth(1).click();
    await page.getByRole('button', { name: 'All on this API key' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('1–1 of 1').waitFor();
    expect(searchOf(page)).toMatchObject({ subjectId: kept.apiKeyId });
    await page.reload();
    await page.getByText('1–1 of 1').waitFor();
    await page.getByRole('button', { name: `Remove the filter On ${kept.apiKeyId}` }).click();
    await page.getByText('1–20 of 54').waitFor();
    await page.getByLabel('Done to').fill('2020-01-01');
    await page.getByText('Nothing matches these filters').waitFor();
  });

  it('tells who is not an owner that only owners read it', async () => {
    const { page } = await open('', 'viewer@demo.test');
    await page.getByText('Only owners of the workspace read its audit log').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
  });
});

describe('the drawer of a key', () => {
  it('tells its owner who did what to it', async () => {
    const { page } = await portal.enter({ path: `/api-keys?key=${rotated.apiKeyId}`, name: 'API keys' });
    const history = page.getByRole('dialog').getByRole('region', { name: 'History' });
    await history.getByText('Revoked by Demo Owner').waitFor();
    expect(await history.getByRole('listitem').count()).toBe(3);
  });

  it('shows no history to a viewer', async () => {
    const path = `/api-keys?key=${rotated.apiKeyId}`;
    const { page } = await portal.enter({ path, name: 'API keys', email: 'viewer@demo.test' });
    await page.getByRole('dialog').getByText('Secret version').waitFor();
    expect(await page.getByRole('region', { name: 'History' }).count()).toBe(0);
    await heading(page, 'API keys').waitFor({ state: 'attached' });
  });
});

describe('words', () => {
  it('say what was done and what a field holds', () => {
    expect(actionText('api-key.previous-secret-ended')).toBe('API key: previous secret ended');
    expect(actionText('account.signed-in')).toBe('Account: signed in');
    expect(['API_KEY', 'CHANNEL_TYPE'].map(subjectText)).toEqual(['API key', 'channel type']);
    expect(deedText('api-key.revoked')).toBe('Revoked');
    expect([null, [], ['a', 'b'], { a: 1 }, 3, false].map(valueText)).toEqual([
      'None',
      'None',
      'a, b',
      '{"a":1}',
      '3',
      'false',
    ]);
  });
});
