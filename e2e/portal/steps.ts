import type { Page } from 'playwright-core';

/** What people do on any page, for tests and screenshots. */
export async function fillSignIn(
  page: Page,
  email = 'owner@demo.test',
  password = 'portico-demo',
): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

/** Signs in and arrives at a page, which the sign-in page leads back to. */
export async function signInAt(page: Page, path: string, name: string, email?: string): Promise<void> {
  await page.goto(path);
  await heading(page, 'Sign in').waitFor();
  await fillSignIn(page, email);
  await heading(page, name).waitFor();
}

/** Everything that was asked for has come, and nothing shows placeholders any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' });
}
