import { readFileSync } from 'node:fs';
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

const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const enter = (path: string, name = 'Transfers') => portal.enter({ path, name });

/** How many stops of the Tab key the rows of the table have. */
const stopsIn = (page: Page) =>
  page
    .locator('tbody')
    .evaluate(
      (body) =>
        [...body.querySelectorAll<HTMLElement>('a, button, [tabindex]')].filter(
          ({ tabIndex }) => tabIndex >= 0,
        ).length,
    );

describe('a list', () => {
  it('of 100 rows is one stop of the Tab key, with arrow keys inside and its header in sight', async () => {
    const { page } = await enter('/transfers?size=100');
    await page.getByText('1–100 of 240').waitFor();
    expect(await stopsIn(page)).toBe(1);
    const openers = page.locator('tbody tr').getByRole('button');
    await openers.first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    expect(await openers.nth(1).evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('End');
    expect(await openers.last().evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await stopsIn(page)).toBe(1);
    const header = page.getByRole('columnheader', { name: 'Amount' });
    expect(await header.evaluate((cell) => cell.getBoundingClientRect().top)).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Transfer id').waitFor();
  });

  it('fits a phone: what has no column of its own stands in a second line', async () => {
    const { page } = await portal.enter({ path: '/transfers?size=10', name: 'Transfers', width: 390 });
    await page.getByText('1–10 of 240').waitFor();
    const region = page.getByRole('region', { name: 'LIVE transfers' });
    expect(await region.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
    expect(await page.locator('tbody tr').first().getByText('Created').isVisible()).toBe(true);
    expect(await page.getByRole('columnheader', { name: 'Created' }).isVisible()).toBe(false);
  });

  it('is saved as CSV, all rows that the filters leave, and not when that is cancelled', async () => {
    const { page } = await enter('/transfers?status=PENDING&sort=createdAt,asc');
    await page.getByText('1–20 of 24').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8').split('\r\n');
    expect(download.suggestedFilename()).toMatch(/^transfers-live-\d{4}-\d\d-\d\d\.csv$/);
    expect(lines[0]?.startsWith('\ufefftransferId,')).toBe(true);
    const rows = lines.slice(1, -1);
    expect([rows.length, new Set(rows).size, rows.every((row) => row.includes('PENDING'))]).toEqual([
      24,
      24,
      true,
    ]);
    await page.getByRole('status').getByText('24 rows saved').waitFor();

    await page.route('**/transfers?*size=100*', () => {});
    await page.getByRole('button', { name: 'CSV' }).click();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('status').getByText('Nothing was saved').waitFor();
  });

  it('is found again by a name, and by a period', async () => {
    const { page } = await enter('/transfers?status=FAILED&mode=TEST&page=2');
    await page.getByRole('button', { name: 'Views' }).click();
    const views = page.getByRole('dialog', { name: 'Views' });
    await views.getByRole('textbox', { name: 'Name' }).fill('Failed ones');
    await page.keyboard.press('Enter');
    await views.getByRole('button', { name: 'Failed ones', exact: true }).waitFor();
    await page.goto('/transfers');
    await heading(page, 'Transfers').waitFor();
    await page.getByRole('combobox', { name: 'Created', exact: true }).selectOption('Last 7 days');
    await expect.poll(() => Object.keys(searchOf(page)).sort()).toEqual(['from', 'to', 'workspace']);
    await page.goBack();
    await page.getByRole('button', { name: 'Views' }).click();
    await views.getByRole('button', { name: 'Failed ones', exact: true }).click();
    await expect.poll(() => searchOf(page)).toEqual({ status: 'FAILED', mode: 'TEST', workspace: 'WS_DEMO' });
    await page.getByRole('button', { name: 'Views' }).click();
    expect(await seriousIssues(page)).toEqual([]);
    await views.getByRole('button', { name: 'Remove the view Failed ones' }).click();
    await views.getByText('Filters and order can be kept here under a name.').waitFor();
  });

  it('is printed alone, with all of its columns', async () => {
    const { page } = await enter('/transfers?size=10');
    await page.getByText('1–10 of 240').waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 720, height: 1000 });
    const isShown = (name: string) => page.getByRole('columnheader', { name }).isVisible();
    expect([await isShown('Reference'), await isShown('Updated')]).toEqual([true, true]);
    for (const gone of ['Main', 'Account'])
      expect(await page.getByLabel(gone, { exact: true }).first().isVisible()).toBe(false);
    expect(await page.locator('main').evaluate((main) => main.getBoundingClientRect().left)).toBe(0);
    await page.emulateMedia({ media: null });
  });
});

