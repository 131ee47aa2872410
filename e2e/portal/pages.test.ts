import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { seriousIssues } from './axe.ts';
import { heading, openPortal, type Portal, settled } from './harness.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await openPortal();
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

const names = [
  'Overview',
  'Files',
  'API keys',
  'Requests',
  'Channels',
  'Channel types',
  'Transfers',
  'Members',
  'Audit log',
  'Developers',
  'Your account',
];
const schemes = ['light', 'dark'] as const;

/** The link to the account says whose it is, too. */
const linkTo = (page: Page, name: string) =>
  page.getByRole('link', name === 'Your account' ? { name } : { name, exact: true });

async function expectAccessible(page: Page): Promise<void> {
  await settled(page);
  expect(await seriousIssues(page)).toEqual([]);
}

describe.each(schemes)('in %s', (colorScheme) => {
  it('the sign-in page has no serious flaw for anyone', async () => {
    const { page } = await portal.visit({ colorScheme });
    await page.goto('/sign-in');
    await page.getByText('You are human').waitFor();
    await expectAccessible(page);
  });

  it('every page keeps to the policy, asks nobody else and has no serious flaw for anyone', async () => {
    const { page } = await portal.enter({ path: '/files', name: 'Files', colorScheme });
    for (const name of names) {
      await linkTo(page, name).click();
      await heading(page, name).waitFor();
      expect(await page.title()).toBe(`${name} · Portico`);
      await expectAccessible(page);
    }
    const scheme = await page.evaluate(() => document.documentElement.dataset['mantineColorScheme']);
    expect(scheme).toBe(colorScheme);
  });

  it('the drawer of a file has no serious flaw for anyone', async () => {
    const { page } = await portal.enter({ path: '/files', name: 'Files', colorScheme });
    await page.getByRole('row').nth(1).getByRole('button').first().click();
    await page.getByRole('dialog').getByText('File id').waitFor();
    await expectAccessible(page);
  });
});

/** How far things moved that were already there; browsers call up to 0.1 good. */
async function layoutShiftOf(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const shifts = list.getEntries() as (PerformanceEntry & { value: number })[]; // of the type asked for
          resolve(shifts.reduce((sum, { value }) => sum + value, 0));
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(0), 500);
      }),
  );
}

describe('the shell', () => {
  it.each([390, 1280])('moves nothing while it loads, on %d pixels', async (width) => {
    const { page } = await portal.enter({ path: '/files', name: 'Files', width });
    await page.reload();
    await page.getByText('1–20 of 250').waitFor();
    expect(await layoutShiftOf(page)).toBeLessThan(0.02);
  });

  it('remembers the colour scheme, and has it before anything is painted', async () => {
    const { page, expectNoise } = await portal.enter({ path: '/files', name: 'Files' });
    expectNoise(/ERR_FAILED .*\/assets\/index-/);
    await page.getByRole('button', { name: 'Dark' }).click();
    const scheme = () => page.evaluate(() => document.documentElement.dataset['mantineColorScheme']);
    await expect.poll(scheme).toBe('dark');
    await page.route('**/assets/index-*.js', (route) => route.abort());
    await page.reload();
    expect(await scheme()).toBe('dark');
    await page.evaluate(() => localStorage.removeItem('mantine-color-scheme-value'));
  });

  it.each([390, 768, 2560])('fits %d pixels, with every page within reach', async (width) => {
    const { page } = await portal.enter({ path: '/files', name: 'Files', width });
    await page.getByText('1–20 of 250').waitFor();
    for (const name of names) {
      const menu = page.getByRole('button', { name: 'Open navigation' });
      if (await menu.isVisible()) await menu.click();
      await linkTo(page, name).click();
      await heading(page, name).waitFor();
      await settled(page);
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
        .toBeLessThanOrEqual(width);
    }
  });

  it('is used by keyboard alone: skip link first, then the navigation, then the page', async () => {
    const { page } = await portal.enter({ path: '/files', name: 'Files' });
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    const first = page.getByRole('button', { name: 'Upload' });
    expect(await first.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.getByRole('link', { name: 'Transfers' }).focus();
    await page.keyboard.press('Enter');
    await heading(page, 'Transfers').waitFor();
    expect(await heading(page, 'Transfers').evaluate((title) => title === document.activeElement)).toBe(true);
  });

  it('says so where there is no page', async () => {
    const { page } = await portal.enter({ path: '/files', name: 'Files' });
    await page.evaluate(() => history.pushState(null, '', '/nowhere'));
    await page.getByText('There is no such page').waitFor();
  });
});

it('lives under a base path, assets and cookies included', async () => {
  const based = await openPortal({ PORTICO_BASE_PATH: '/portico' });
  const { page } = await based.enter({ path: '/portico/files?category=INVOICE', name: 'Files' });
  await page.getByText('1–15 of 15').waitFor();
  await page.reload();
  await page.getByText('1–15 of 15').waitFor();
  await page.getByRole('link', { name: 'Developers' }).click();
  await heading(page, 'Developers').waitFor();
  expect(new URL(page.url()).pathname).toBe('/portico/developers');
  expect(await based.endVisits()).toEqual([]);
  await based.close();
});
