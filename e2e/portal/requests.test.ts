import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKey, type Key, portalCall, signedCall, tokenOf } from '../../server/test/world.ts';
import { seriousIssues } from './axe.ts';
import { heading, openPortal, type Portal, settled } from './harness.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await openPortal();
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

/** A signed call that is in the list at once: its request id. */
async function call(key: Key, url: string): Promise<string> {
  const world = portal.world();
  const { requestLog } = world.services;
  const { headers } = await signedCall(world, key, { url });
  // Noted once the answer is over.
  await expect.poll(() => requestLog.waiting()).toBeGreaterThan(0);
  await requestLog.flush(world.db);
  return String(headers['x-request-id']);
}

const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const rows = async (page: Page) => (await page.getByRole('row').allInnerTexts()).slice(1);

describe('a workspace', () => {
  let key: Key;
  let refused: string;

  it('that never called is led to its first call, and each step ticks itself off', async () => {
    const { page } = await portal.enter({ path: '/overview', name: 'Overview' });
    const list = page.getByRole('region', { name: 'Your first signed call' });
    const done = list.getByRole('img', { name: 'Done' });
    await list.getByText('Create an API key').waitFor();
    expect([await done.count(), await page.getByRole('slider').count()]).toEqual([0, 0]);
    key = await createKey(portal.world(), { name: 'Payouts', ipWhitelist: ['127.0.0.1'] });
    await expect.poll(() => done.count()).toBe(1);
    await list.getByText(`PORTICO_KEY_ID=${key.apiKeyId}`).waitFor();
    refused = await call(key, '/api/v1/files');
    await list.getByText('A call arrived and was refused').waitFor();
    await settled(page);
    expect(await seriousIssues(page)).toEqual([]);
    await call(key, '/api/v1/transfers');
    await expect.poll(() => done.count()).toBe(3);
    await list.getByRole('button', { name: 'Close' }).click();
    await list.waitFor({ state: 'detached' });
  });

  it('that called sees how often, when, by which key and why not, also by keyboard and as a table', async () => {
    const { page } = await portal.enter({ path: '/overview?days=1', name: 'Overview' });
    const chart = page.getByRole('slider', { name: /^Calls over time/ });
    await chart.focus();
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/: 1 passed, 1 refused, 0 failed$/);
    await page.keyboard.press('ArrowLeft');
    expect(await chart.getAttribute('aria-valuenow')).toBe('22');
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/: 0 passed, 0 refused, 0 failed$/);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    expect(await chart.getAttribute('aria-valuenow')).toBe('0');
    await settled(page);
    expect(await seriousIssues(page)).toEqual([]);

    await page.getByRole('button', { name: 'Show as table' }).click();
    const table = page.getByRole('region', { name: 'Calls over time' }).getByRole('table');
    expect(await table.getByRole('row').count()).toBe(25);
    expect((await table.getByRole('row').nth(1).innerText()).split('\t').slice(1)).toEqual(['1', '1', '0']);
    await page.getByText('does not have the scope').waitFor();
    await page.getByRole('radio', { name: '30 days' }).check();
    expect(searchOf(page)).toMatchObject({ days: '30' });
    await page.getByRole('link', { name: '1: Refused calls of Payouts' }).click();
    await heading(page, 'Requests').waitFor();
    await page.getByText('1–1 of 1').waitFor();
    expect(searchOf(page)).toMatchObject({ apiKeyId: key.apiKeyId, statusClass: '4xx' });
  });

  it('finds a refused request by its id, learns why, and leads to simulator and debugger', async () => {
    const { page } = await portal.enter({ path: '/requests', name: 'Requests' });
    await page.getByText('1–2 of 2').waitFor();
    expect(await rows(page)).toEqual([
      expect.stringMatching(/GET \/api\/v1\/transfers[\s\S]*Passed/),
      expect.stringMatching(/GET \/api\/v1\/files[\s\S]*Refused\s*4031/),
    ]);
    await page.goto(`/requests?code=4290&request=${refused}`);
    const drawer = page.getByRole('dialog', { name: 'GET /api/v1/files' });
    await drawer.getByRole('region', { name: 'Why it was refused' }).getByText('4031').waitFor();
    await drawer.getByText('An owner can give the key the scope').waitFor();
    await settled(page);
    expect(await seriousIssues(page)).toEqual([]);
    await drawer.getByRole('button', { name: 'All with 4031' }).click();
    await page.getByText('1–1 of 1').waitFor();
    expect(searchOf(page)).toEqual({ code: '4031', workspace: 'WS_DEMO' });
    await page.reload();
    await page.getByRole('button', { name: 'GET /api/v1/files' }).click();

    await drawer.getByRole('link', { name: 'Run in the simulator' }).click();
    const simulator = page.getByRole('region', { name: 'Would this call pass?' });
    await simulator.getByText('This call would be refused with 4031').waitFor();
    await page.goBack();
    await drawer.getByRole('link', { name: 'Open in the signature debugger' }).click();
    await heading(page, 'Developers').waitFor();
    expect(await page.getByLabel('Path').inputValue()).toBe('/api/v1/files');
    expect(await page.getByLabel('API key ID').inputValue()).toBe(key.apiKeyId);
    expect(await page.getByLabel('Secret', { exact: true }).inputValue()).toBe('');
  });

  it('keeps requests of TEST keys apart, and says so of an id that is nowhere', async () => {
    const test = await createKey(portal.world(), { name: 'Tests', mode: 2 });
    await call(test, '/api/v1/transfers/TRF_NONE');
    const { page, expectNoise } = await portal.enter({ path: '/requests?mode=TEST', name: 'Requests' });
    await page.getByText('1–1 of 1').waitFor();
    expect(await rows(page)).toEqual([
      expect.stringMatching(/GET \/api\/v1\/transfers\/\{transferId\}[\s\S]*4040/),
    ]);
    expectNoise(/status of 404/);
    await page.goto('/requests?request=nobody');
    await page.getByRole('dialog').getByText('There is no such request').waitFor();
  });
});

