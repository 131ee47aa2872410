import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createSealer } from '../../server/src/log/sealer.ts';
import { createKey, type Key, portalCall, signedCall, signIn } from '../../server/test/world.ts';
import { seriousIssues } from './axe.ts';
import { heading, openPortal, type Portal, settled } from './harness.ts';

/** What an owner wants to know in the morning, answered from the overview by clicks alone. */
const dayMs = 86_400_000;
const ends = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const allowed = '198.51.100.17';
let portal: Portal;

beforeAll(async () => {
  portal = await openPortal();
  const world = portal.world();
  const well = await createKey(world, { name: 'Payouts' });
  const refused = await createKey(world, { name: 'Back office', ipWhitelist: [allowed] });
  await createKey(world, { name: 'Ends in spring', expiresAt: ends(120) });
  await createKey(world, { name: 'Ends this week', expiresAt: ends(3.5) });
  const url = `/web/v1/workspaces/WS_DEMO/api-keys/${refused.apiKeyId}/rotate`;
  await portalCall(world, await signIn(world), { method: 'POST', url, body: {} });
  await createSealer(world.db)();
  for (const key of [well, refused, refused, refused]) await call(key);
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

/** A signed call that is counted at once. */
async function call(key: Key): Promise<void> {
  const world = portal.world();
  const { requestLog } = world.services;
  await signedCall(world, key, { url: '/api/v1/transfers' });
  // Noted once the answer is over.
  await vi.waitFor(() => expect(requestLog.waiting()).toBeGreaterThan(0), { timeout: 20_000 });
  await requestLog.flush(world.db);
}

/** Someone who has just arrived, and whose clicks are counted. */
async function arrive() {
  const { page } = await portal.enter({ path: '/overview', name: 'Overview' });
  let clicks = 0;
  return {
    page,
    clicks: () => clicks,
    async click(what: Locator) {
      clicks += 1;
      await what.click();
    },
  };
}

it('which key causes the refusals since yesterday, and why', async () => {
  const { page, click, clicks } = await arrive();
  await click(page.getByText('24 hours', { exact: true }).first());
  const keys = page.getByRole('region', { name: 'By key' });
  await keys.getByRole('row', { name: /^Back office/ }).waitFor();
  expect(await keys.getByRole('link', { name: /Refused calls of/ }).count()).toBe(1);
  await click(keys.getByRole('link', { name: '3: Refused calls of Back office' }));
  await heading(page, 'Requests').waitFor();
  await page.getByText('1–3 of 3').waitFor();
  await click(page.getByRole('button', { name: 'GET /api/v1/transfers' }).first());
  const why = page.getByRole('dialog').getByRole('region', { name: 'Why it was refused' });
  await why.getByText('The client address is not on the IP whitelist of the API key.').waitFor();
  expect(clicks()).toBe(3);
});

it('who rotated that key, and all that was ever done to it', async () => {
  const { page, click, clicks } = await arrive();
  await click(
    page.getByRole('region', { name: 'By key' }).getByRole('link', { name: 'Back office', exact: true }),
  );
  const drawer = page.getByRole('dialog', { name: 'Back office' });
  const history = drawer.getByRole('region', { name: 'History' });
  await history.getByText('Rotated by Demo Owner').waitFor();
  expect(clicks()).toBe(1);
  await settled(page);
  expect(await seriousIssues(page)).toEqual([]);
  await click(history.getByRole('link', { name: 'All in the audit log' }));
  await heading(page, 'Audit log').waitFor();
  await page.getByText('1–2 of 2').waitFor();
  await page.getByRole('button', { name: 'API key: rotated' }).waitFor();
});

it('whether a call will pass from an address', async () => {
  const { page, click, clicks } = await arrive();
  await click(
    page.getByRole('region', { name: 'By key' }).getByRole('link', { name: 'Back office', exact: true }),
  );
  const simulator = page.getByRole('region', { name: 'Would this call pass?' });
  await click(simulator.getByRole('button', { name: 'Would this call pass?' }));
  await simulator.getByLabel('From address').fill('203.0.113.9');
  await click(simulator.getByRole('button', { name: 'Check' }));
  await simulator.getByText('This call would be refused with 4032').waitFor();
  expect(clicks()).toBe(3);
  await simulator.getByLabel('From address').fill(allowed);
  await click(simulator.getByRole('button', { name: 'Check' }));
  await simulator.getByText('This call would pass').waitFor();
});

it('which keys end this week', async () => {
  const { page, click, clicks } = await arrive();
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByText(/^The key Ends this week ends/).waitFor();
  await click(attention.getByRole('link', { name: 'Keys by expiry' }));
  await heading(page, 'API keys').waitFor();
  await page.getByText('1–4 of 4').waitFor();
  const rows = (await page.getByRole('row').allInnerTexts()).slice(1, 3);
  expect(rows).toEqual([
    expect.stringMatching(/^Ends this week[\s\S]*in [34] days/),
    expect.stringMatching(/^Ends in spring[\s\S]*in 4 months/),
  ]);
  expect(clicks()).toBe(1);
});

it('what a key called, from the key itself', async () => {
  const { page, click, clicks } = await arrive();
  await click(
    page.getByRole('region', { name: 'By key' }).getByRole('link', { name: 'Payouts', exact: true }),
  );
  await click(
    page.getByRole('dialog', { name: 'Payouts' }).getByRole('link', { name: 'Requests of this key' }),
  );
  await heading(page, 'Requests').waitFor();
  await page.getByText('1–1 of 1').waitFor();
  expect(clicks()).toBe(2);
});
