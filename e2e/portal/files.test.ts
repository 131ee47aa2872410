import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import { heading, openPortal, type Portal } from './harness.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await openPortal();
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

const openFiles = (path = '/files', email = 'owner@demo.test') =>
  portal.enter({ path, name: 'Files', email });
const searchOf = (url: string) => Object.fromEntries(new URL(url).searchParams);

describe('the files', () => {
  it('are filtered by category and status by name, which the address keeps', async () => {
    const { page } = await openFiles();
    await page.getByText('1–20 of 250').waitFor();
    await page.getByRole('combobox', { name: 'Category' }).selectOption('Invoice');
    await page.getByText('1–15 of 15').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Expired');
    await page.getByRole('cell', { name: 'Invoice' }).first().waitFor();
    expect(searchOf(page.url())).toEqual({ category: 'INVOICE', status: 'EXPIRED', workspace: 'WS_DEMO' });
    const statuses = await page.getByRole('table').getByRole('row').allInnerTexts();
    expect(statuses.slice(1).every((row) => row.includes('Expired'))).toBe(true);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('1–20 of 250').waitFor();
  });

  it('come back by a deep link, a reload and the back button', async () => {
    const { page } = await openFiles('/files?page=3&size=10&sort=originalFilename,asc');
    await page.getByText('21–30 of 250').waitFor();
    const name = page.getByRole('columnheader', { name: 'Name' });
    expect(await name.getAttribute('aria-sort')).toBe('ascending');
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('31–40 of 250').waitFor();
    await page.reload();
    await page.getByText('31–40 of 250').waitFor();
    await page.goBack();
    await page.getByText('21–30 of 250').waitFor();
    await page.goForward();
    await page.getByText('31–40 of 250').waitFor();
  });

  it('are sorted by every column, both ways', async () => {
    const { page } = await openFiles('/files?category=INVOICE');
    for (const [column, field] of [
      ['Category', 'fileCategory'],
      ['Status', 'fileStatus'],
      ['Created', 'createdAt'],
      ['Name', 'originalFilename'],
      ['Size', 'fileSize'],
    ] as const) {
      const header = page.getByRole('columnheader', { name: column });
      await header.getByRole('button').click();
      await page.waitForURL((url) => url.searchParams.get('sort') === `${field},asc`);
      expect(await header.getAttribute('aria-sort')).toBe('ascending');
      await header.getByRole('button').click();
      // The usual order is not written into the address.
      const expected = field === 'createdAt' ? null : `${field},desc`;
      await page.waitForURL((url) => url.searchParams.get('sort') === expected);
      expect(await header.getAttribute('aria-sort')).toBe('descending');
    }
    await page
      .getByRole('row')
      .nth(1)
      .getByRole('cell', { name: /^3\.69 kB/ })
      .waitFor();
  });

  it('survive junk in the address', async () => {
    const { page, expectNoise } = await openFiles(
      '/files?page=-1&size=7&sort=__proto__,asc&category=%00&status=constructor&within=WS_NONE&institution=X&file=nobody&workspace=WS_NONE',
    );
    expectNoise(/status of 404/);
    await page.getByText('1–20 of 250').waitFor();
    await page.getByRole('dialog').getByText('There is no such file').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alert').getByText('You have no role in the workspace WS_NONE').waitFor();
  });

  it('past the end offer the last page', async () => {
    const { page } = await openFiles('/files?page=999');
    await page.getByText('0 of 250').waitFor();
    await page.getByRole('button', { name: 'Go to the last page' }).click();
    await page.getByText('241–250 of 250').waitFor();
  });

  it('are told in full in a drawer, which the back button closes', async () => {
    const { page, context } = await openFiles('/files?sort=fileSize,desc&category=INVOICE');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('row').nth(1).getByRole('button').first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('FILE_0000000165').waitFor();
    await drawer.getByText('3.69 kB (3,685 bytes)').waitFor();
    await drawer.getByText('b5072632d9ba5c73009634cfde90336be90154f637057f53e566189f6189dd09').waitFor();
    await drawer.getByRole('button', { name: 'Copy file id' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('FILE_0000000165');
    await page.reload();
    await drawer.getByText('FILE_0000000165').waitFor();
    await page.goBack();
    await drawer.waitFor({ state: 'detached' });
  });

  it('show exact times and sizes to the pointer and to the keyboard', async () => {
    const { page } = await openFiles('/files?sort=fileSize,desc&category=INVOICE');
    const cell = page.getByRole('cell', { name: /^3\.69 kB/ });
    const exact = cell.getByText('3,685 bytes');
    await exact.waitFor({ state: 'attached' });
    const width = async () => (await exact.boundingBox())?.width ?? 0;
    expect(await width()).toBeLessThan(2);
    await cell.getByText('3.69 kB').hover();
    expect(await width()).toBeGreaterThan(50);
  });

  it('are those of the chosen institution, for its members only', async () => {
    const { page } = await openFiles('/files', 'outsider@demo.test');
    await page.getByRole('combobox', { name: 'Institution' }).waitFor();
    const options = await page
      .getByRole('combobox', { name: 'Institution' })
      .getByRole('option')
      .allInnerTexts();
    expect(options).toEqual(['Other Institution']);
  });
});

describe('an institution of 10,000 files', () => {
  beforeAll(async () => {
    const { db } = portal.world();
    await db.query(sql`
      with institution as (
        insert into institutions (biz_id, name) values ('INST_LARGE', 'Large Institution') returning id
      ), member as (
        insert into institution_members (institution_id, account_id)
        select institution.id, accounts.id from institution, accounts where email = 'owner@demo.test'
      )
      insert into workspaces (biz_id, name, institution_id)
      select 'WS_LARGE', 'Large Workspace', id from institution`);
    // In parts: the service gives no statement much time.
    for (let first = 1; first < 10_000; first += 1000) {
      await db.query(sql`
        insert into files (biz_id, institution_id, workspace_id, bucket, object_key, original_filename, file_size,
          content_type, category, status, etag, remark, created_at, created_by)
        select 'FILE_LARGE_' || n, w.institution_id, w.id, 'b', 'k/' || n, 'large-' || n || '.pdf', n, 'application/pdf',
          'INVOICE', 'ACTIVE', md5(n::text), '', timestamptz '2025-01-01' + n * interval '1 minute', 'ACC_DEMO_OWNER'
        from workspaces w, generate_series(${first}::int, ${first + 999}::int) n where w.biz_id = 'WS_LARGE'`);
    }
  });

  it('shows the exact total, and its last page as fast as its first', async () => {
    const { page } = await openFiles('/files?institution=INST_LARGE');
    await page.getByText('1–20 of 10,000').waitFor();
    await page.getByRole('button', { name: 'Last page' }).click();
    await page.getByText('9,981–10,000 of 10,000').waitFor();
    await page.getByRole('button', { name: 'large-1.pdf', exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('100 rows');
    await page.getByText('1–100 of 10,000').waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(101);
  });
});

describe('a service that is away', () => {
  it('is told of, and found again when it is back, without a reload', async () => {
    const { page, expectNoise } = await openFiles();
    await page.getByText('1–20 of 250').waitFor();
    expectNoise(/Failed to load resource/);
    await portal.stop();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('alert').getByText('The service is not reachable').waitFor();
    await portal.start();
    await page.getByText('21–40 of 250').waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('is waited for by a page that is being loaded', async () => {
    const { page, expectNoise } = await openFiles();
    expectNoise(/Failed to load resource/);
    await page.route('**/web/v1/**', (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').getByText('Trying again').waitFor();
    await page.unroute('**/web/v1/**');
    await heading(page, 'Files').waitFor();
  });

  it('that refuses is quoted with code and request id', async () => {
    const { page, expectNoise } = await openFiles();
    expectNoise(/status of 500/);
    const body = { success: false, code: '5000', message: 'the service failed' };
    await page.route('**/files/query/list**', (route) =>
      route.fulfill({ status: 500, json: body, headers: { 'x-request-id': 'quote-me' } }),
    );
    await page.getByRole('combobox', { name: 'Category' }).selectOption('Contract');
    const alert = page.getByRole('alert');
    await alert.getByText('Code 5000').waitFor();
    await alert.getByText('quote-me').waitFor();
    await page.unroute('**/files/query/list**');
    await alert.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('cell', { name: 'Contract' }).first().waitFor();
    await alert.waitFor({ state: 'detached' });
  });
});
