import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import { seriousIssues } from './axe.ts';
import { openPortal, type Portal } from './harness.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await openPortal();
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

const open = (path = '/channel-types', email = 'owner@demo.test') =>
  portal.enter({ path, name: 'Channel types', email });
const searchOf = (url: string) => Object.fromEntries(new URL(url).searchParams);

describe('the catalogue', () => {
  it('is filtered by code, status and whether enabled, which the address keeps', async () => {
    const { page } = await open();
    await page.getByText('1–13 of 13').waitFor();
    await page.getByRole('checkbox', { name: 'Enabled only' }).check();
    await page.getByText('1–4 of 4').waitFor();
    await page.getByRole('textbox', { name: 'Type code' }).fill('web hook');
    await page.getByText('1–1 of 1').waitFor();
    await page.getByRole('button', { name: 'Webhook' }).waitFor();
    expect(searchOf(page.url())).toEqual({ enabledOnly: 'true', code: 'WEBHOOK', workspace: 'WS_DEMO' });
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Disabled');
    await page.getByText('Nothing matches these filters').waitFor();
    await page.reload();
    await page.getByText('Nothing matches these filters').waitFor();
    expect(await page.getByRole('textbox', { name: 'Type code' }).inputValue()).toBe('WEBHOOK');
    await page.goBack();
    await page.getByText('1–1 of 1').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('1–13 of 13').waitFor();
    expect(await page.getByRole('textbox', { name: 'Type code' }).inputValue()).toBe('');
    expect(await page.getByRole('checkbox', { name: 'Enabled only' }).isChecked()).toBe(false);
  });

  it('takes a code at once on Enter', async () => {
    const { page } = await open();
    await page.getByRole('textbox', { name: 'Type code' }).fill('sms');
    await page.keyboard.press('Enter');
    expect(searchOf(page.url())['code']).toBe('SMS');
    await page.getByRole('cell', { name: 'SMS', exact: true }).waitFor();
  });

  it('is sorted by its columns, both ways, page by page', async () => {
    const { page } = await open('/channel-types?size=10');
    await page.getByText('1–10 of 13').waitFor();
    const first = page.getByRole('row').nth(1);
    for (const [column, field, up, down] of [
      ['Name', 'typeName', 'DingTalk', 'WhatsApp'],
      ['Code', 'typeCode', 'DINGTALK', 'WHATSAPP'],
      ['Status', 'typeStatus', 'Disabled', 'Enabled'],
      ['Updated', 'updatedAt', 'Push', 'Jun 5, 2025'],
    ] as const) {
      const header = page.getByRole('columnheader', { name: column });
      await header.getByRole('button').click();
      await first.getByText(up, { exact: true }).waitFor();
      expect(await header.getAttribute('aria-sort')).toBe('ascending');
      await header.getByRole('button').click();
      await page.waitForURL((url) => url.searchParams.get('sort') === `${field},desc`);
      expect(await header.getAttribute('aria-sort')).toBe('descending');
      await expect.poll(() => first.innerText()).toContain(down);
    }
    const order = page.getByRole('columnheader', { name: 'Order' });
    await order.getByRole('button').click();
    expect(await order.getAttribute('aria-sort')).toBe('ascending');
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('11–13 of 13').waitFor();
    await first.getByText('LARK', { exact: true }).waitFor();
  });

  it('survives junk in the address', async () => {
    const { page, expectNoise } = await open(
      '/channel-types?code=%00&status=x&enabledOnly=1&sort=constructor,asc&page=0&type=NONE',
    );
    expectNoise(/status of 404/);
    await page.getByText('1–13 of 13').waitFor();
  });

  it('is for viewers, too', async () => {
    const { page } = await open('/channel-types?status=ENABLED', 'viewer@demo.test');
    await page.getByText('1–4 of 4').waitFor();
  });
});

