import type { Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import { createKey, type Key, portalCall, signIn } from '../../server/test/world.ts';
import { choose, startCreating } from './api-keys-steps.ts';
import { openPortal, type Portal } from './harness.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await openPortal();
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

async function openEdit(name: string, mode = 'TEST') {
  const { page, expectNoise } = await portal.enter({ path: `/api-keys?mode=${mode}`, name: 'API keys' });
  await choose(page, name, 'Edit');
  const dialog = page.getByRole('dialog', { name: 'Edit API key' });
  return { page, dialog, save: dialog.getByRole('button', { name: 'Save changes' }), expectNoise };
}

const keyPath = ({ apiKeyId }: Key) => `/web/v1/workspaces/WS_DEMO/api-keys/${apiKeyId}`;

async function callPortal(key: Key, method: 'GET' | 'PATCH', body?: object) {
  const token = await signIn(portal.world());
  const answer = await portalCall(portal.world(), token, {
    method,
    url: keyPath(key),
    ...(body === undefined ? {} : { body }),
  });
  return answer.json().data;
}

describe('a key that is edited', () => {
  it('gets what was changed, and keeps what someone else changed meanwhile', async () => {
    const key = await createKey(portal.world(), { name: 'Edited', mode: 2, scopes: ['files:read'] });
    const { dialog, save } = await openEdit('Edited');
    expect(await save.isDisabled()).toBe(true);
    expect(await dialog.getByRole('radio').count()).toBe(0);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Edited twice');
    await dialog.getByRole('checkbox', { name: 'transfers:read' }).check();
    await callPortal(key, 'PATCH', { ipWhitelist: ['203.0.113.7'] });
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await callPortal(key, 'GET')).toMatchObject({
      name: 'Edited twice',
      scopes: ['files:read', 'transfers:read'],
      ipWhitelist: ['203.0.113.7'],
      expiresAt: null,
    });
  });

  it('is LIVE only after a second look at what will differ', async () => {
    const key = await createKey(portal.world(), { name: 'Real', mode: 1, scopes: ['files:read'] });
    const { dialog, save } = await openEdit('Real', 'LIVE');
    await dialog.getByRole('textbox', { name: 'IP addresses' }).fill('203.0.113.0/24\nnowhere');
    await save.click();
    await dialog.getByText(/^Line 2: “nowhere”/).waitFor();
    expect(await dialog.getByRole('definition').count()).toBe(0);
    await dialog.getByRole('textbox', { name: 'IP addresses' }).fill('203.0.113.0/24');
    await save.click();
    expect(await dialog.getByRole('definition').allInnerTexts()).toEqual(['203.0.113.0/24']);
    expect(await callPortal(key, 'GET')).toMatchObject({ ipWhitelist: [] });
    await dialog.getByRole('button', { name: 'Change LIVE key' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await callPortal(key, 'GET')).toMatchObject({ ipWhitelist: ['203.0.113.0/24'] });
  });

  it('may stay expired, and works again when its expiry is taken away', async () => {
    const key = await createKey(portal.world(), { name: 'Late', mode: 2 });
    await callPortal(key, 'PATCH', { expiresAt: '2025-01-01T00:00:30Z' });
    const renaming = await openEdit('Late');
    await renaming.dialog.getByRole('textbox', { name: 'Name' }).fill('Too late');
    await renaming.save.click();
    await renaming.dialog.waitFor({ state: 'detached' });
    expect(await callPortal(key, 'GET')).toMatchObject({
      name: 'Too late',
      status: 'EXPIRED',
      expiresAt: '2025-01-01T00:00:30.000Z',
    });
    await choose(renaming.page, 'Too late', 'Edit');
    await renaming.dialog.getByRole('combobox', { name: 'Expiry' }).selectOption('Never');
    await renaming.save.click();
    await renaming.dialog.waitFor({ state: 'detached' });
    expect(await callPortal(key, 'GET')).toMatchObject({ status: 'ACTIVE', expiresAt: null });
  });

  it('is not, when it was revoked meanwhile, and nothing that was typed is lost', async () => {
    const key = await createKey(portal.world(), { name: 'Gone', mode: 2 });
    const { dialog, save, expectNoise } = await openEdit('Gone');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Still here');
    const token = await signIn(portal.world());
    await portalCall(portal.world(), token, { url: `${keyPath(key)}/revoke` });
    expectNoise(/status of 409/);
    await save.click();
    await dialog.getByRole('alert').getByText('Code 4091').waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Still here');
  });
});

it('a key whose answer was lost is there once, with its expiry, and says that its secret must be rotated', async () => {
  const { page, expectNoise } = await portal.enter({ path: '/api-keys', name: 'API keys' });
  const { dialog, submit } = await startCreating(page, 'Lost');
  await dialog.getByRole('radio', { name: 'TEST', exact: true }).check();
  await dialog.getByRole('combobox', { name: 'Expiry' }).selectOption('In 30 days');
  expectNoise(/Failed to load resource/);
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  await page.route('**/WS_DEMO/api-keys', lose, { times: 1 });
  await submit.click();
  const created = page.getByRole('dialog', { name: 'API key created' });
  await created.getByRole('alert').getByText('The secret was lost on its way').waitFor();
  await created.getByRole('button', { name: 'Close', exact: true }).click();
  await created.waitFor({ state: 'detached' });
  const rows = await portal
    .world()
    .db.query<{ expiresAt: string | null }>(
      sql`select expires_at as "expiresAt" from api_keys where name = 'Lost'`,
    );
  expect(rows).toEqual([{ expiresAt: expect.any(String) }]);
});
