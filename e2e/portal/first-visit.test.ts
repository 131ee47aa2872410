import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Key, signatureHeaders } from '../../server/test/world.ts';
import { fillSignIn, heading, openPortal, type Portal } from './harness.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await openPortal();
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

/** A real call over the wire, as a program makes it with what it was given: its status and its code. */
async function call(key: Key): Promise<[number, string]> {
  const url = '/api/v1/transfers?size=1';
  const headers = signatureHeaders(portal.world(), key, { url });
  const response = await fetch(`${portal.origin}${url}`, { headers });
  const { code } = (await response.json()) as { code: string };
  return [response.status, code];
}

const good = [200, '2000'];

/** Key id and secret, by the buttons that copy them; then the dialog is left as it asks for. */
async function copyKey(page: Page, title: string): Promise<Key> {
  const dialog = page.getByRole('dialog', { name: title });
  const copied = async (name: string) => {
    await dialog.getByRole('button', { name }).click();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const key = { apiKeyId: await copied('Copy key id'), secret: await copied('Copy secret') };
  await dialog.getByRole('checkbox', { name: 'I have stored the secret' }).check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  return key;
}

async function findInvoice(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Category' }).selectOption('Invoice');
  const table = page.getByRole('table', { name: 'Files' });
  await table.getByRole('cell', { name: 'Invoice' }).first().waitFor();
  await page.getByText('1–15 of 15').waitFor();
  await table.getByRole('button', { name: 'statement-23.pdf' }).click();
  const file = page.getByRole('dialog', { name: 'statement-23.pdf' });
  await file.getByText('Invoice').waitFor();
  await file.getByRole('button', { name: 'Close' }).click();
  await file.waitFor({ state: 'detached' });
}

async function createTestKey(page: Page, name: string): Promise<Key> {
  await page.getByRole('link', { name: 'API keys' }).click();
  await heading(page, 'API keys').waitFor();
  await page.getByRole('button', { name: 'Create API key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create API key' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('radio', { name: 'TEST', exact: true }).check();
  await dialog.getByRole('checkbox', { name: 'transfers:read', exact: true }).check();
  await dialog.getByRole('button', { name: 'Create API key' }).click();
  return copyKey(page, 'API key created');
}

/** Opens a row's menu, where what can be done with a key is written. */
async function choose(page: Page, name: string, action: string): Promise<void> {
  const row = page.getByRole('row', { name: new RegExp(name) });
  await row.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

async function rotate(page: Page, name: string): Promise<Key> {
  await choose(page, name, 'Rotate');
  const wizard = page.getByRole('dialog', { name: 'Rotate API key' });
  await wizard.getByRole('button', { name: 'Rotate', exact: true }).click();
  return copyKey(page, 'API key rotated');
}

async function revoke(page: Page, name: string): Promise<void> {
  await choose(page, name, 'Revoke');
  const dialog = page.getByRole('dialog', { name: 'Revoke API key' });
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
  const row = page.getByRole('row', { name: new RegExp(name) });
  await row.getByText('Revoked', { exact: true }).waitFor();
}

it('someone new signs in, finds a file, makes a TEST key, calls with it, rotates it and revokes it', async () => {
  const { page, context } = await portal.visit();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  await heading(page, 'Sign in').waitFor();
  await fillSignIn(page, 'owner@demo.test', 'portico-demo');
  await heading(page, 'Overview').waitFor();
  await page.getByRole('link', { name: 'Files', exact: true }).click();
  await findInvoice(page);

  const first = await createTestKey(page, 'My first key');
  expect(first.secret).toMatch(/^sk_test_/);
  expect(await call(first)).toEqual(good);

  const second = await rotate(page, 'My first key');
  expect(second.apiKeyId).toBe(first.apiKeyId);
  expect(second.secret).not.toBe(first.secret);
  expect([await call(first), await call(second)]).toEqual([good, good]);

  await revoke(page, 'My first key');
  for (const key of [first, second]) expect(await call(key)).toEqual([401, '4015']);
});