describe('the mode', () => {
  it('is one switch for all pages, which every link keeps', async () => {
    const { page } = await enter('/members', 'Members');
    await page.getByRole('radio', { name: 'TEST' }).check();
    expect(await page.getByText('Test data: nothing here is real').count()).toBe(0);
    for (const name of ['Files', 'Transfers', 'Developers', 'API keys']) {
      await page.getByRole('link', { name, exact: true }).click();
      await heading(page, name).waitFor();
      expect(searchOf(page)['mode']).toBe('TEST');
      expect(await page.getByText('Test data: nothing here is real').count()).toBe(
        name === 'Developers' ? 0 : 1,
      );
      expect(await page.getByRole('radio', { name: 'LIVE' }).count()).toBe(1);
    }
  });
});

it('times are told in UTC by choice, which the browser keeps', async () => {
  const { page } = await enter('/transfers?size=10');
  const choice = page.getByRole('button', { name: 'UTC times' });
  await choice.click();
  await page.reload();
  await page.getByText('1–10 of 240').waitFor();
  expect(await choice.getAttribute('aria-pressed')).toBe('true');
  const time = page.locator('tbody time').first();
  const shown = await time.innerText();
  const at = await time.getAttribute('datetime');
  expect(shown.slice(-5)).toBe(at?.slice(11, 16));
  await page.getByRole('button', { name: 'Local times' }).click();
});

describe('Ctrl K', () => {
  it('goes to a page, a record by its id and back to one that was seen', async () => {
    const { page } = await enter('/members', 'Members');
    const field = page.getByRole('combobox', { name: 'Go anywhere' });
    await page.keyboard.press('Control+K');
    await field.fill('audit');
    await page.keyboard.press('Enter');
    await heading(page, 'Audit log').waitFor();
    await page.keyboard.press('Control+K');
    await field.fill('TRF_0000000001');
    expect(await seriousIssues(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('TRF_0000000001').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Files', exact: true }).click();
    await heading(page, 'Files').waitFor();
    await page.keyboard.press('Control+K');
    await page.getByRole('option', { name: /^TRF_0000000001/ }).click();
    await heading(page, 'Transfers').waitFor();
    expect(searchOf(page)['transfer']).toBe('TRF_0000000001');
  });

  it('says so where nothing is called so, and closes by the same keys', async () => {
    const { page } = await enter('/members', 'Members');
    const field = page.getByRole('combobox', { name: 'Go anywhere' });
    await page.getByRole('button', { name: 'Go to…' }).click();
    await field.fill('=cmd()');
    await page.getByText('Nothing is called so').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+K');
    await field.waitFor({ state: 'detached' });
  });
});

describe('what could leave a page empty', () => {
  it('a page whose code did not come is there as soon as the service is', async () => {
    const { page, expectNoise } = await enter('/members', 'Members');
    await settled(page);
    expectNoise(/ERR_CONNECTION_REFUSED|Failed to load resource|the code of a page did not come/);
    await portal.stop();
    // Opened by no other test of this file: the browser has nothing of it.
    await page.getByRole('link', { name: 'Channel types' }).click();
    await page.getByRole('alert').getByText('This page could not be loaded').waitFor();
    await portal.start();
    await heading(page, 'Channel types').waitFor();
  });

  it('/ leads to a page, though its address is written again on the way there', async () => {
    const { page } = await enter('/members', 'Members');
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(() => {
      // As who knew the former address would write its workspace into it.
      const write = () => history.replaceState(null, '', '/?workspace=WS_DEMO');
      addEventListener('replaceState', write, { once: true });
      history.pushState(null, '', '/');
    });
    await page.waitForURL(({ pathname }) => pathname !== '/');
    await page.getByRole('heading', { level: 1 }).waitFor();
  });
});
