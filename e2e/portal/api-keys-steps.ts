import type { Page } from 'playwright-core';
import type { Key } from '../../server/test/world.ts';

export async function startCreating(page: Page, name: string) {
  await page.getByRole('button', { name: 'Create API key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create API key' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  return { dialog, submit: dialog.getByRole('button', { name: 'Create API key' }) };
}

export async function readSecret(page: Page, title: string): Promise<Key> {
  const dialog = page.getByRole('dialog', { name: title });
  const secret = await dialog.getByText(/^sk_/).innerText();
  return { apiKeyId: await dialog.getByText(/^ak_/).innerText(), secret };
}

export async function sayStored(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'I have stored the secret' }).check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Chooses from the menu of a row. */
export async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}
