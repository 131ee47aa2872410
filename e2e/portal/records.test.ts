import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../server/test/world.ts';
import { openPortal, type Portal } from './harness.ts';

let portal: Portal;
let testKey: string;
beforeAll(async () => {
  portal = await openPortal();
  testKey = (await createKey(portal.world(), { name: 'Elsewhere', mode: 2 })).apiKeyId;
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

/** Each is on no page that its address shows; `nobody` is nowhere. */
const records = [
  {
    name: 'Transfers',
    path: () => '/transfers?transfer=TRF_0000000001',
    shows: 'TRF_0000000001',
    nobody: '/transfers?transfer=TRF_NONE',
    none: 'There is no such transfer',
  },
  {
    name: 'Files',
    path: () => '/files?category=INVOICE&file=FILE_0000000001',
    shows: 'FILE_0000000001',
    nobody: '/files?file=FILE_NONE',
    none: 'There is no such file',
  },
  {
    name: 'API keys',
    path: () => `/api-keys?mode=LIVE&key=${testKey}`,
    shows: 'Elsewhere',
    nobody: '/api-keys?key=ak_live_none',
    none: 'There is no such API key',
  },
  {
    name: 'Channel types',
    path: () => '/channel-types?code=EMAIL&type=WEBHOOK',
    shows: 'WEBHOOK',
    nobody: '/channel-types?type=NONE',
    none: 'There is no such channel type',
  },
  {
    name: 'Audit log',
    path: () => '/audit-log?record=1',
    shows: 'AUD_01H00000000000000000000001',
    nobody: '/audit-log?record=AUD_NONE',
    none: 'There is no such record',
  },
];

describe.each(records)('a record of $name', ({ name, path, shows, nobody, none }) => {
  it('has an address that opens it wherever it is, and says so where there is none', async () => {
    const { page, expectNoise } = await portal.enter({ path: path(), name });
    const drawer = page.getByRole('dialog');
    await drawer.getByText(shows, { exact: true }).first().waitFor();
    expectNoise(/status of 40[04]/);
    await page.goto(nobody);
    await drawer.getByText(none).waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  });
});

it('a TEST transfer is shown as one, whatever the address says of the mode', async () => {
  const { page } = await portal.enter({ path: '/transfers?mode=TEST&size=10', name: 'Transfers' });
  const id = await page.getByRole('cell', { name: /^TRF_/ }).first().innerText();
  await page.goto(`/transfers?page=3&transfer=${id}`);
  const drawer = page.getByRole('dialog', { name: `Transfer ${id}` });
  await drawer.getByText('TEST', { exact: true }).first().waitFor();
  await page.getByText('Test data').waitFor();
  expect(new URL(page.url()).searchParams.get('mode')).toBe('TEST');
});

it('what a record of the log is about is one click away', async () => {
  const { page } = await portal.enter({ path: '/audit-log?record=1', name: 'Audit log' });
  const link = page.getByRole('link', { name: 'Open this API key' });
  expect(await link.getAttribute('href')).toBe(
    '/api-keys?workspace=WS_DEMO&key=ak_live_01H00000000000000000000001',
  );
});
