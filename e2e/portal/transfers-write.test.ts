import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import { createSettler } from '../../server/src/transfers/settle.ts';
import { portalCall, signIn } from '../../server/test/world.ts';
import { seriousIssues } from './axe.ts';
import { openPortal, type Portal } from './harness.ts';

const url = '/web/v1/workspaces/WS_DEMO/transfers';

let portal: Portal;
let token: string;
beforeAll(async () => {
  portal = await openPortal();
  token = await signIn(portal.world());
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

const open = (path: string, email?: string) =>
  portal.enter({ path, name: 'Transfers', ...(email === undefined ? {} : { email }) });

/** As a program creates it. */
async function create(amount: string, mode: 1 | 2): Promise<string> {
  const body = { amount, currency: 'USD', mode };
  return (await portalCall(portal.world(), token, { url, body })).json().data.transferId;
}

const countOf = async (reference: string) => {
  const [row] = await portal
    .world()
    .db.query<{ count: number }>(
      sql`select count(*)::int as count from transfers where reference = ${reference}`,
    );
  return row?.count;
};

/** Ten seconds, as the service sees them. */
async function settleAll(): Promise<void> {
  let nowMs = portal.world().clock.now();
  const settle = createSettler(portal.world().db, () => nowMs);
  for (let second = 0; second < 10; second++) {
    nowMs += 1000;
    await settle();
  }
}

async function fill(page: Page, values: { Amount: string; Currency: string; Reference: string }) {
  await page.getByRole('button', { name: 'Create transfer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create transfer' });
  for (const [name, value] of Object.entries(values))
    await dialog.getByLabel(name, { exact: true }).fill(value);
  return dialog;
}

describe('a transfer', () => {
  it('is refused by field, created once though its answer was lost, and seen to settle', async () => {
    const { page, expectNoise } = await open('/transfers?mode=TEST&status=FAILED&page=2');
    expectNoise(/status of 400|ERR_FAILED/);
    const dialog = await fill(page, { Amount: '12.5', Currency: 'usd', Reference: 'Once only' });
    await dialog.getByText('No real money. It completes within ten seconds.').waitFor();
    const submit = dialog.getByRole('button', { name: 'Create TEST transfer' });
    await submit.click();
    const amount = dialog.getByLabel('Amount', { exact: true });
    await dialog.getByText('Must have exactly 2 digits after the point in USD, as in 12.50.').waitFor();
    expect(await amount.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await dialog.getByLabel('Reference', { exact: true }).inputValue()).toBe('Once only');

    await amount.fill('12.50');
    await page.route(`**${url}`, async (route) => {
      await route.fetch();
      await route.abort('failed');
    });
    await submit.click();
    await dialog.getByRole('alert').getByText('No answer came').waitFor();
    expect(await countOf('Once only')).toBe(1);
    await page.unroute(`**${url}`);
    await submit.click();
    const drawer = page.getByRole('dialog', { name: /^Transfer TRF_/ });
    await drawer.getByText('Pending', { exact: true }).waitFor();
    expect(await countOf('Once only')).toBe(1);

    await settleAll();
    await drawer.getByText('Completed', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  });

  it('that is LIVE is looked at twice, and goes back to its fields when it is refused', async () => {
    const { page, expectNoise } = await open('/transfers?mode=TEST');
    expectNoise(/status of 400/);
    const dialog = await fill(page, { Amount: '12', Currency: 'XAU', Reference: '' });
    await dialog.getByRole('radio', { name: 'LIVE' }).check();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('This creates a LIVE transfer of').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create LIVE transfer' }).click();
    await dialog.getByText(/^Must be a code of ISO 4217/).waitFor();
    expect(await dialog.getByLabel('Amount', { exact: true }).inputValue()).toBe('12');
    await dialog.getByLabel('Currency', { exact: true }).fill('JPY');
    await dialog.getByText('Japanese Yen').waitFor();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('button', { name: 'Create LIVE transfer' }).click();
    await page
      .getByRole('dialog', { name: /^Transfer TRF_/ })
      .getByText('Pending', { exact: true })
      .waitFor();
    expect(new URL(page.url()).searchParams.get('mode')).toBeNull();
  });

  it('is cancelled after a second look, while it is pending', async () => {
    const [kept, moved] = [await create('17.00', 2), await create('17.00', 2)];
    const { page, expectNoise } = await open(`/transfers?transfer=${kept}`);
    const drawer = page.getByRole('dialog', { name: `Transfer ${kept}` });
    await drawer.getByText('It stays pending until you cancel it.').waitFor();
    const cancel = drawer.getByRole('button', { name: 'Cancel transfer' });
    const dialog = page.getByRole('dialog', { name: 'Cancel transfer' });
    await cancel.click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => cancel.evaluate((button) => button === document.activeElement)).toBe(true);
    await cancel.press('Enter');
    await dialog.getByRole('button', { name: 'Cancel transfer' }).click();
    await page.getByText('The transfer is cancelled').waitFor();
    await drawer.getByText('Cancelled', { exact: true }).waitFor();
    await cancel.waitFor({ state: 'detached' });

    await page.goto(`/transfers?mode=TEST&transfer=${moved}`);
    await page.getByRole('button', { name: 'Cancel transfer' }).click();
    await portal.world().db.query(sql`update transfers set status = 'PROCESSING' where biz_id = ${moved}`);
    expectNoise(/status of 409/);
    await dialog.getByRole('button', { name: 'Cancel transfer' }).click();
    await dialog.getByText('Code 4091').waitFor();
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('dialog').getByText('Processing', { exact: true }).waitFor();
  });

  it('is not asked about while nobody looks', async () => {
    const id = await create('19.00', 2);
    const { page } = await open('/transfers?mode=TEST&status=PENDING');
    await page.getByRole('cell', { name: id }).waitFor();
    await page.clock.install();
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes(`${url}?`)) asked += 1;
    });
    const hide = (state: string) =>
      page.evaluate((to) => {
        Object.defineProperty(document, 'visibilityState', { value: to, configurable: true });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      }, state);
    await page.reload();
    await page.getByRole('cell', { name: id }).waitFor();
    await hide('hidden');
    asked = 0;
    await page.clock.runFor(30_000);
    expect(asked).toBe(0);
    await hide('visible');
    await page.clock.runFor(4000);
    await expect.poll(() => asked).toBeGreaterThan(0);
  });
});

it('a viewer cancels and creates nothing', async () => {
  const id = await create('17.00', 1);
  const { page } = await open(`/transfers?transfer=${id}`, 'viewer@demo.test');
  await page.getByRole('dialog').getByText('Pending', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /^(create|cancel)\b/i, includeHidden: true }).count()).toBe(
    0,
  );
});
