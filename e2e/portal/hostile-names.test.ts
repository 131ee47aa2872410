import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import { createKey, portalCall, signIn } from '../../server/test/world.ts';
import { openPortal, type Portal } from './harness.ts';

/** Turns the letters around, holds a tag and the picture of a NUL, and is as long as a name may be. */
const hostile = (length: number) => `\u202e<b id="hostile">\u2400</b>=1+1`.padEnd(length, 'W');
/** The same with every sign of it to be seen. */
const shown = (length: number) => hostile(length).replace('\u202e', '[U+202E]');
const inCsv = (length: number) => `"${hostile(length).replaceAll('"', '""')}"`;

const lists = [
  { title: 'API keys', path: '/api-keys', length: 128, drawer: true },
  { title: 'Files', path: '/files?category=BRANDING&status=REJECTED', length: 255, drawer: true },
  { title: 'Channels', path: '/channels', length: 128, drawer: false },
];

let portal: Portal;
beforeAll(async () => {
  portal = await openPortal();
  const world = portal.world();
  await createKey(world, { name: hostile(128) });
  const channel = { typeCode: 'IN_APP', name: hostile(128), mode: 1, eventTypes: ['transfer.created'] };
  const url = '/web/v1/workspaces/WS_DEMO/notification-channels';
  await portalCall(world, await signIn(world), { url, body: { ...channel, config: {} } });
  // Whatever the service would say to such an upload.
  await world.db.query(sql`
    insert into files (biz_id, institution_id, workspace_id, bucket, object_key, original_filename, file_size,
      content_type, category, status, etag, remark, created_at, created_by)
    select 'FILE_HOSTILE', institution_id, id, 'b', 'k', ${hostile(255)}, 1, 'application/pdf',
      'BRANDING', 'REJECTED', md5('1'), '', now(), 'ACC_DEMO_OWNER'
    from workspaces where biz_id = 'WS_DEMO'`);
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

/** Nothing of a name became a part of the page, and the page is as wide as the window. */
async function expectHarmless(page: Page): Promise<void> {
  expect(await page.locator('#hostile').count()).toBe(0);
  expect(await page.locator('body').innerText()).not.toContain('\u202e');
  expect(await page.title()).not.toContain('\u202e');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
}

describe.each(lists)('a hostile name in $title', ({ title, path, length, drawer }) => {
  it.each([1280, 390])(
    'is shown as it is in the list and when it is opened, %i pixels wide',
    async (width) => {
      const { page } = await portal.enter({ path, name: title, width });
      const opener = page.getByRole('button', { name: shown(length), exact: true });
      await opener.waitFor();
      await expectHarmless(page);
      await opener.click();
      if (drawer) await page.getByRole('dialog', { name: shown(length), exact: true }).waitFor();
      else {
        await page.getByRole('heading', { level: 1, name: shown(length), exact: true }).waitFor();
        expect(await page.title()).toBe(`${shown(length)} · Portico`);
      }
      await expectHarmless(page);
    },
  );

  it('is saved as CSV as it was given', async () => {
    const { page } = await portal.enter({ path, name: title });
    await page.getByRole('button', { name: shown(length), exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8')).toContain(`,${inCsv(length)},`);
  });
});