describe('a type', () => {
  it('tells what a channel of it is configured with', async () => {
    const { page, context } = await open();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Webhook' }).click();
    const drawer = page.getByRole('dialog', { name: 'Webhook' });
    const settings = drawer.getByRole('region', { name: 'Settings' });
    const row = (name: string) => settings.getByRole('row').filter({ hasText: name });
    expect(await row('url').innerText()).toMatch(
      /string\s+Required\s+format\s*uri\s+matches\s*\^https\?:\/\/\s+at most 2,048 characters/,
    );
    expect(await row('signingSecret').innerText()).toMatch(/Optional\s+matches\s*\^whsec_\S+\s+write-only/);
    expect(await row('timeoutSeconds').innerText()).toMatch(/integer\s+Optional\s+1 to 30\s+default\s*10/);
    await drawer.getByText('no other properties').waitFor();
    await drawer.getByText('https://partner.example/hooks').waitFor();
    await drawer.getByRole('listitem').filter({ hasText: 'Delivery receipts' }).getByText('Yes').waitFor();
    await drawer.getByText('HTTP', { exact: true }).waitFor();
    const toggle = drawer.getByRole('button', { name: 'Show JSON' });
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
    await toggle.click();
    await drawer.getByRole('region', { name: 'JSON' }).getByText('"schemaVersion": 1').waitFor();
    await drawer.getByRole('button', { name: 'Copy JSON' }).click();
    const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    expect(copied.configSchema.required).toEqual(['url']);
  });

  it('without a configuration says so; link, reload and back button know it', async () => {
    const { page } = await open('/channel-types?status=DISABLED');
    await page.getByRole('button', { name: 'Push' }).click();
    const drawer = page.getByRole('dialog', { name: 'Push' });
    await drawer.getByText('The catalogue describes no configuration for this type.').waitFor();
    expect(searchOf(page.url())['type']).toBe('PUSH');
    await page.reload();
    await drawer.getByText('NCT_PUSH').waitFor();
    await page.goBack();
    await drawer.waitFor({ state: 'detached' });
    await page.getByText('1–9 of 9').waitFor();
  });

  it('may have any configuration that the database takes', async () => {
    const odd = [
      { configSchema: {} },
      {
        configSchema: { properties: 7, required: 'x' },
        address: [],
        providers: 'x',
        capabilities: { max: 3 },
      },
    ];
    const { page } = await open();
    for (const config of odd) {
      await portal
        .world()
        .db.query(
          sql`update channel_types set extra_config = ${JSON.stringify(config)}::jsonb where type_code = 'VOICE'`,
        );
      await page.goto('/channel-types?type=VOICE');
      await page.getByRole('dialog', { name: 'Voice' }).getByRole('button', { name: 'Show JSON' }).click();
      await page.getByRole('region', { name: 'JSON' }).waitFor();
    }
  });
});

it('a refusal is quoted with its request id, and over after another try', async () => {
  const { page, expectNoise } = await open();
  expectNoise(/status of 503/);
  const body = { success: false, code: '5030', message: 'the service is not available' };
  await page.route('**/notification-channel-types/query**', (route) =>
    route.fulfill({ status: 503, json: body, headers: { 'x-request-id': 'quote-me' } }),
  );
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Enabled');
  const alert = page.getByRole('alert');
  await alert.getByText('quote-me').waitFor();
  await page.unroute('**/notification-channel-types/query**');
  await page.getByText('1–4 of 4').waitFor();
  await alert.waitFor({ state: 'detached' });
});

it.each(['light', 'dark'] as const)('has no serious flaw for anyone in %s', async (colorScheme) => {
  const { page } = await portal.enter({ path: '/channel-types', name: 'Channel types', colorScheme });
  await page.getByText('1–13 of 13').waitFor();
  expect(await seriousIssues(page)).toEqual([]);
  await page.getByRole('button', { name: 'Webhook' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Show JSON' }).click();
  await page.getByRole('region', { name: 'JSON' }).waitFor();
  expect(await seriousIssues(page)).toEqual([]);
});
