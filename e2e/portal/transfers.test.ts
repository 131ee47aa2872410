import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isDay } from '../../portal/src/list/days.ts';
import { formatAmount } from '../../portal/src/pages/transfers/amount.ts';
import { serviceFilters } from '../../portal/src/pages/transfers/list.ts';
import { isoTime, sql } from '../../server/src/db/sql.ts';
import { seriousIssues } from './axe.ts';
import { openPortal, type Portal } from './harness.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await openPortal();
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

const open = (path = '/transfers', email = 'owner@demo.test') =>
  portal.enter({ path, name: 'Transfers', email });
const searchOf = (url: string) => Object.fromEntries(new URL(url).searchParams);
/** The demo world is dated from when it was loaded. */
async function createdAt(transferId: string): Promise<string> {
  const rows = await portal.world().db.query<{ at: string }>(sql`
    select ${isoTime(sql`created_at`)} as at from transfers where biz_id = ${transferId}`);
  return rows[0]?.at ?? '';
}
const rowsOf = (page: Page) => page.getByRole('row').allInnerTexts();

describe('the transfers', () => {
  it('are filtered by status and currency, which the address keeps', async () => {
    const { page } = await open();
    await page.getByText('1–20 of 240').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Failed');
    await page.getByText('1–20 of 24', { exact: true }).waitFor();
    const currency = page.getByRole('textbox', { name: 'Currency' });
    await currency.fill('eu');
    await page.getByRole('combobox', { name: 'Status' }).focus();
    await page.getByText('3 letters').waitFor();
    expect(await currency.getAttribute('aria-invalid')).toBe('true');
    await currency.fill('eur');
    await page.waitForURL((url) => url.searchParams.get('currency') === 'EUR');
    await expect.poll(() => page.getByText(/^1–\d+ of \d+$/).innerText()).toBe('1–8 of 8');
    const rows = (await rowsOf(page)).slice(1);
    expect(rows.every((row) => row.includes('EUR') && row.includes('Failed'))).toBe(true);
    expect(searchOf(page.url())).toEqual({ status: 'FAILED', currency: 'EUR', workspace: 'WS_DEMO' });
    await page.reload();
    await page.getByText('1–8 of 8').waitFor();
    await page.goBack();
    await page.getByText('1–20 of 24', { exact: true }).waitFor();
    expect(await currency.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('1–20 of 240').waitFor();
  });

  it('are those of the days chosen, from the first to the end of the last, in UTC', async () => {
    const { page } = await open('/transfers?sort=createdAt,asc');
    const [first, second] = await Promise.all([createdAt('TRF_0000000001'), createdAt('TRF_0000000002')]);
    const dayOf = (time: string, later = 0) =>
      new Date(Date.parse(time) + later * 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel('Created from').fill(dayOf(first));
    await page.getByLabel('Created to').fill(dayOf(second, -1));
    await page.getByText('1–1 of 1').waitFor();
    await page.getByLabel('Created to').fill(dayOf(second));
    await page.getByText('1–2 of 2').waitFor();
    expect(searchOf(page.url())).toMatchObject({ from: dayOf(first), to: dayOf(second) });
    await page.getByLabel('Created from').fill(dayOf(first, 1));
    await page.getByText('1–1 of 1').waitFor();
    await page.getByLabel('Created from').fill(dayOf(second, 1));
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByText('Before the first day').waitFor();
    await page.getByLabel('Created to').fill('');
    await page.getByText('1–20 of 238').waitFor();
  });

  it('are sorted by their columns, both ways', async () => {
    const { page } = await open('/transfers?size=10');
    for (const [column, field] of [
      ['Amount', 'amount'],
      ['Status', 'status'],
      ['Currency', 'currency'],
      ['Created', 'createdAt'],
    ] as const) {
      const header = page.getByRole('columnheader', { name: column });
      await header.getByRole('button').click();
      await page.waitForURL((url) => url.searchParams.get('sort') === `${field},asc`);
      expect(await header.getAttribute('aria-sort')).toBe('ascending');
      await header.getByRole('button').click();
      await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending');
    }
    await page.getByText('1–10 of 240').waitFor();
    await page.getByRole('button', { name: 'Last page' }).click();
    await page.getByText('231–240 of 240').waitFor();
    await page.getByRole('cell', { name: 'TRF_0000000001' }).waitFor();
  });

  it('have amounts with every digit that the service gave', async () => {
    await portal.world().db.query(sql`
      insert into transfers (biz_id, workspace_id, mode, amount, currency, status, created_at, updated_at)
      select 'TRF_HUGE', id, 'TEST', 12345678901234567.890, 'KWD', 'FAILED', '2022-01-01T00:00:00Z', '2022-01-01T00:00:00Z'
      from workspaces where biz_id = 'WS_DEMO'`);
    const { page } = await open('/transfers?mode=TEST&to=2022-01-01');
    await page.getByRole('button', { name: '12,345,678,901,234,567.890 KWD' }).waitFor();
    await portal.world().db.query(sql`delete from transfers where biz_id = 'TRF_HUGE'`);
  });

  it('are told in full in a drawer, which link, reload and back button know', async () => {
    const { page, context } = await open('/transfers?currency=KWD');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: '8,847.190 KWD' }).click();
    const drawer = page.getByRole('dialog', { name: 'Transfer TRF_0000000238' });
    await drawer.getByText('INV-238').waitFor();
    await drawer.getByText('Kuwaiti Dinar (KWD)').waitFor();
    await drawer.getByText(await createdAt('TRF_0000000238')).waitFor();
    await drawer.getByRole('button', { name: 'Copy amount' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('8847.190');
    await page.reload();
    await drawer.getByText('INV-238').waitFor();
    await page.goBack();
    await drawer.waitFor({ state: 'detached' });
    expect(searchOf(page.url())).toEqual({ currency: 'KWD', workspace: 'WS_DEMO' });
  });

  it('show exact times to the keyboard', async () => {
    const { page } = await open('/transfers?size=10');
    const row = page.getByRole('row').nth(1);
    const exact = row
      .getByRole('cell')
      .last()
      .getByText(/ \d{4}, .* (UTC|GMT)/);
    await exact.waitFor({ state: 'attached' });
    const width = async () => (await exact.boundingBox())?.width ?? 0;
    expect(await width()).toBeLessThan(2);
    await row.getByRole('button').focus();
    await page.keyboard.press('ArrowRight');
    expect(await width()).toBeGreaterThan(50);
  });

  it('survive junk in the address', async () => {
    const { page, expectNoise } = await open(
      '/transfers?mode=live&status=x&currency=euro&from=2023-02-30&to=yesterday&sort=a,b&page=x&transfer=y',
    );
    expectNoise(/status of 404/);
    await page.getByText('1–20 of 240').waitFor();
    await page.getByRole('dialog').getByText('There is no such transfer').waitFor();
  });
});

describe('the mode', () => {
  it('is LIVE or TEST, TEST with a loud mark, and the address keeps it', async () => {
    const { page } = await open('/transfers?page=3');
    await page.getByText('41–60 of 240').waitFor();
    await page.getByRole('radio', { name: 'TEST' }).check();
    await page.getByText('1–20 of 60').waitFor();
    await page.getByText('Test data').waitFor();
    expect(searchOf(page.url())).toEqual({ mode: 'TEST', workspace: 'WS_DEMO' });
    await page.reload();
    await page.getByText('1–20 of 60').waitFor();
    await page.getByRole('row').nth(1).getByRole('button').click();
    await page.getByRole('dialog').getByText('TEST', { exact: true }).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('radio', { name: 'TEST' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByText('1–20 of 240').waitFor();
    await page.getByText('Test data').waitFor({ state: 'detached' });
    await page.goBack();
    expect(await page.getByRole('radio', { name: 'TEST' }).isChecked()).toBe(true);
    await page.getByText('1–20 of 60').waitFor();
  });

  it('never shows rows of the other one, not even for a moment', async () => {
    const { page } = await open();
    await page.getByRole('cell', { name: 'TRF_0000000240' }).waitFor();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/transfers?*mode=TEST*', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('radio', { name: 'TEST' }).check();
    await page.getByRole('table', { name: 'TEST transfers' }).waitFor();
    expect(await page.getByText(/TRF_/).count()).toBe(0);
    release();
    await page.getByRole('cell', { name: 'TRF_0000000300' }).waitFor();
  });
});

describe('who sees what', () => {
  it('a viewer sees the transfers', async () => {
    const { page } = await open('/transfers', 'viewer@demo.test');
    await page.getByText('1–20 of 240').waitFor();
  });

  it('an outsider is offered no workspace of others, and is told of nothing in TEST', async () => {
    const { page } = await open('/transfers?workspace=WS_DEMO', 'outsider@demo.test');
    await page.getByText('1–12 of 12').waitFor();
    await page.getByRole('alert').getByText('You have no role in the workspace WS_DEMO').waitFor();
    expect(await page.getByText('Demo Workspace').count()).toBe(0);
    await page.getByRole('radio', { name: 'TEST' }).check();
    await page.getByText('No TEST transfers yet').waitFor();
  });
});

it('a service that fails is quoted with its request id, and found again', async () => {
  const { page, expectNoise } = await open();
  expectNoise(/status of 503/);
  const body = { success: false, code: '5030', message: 'the service is not available' };
  await page.route('**/workspaces/*/transfers**', (route) =>
    route.fulfill({ status: 503, json: body, headers: { 'x-request-id': 'quote-me' } }),
  );
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Pending');
  const alert = page.getByRole('alert');
  await alert.getByText('quote-me').waitFor();
  await page.unroute('**/workspaces/*/transfers**');
  await page.getByText('1–20 of 24', { exact: true }).waitFor();
  await alert.waitFor({ state: 'detached' });
});

it.each(['light', 'dark'] as const)('has no serious flaw for anyone in %s', async (colorScheme) => {
  const { page } = await portal.enter({
    path: '/transfers?mode=TEST&size=10',
    name: 'Transfers',
    colorScheme,
  });
  await page.getByText('1–10 of 60').waitFor();
  expect(await seriousIssues(page)).toEqual([]);
  await page.getByRole('row').nth(1).getByRole('button').click();
  await page.getByRole('dialog').getByText('Transfer id').waitFor();
  expect(await seriousIssues(page)).toEqual([]);
});

describe('without a browser', () => {
  it('amounts are grouped digit by digit', () => {
    const amounts = ['0', '999', '1000', '-1234567.891', '100000000000000000000000.10', '12.3456'];
    expect(amounts.map(formatAmount)).toEqual([
      '0',
      '999',
      '1,000',
      '-1,234,567.891',
      '100,000,000,000,000,000,000,000.10',
      '12.3456',
    ]);
  });

  it('days are of UTC, the last one included', () => {
    expect(serviceFilters({ from: '2024-02-29', to: '2024-12-31' })).toEqual({
      createdFrom: '2024-02-29T00:00:00.000Z',
      createdTo: '2025-01-01T00:00:00.000Z',
    });
    expect(['2023-02-29', '0202-01-01', '2023-13-01', '2023-1-1', ''].some(isDay)).toBe(false);
  });
});
