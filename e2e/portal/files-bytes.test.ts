import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import { seriousIssues } from './axe.ts';
import { openPortal, type Portal } from './harness.ts';

const bytesMax = 100_000;
const script = '<script>document.title = "run"; parent.postMessage("run", "*")</script>';

let portal: Portal;
beforeAll(async () => {
  portal = await openPortal({ PORTICO_UPLOAD_MAX: `${bytesMax}` });
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

const open = (path = '/files', email?: string) =>
  portal.enter({ path, name: 'Files', ...(email === undefined ? {} : { email }) });

/** Lets files go over the page. */
async function drop(page: Page, files: { name: string; text: string }[]): Promise<void> {
  const dataTransfer = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const { name, text } of all) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  await page.dispatchEvent('body', 'dragenter', { dataTransfer });
  await page.getByText('Drop files to upload them').waitFor();
  await page.dispatchEvent('body', 'drop', { dataTransfer });
}

it('files are dropped, told apart by how they end, and cancelled one by one', async () => {
  const { page, expectNoise } = await open();
  expectNoise(/status of 413|ERR_CONNECTION|ERR_ABORTED/);
  await drop(page, [
    { name: 'kept.txt', text: 'kept' },
    { name: 'large.txt', text: 'x'.repeat(bytesMax + 1) },
    { name: 'left.txt', text: 'left out' },
    { name: 'ended.txt', text: 'ended' },
  ]);
  const dialog = page.getByRole('dialog', { name: 'Upload files' });
  await dialog.getByRole('button', { name: 'Leave out left.txt' }).click();
  await dialog.getByRole('combobox', { name: 'Category' }).selectOption('Contract');
  expect(await seriousIssues(page)).toEqual([]);
  await page.route('**/web/v1/files', async (route) => {
    // This one never gets an answer.
    if (!route.request().postDataBuffer()?.includes('ended.txt')) await route.continue();
  });
  await dialog.getByRole('button', { name: 'Upload 3 files' }).click();
  const row = (name: string) => dialog.getByRole('listitem').filter({ hasText: name });
  await row('kept.txt').getByText('Uploaded').waitFor();
  await row('large.txt').getByText(`The file must have at most ${bytesMax} bytes.`).waitFor();
  await row('ended.txt').getByRole('progressbar').waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await row('ended.txt').getByRole('button', { name: 'Cancel the upload of ended.txt' }).click();
  await row('ended.txt').getByText('Cancelled').waitFor();
  await dialog.getByText('1 of 3 uploaded, 1 refused, 1 cancelled').waitFor();
  await page.unroute('**/web/v1/files');
  await dialog.getByRole('button', { name: 'Try again: ended.txt' }).click();
  await row('ended.txt').getByText('Uploaded').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'kept.txt' }).waitFor();
  await page.getByText('1–20 of 252').waitFor();
});

it('a page in a file is saved, and never run, and its name shows all that is in it', async () => {
  const { page } = await open();
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload files' });
  const name = '../invoice\u202efdp.html';
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    dialog.getByRole('button', { name: 'Choose files' }).click(),
  ]);
  await chooser.setFiles({ name, mimeType: 'text/html', buffer: Buffer.from(script) });
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await dialog.getByText('Uploaded', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const shown = page.getByRole('button', { name: /invoice\[U\+202E\]fdp\.html$/ });
  await shown.click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^[\w.]*invoice_fdp\.html$/);
  expect(readFileSync(await download.path(), 'utf8')).toBe(script);
  expect(download.url()).toMatch(/^blob:/);
  expect([await page.title(), new URL(page.url()).pathname]).toEqual(['Files · Portico', '/files']);
});

it('a file is archived, restored, and deleted after a second look', async () => {
  const { page } = await open('/files?status=ACTIVE&file=FILE_0000000002');
  const drawer = page.getByRole('dialog').filter({ hasText: 'FILE_0000000002' });
  await drawer.getByRole('button', { name: 'Archive' }).click();
  await drawer.getByText('It is kept out of the way, and can be restored.').waitFor();
  await drawer.getByRole('button', { name: 'Restore' }).click();
  await drawer.getByRole('button', { name: 'Archive' }).waitFor();
  await drawer.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete file' });
  expect(await seriousIssues(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await dialog.waitFor({ state: 'detached' });
  await drawer.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await drawer.waitFor({ state: 'detached' });
  await page.getByText(/ is deleted$/).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  const left = sql`select biz_id from files where biz_id = 'FILE_0000000002' and deleted_at is null`;
  expect(await portal.world().db.query(left)).toEqual([]);
});

it('what is not given out is not offered, and it says why', async () => {
  const { page } = await open('/files?status=QUARANTINED');
  await page.getByRole('row').nth(1).getByRole('button').first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Something harmful was found in its content, which is given to nobody.').waitFor();
  expect(await drawer.getByRole('button', { name: 'Download' }).count()).toBe(0);
});

it('a viewer downloads, and changes nothing', async () => {
  const { page } = await open('/files?file=FILE_0000000004', 'viewer@demo.test');
  await page.getByRole('dialog').getByRole('button', { name: 'Download' }).waitFor();
  const changes = { name: /^(upload|archive|restore|delete)/i, includeHidden: true };
  expect(await page.getByRole('button', changes).count()).toBe(0);
});