describe('the simulator', () => {
  const checks = (page: Page) =>
    page
      .getByRole('list', { name: 'Checks' })
      .getByRole('img')
      .evaluateAll((icons) => icons.map((icon) => icon.getAttribute('aria-label')));

  it('judges a call by path, address and time, and anew when the key is changed', async () => {
    const world = portal.world();
    const owner = await tokenOf(world, 'ACC_DEMO_OWNER');
    const end = '2999-06-01T12:00:00.000Z';
    const body = { name: 'Ends', ipWhitelist: ['203.0.113.0/24'], expiresAt: end };
    const { apiKeyId } = await createKey(world, body);
    const path = `/api-keys?key=${apiKeyId}`;
    const { page } = await portal.enter({ path, name: 'API keys', email: 'viewer@demo.test' });
    const box = page.getByRole('region', { name: 'Would this call pass?' });
    await box.getByRole('button', { name: 'Would this call pass?' }).click();
    await box.getByLabel('Path').fill('/web/v1/me');
    await box.getByRole('button', { name: 'Check' }).click();
    await box.getByText('It begins with /api/').waitFor();
    await box.getByText('One IPv4 or IPv6 address').waitFor();

    await box.getByLabel('Path').fill('/api/v1/files/FILE_1');
    await box.getByLabel('From address').fill('198.51.100.7');
    await box.getByRole('button', { name: 'Check' }).click();
    await box.getByText('This call would be refused with 4032').waitFor();
    expect(await checks(page)).toEqual(['Passes', 'Passes', 'Refused', 'Refused']);
    await box.getByText('The key does not have the scope files:read').waitFor();
    expect(await seriousIssues(page)).toEqual([]);

    const url = `/web/v1/workspaces/WS_DEMO/api-keys/${apiKeyId}`;
    const change = { scopes: ['files:read'], ipWhitelist: [] };
    await portalCall(world, owner, { method: 'PATCH', url, body: change });
    await box.getByRole('button', { name: 'Check' }).click();
    await box.getByText('This call would pass').waitFor();
    await box.getByLabel(/^Time/).fill('2999-06-02T12:00');
    await box.getByRole('button', { name: 'Check' }).click();
    await box.getByText('This call would be refused with 4016').waitFor();
    expect(await checks(page)).toEqual(['Passes', 'Refused', 'Passes', 'Passes']);

    await page.reload();
    await box.getByText('This call would be refused with 4016').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(searchOf(page)).toEqual({ workspace: 'WS_DEMO' });
  });
});
