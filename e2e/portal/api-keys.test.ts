import { text } from 'node:stream/consumers';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import { createKey, type Key, portalCall, signatureHeaders, signIn } from '../../server/test/world.ts';
import { choose, readSecret, sayStored, startCreating } from './api-keys-steps.ts';
import { heading, openPortal, type Portal } from './harness.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await openPortal();
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

const openKeys = (options: { email?: string; path?: string } = {}) =>
  portal.enter({ path: '/api-keys?mode=TEST', name: 'API keys', ...options });
const openLive = () => openKeys({ path: '/api-keys' });

/** A real call over the wire, signed here: its code. */
async function call(key: Key): Promise<string> {
  const url = '/api/v1/transfers?size=1';
  const response = await fetch(`${portal.origin}${url}`, {
    headers: signatureHeaders(portal.world(), key, { url }),
  });
  const { code } = (await response.json()) as { code: string };
  return code;
}

const flushUsage = () => portal.world().services.usage.flush(portal.world().db);

const isFocused = (field: Locator) => field.evaluate((each) => each === document.activeElement);

/** Nothing lies over it, and nothing has to be scrolled. */
const isInView = (element: Locator) =>
  element.evaluate((each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    return seen !== null && (each.contains(seen) || seen.contains(each));
  });

/** So many steps at once, as if back was pressed faster than the page can follow. */
const goBack = (page: Page, steps: number) =>
  page.evaluate(
    (by) =>
      new Promise<void>((resolve) => {
        addEventListener('popstate', () => setTimeout(resolve), { once: true });
        history.go(-by);
      }),
    steps,
  );

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const hasFocus = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).evaluate((button) => button === document.activeElement);

describe('the life of a key', () => {
  const name = 'Whole life';
  let first: Key;

  it('begins with a secret that is shown once, until it is stored', async () => {
    const { page, context } = await portal.enter({ path: '/files', name: 'Files' });
    await page.getByRole('link', { name: 'API keys' }).click();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { dialog, submit } = await startCreating(page, name);
    await dialog.getByRole('radio', { name: 'TEST', exact: true }).check();
    await dialog.getByRole('checkbox', { name: 'transfers:read', exact: true }).check();
    await submit.click();
    first = await readSecret(page, 'API key created');
    expect(await call(first)).toBe('2000');

    const shown = page.getByRole('dialog', { name: 'API key created' });
    expect(await shown.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    for (const steps of [1, 1, 2]) {
      await goBack(page, steps);
      expect(await shown.getByText(first.secret).isVisible()).toBe(true);
    }

    await shown.getByRole('button', { name: 'Copy secret' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first.secret);
    const download = page.waitForEvent('download');
    await shown.getByRole('button', { name: 'Download .env file' }).click();
    expect((await download).suggestedFilename()).toBe(`${first.apiKeyId}.env`);
    const file = await text(await (await download).createReadStream());
    expect(file).toBe(`PORTICO_KEY_ID=${first.apiKeyId}\nPORTICO_SECRET=${first.secret}\n`);

    await sayStored(page);
    await expect.poll(() => hasFocus(page, 'Create API key')).toBe(true);
    const kept = await page.evaluate(() =>
      JSON.stringify([location.href, { ...localStorage }, document.body.innerHTML]),
    );
    expect(kept).not.toContain(first.secret);
    await rowOf(page, name).waitFor();
    expect(new URL(page.url()).searchParams.get('mode')).toBe('TEST');
    await page.goBack();
    await rowOf(page, name).waitFor({ state: 'detached' });
    await page.goBack();
    await heading(page, 'Files').waitFor();
  });

  it('goes on with disabling and enabling, from the row and from the drawer', async () => {
    const { page } = await openKeys();
    await choose(page, name, 'Disable');
    await rowOf(page, name).getByText('Disabled').waitFor();
    expect(await call(first)).toBe('4015');
    await expect.poll(() => hasFocus(page, `Actions for ${name}`)).toBe(true);
    await page.getByRole('button', { name, exact: true }).click();
    const drawer = page.getByRole('dialog', { name });
    await drawer.getByRole('button', { name: 'Enable', exact: true }).click();
    await drawer.getByRole('button', { name: 'Disable', exact: true }).waitFor();
    expect(await call(first)).toBe('2000');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(page, name)).toBe(true);
  });

  it('has two secrets while it is rotated, and tells when the old one was last used', async () => {
    const { page } = await openKeys();
    await flushUsage();
    await choose(page, name, 'Rotate');
    const wizard = page.getByRole('dialog', { name: 'Rotate API key' });
    await wizard.getByText(/Version 1, last used/).waitFor();
    await wizard.getByRole('combobox', { name: 'Grace period' }).selectOption('1 hour');
    await wizard.getByRole('button', { name: 'Rotate', exact: true }).click();
    const second = await readSecret(page, 'API key rotated');
    expect(second.apiKeyId).toBe(first.apiKeyId);
    await sayStored(page);
    expect([await call(first), await call(second)]).toEqual(['2000', '2000']);
    await flushUsage();

    await page.getByRole('button', { name, exact: true }).click();
    const rotation = page.getByRole('region', { name: 'Rotation' });
    await rotation.getByText(/Old secret \(version 1\): last used/).waitFor();
    await rotation.getByText('in 1 hour').waitFor();
    await page.getByRole('dialog', { name }).getByRole('button', { name: 'Rotate', exact: true }).click();
    await page.getByRole('alert').getByText('A rotation is already open').waitFor();
    const wizardAgain = page.getByRole('dialog', { name: 'Rotate API key' });
    await wizardAgain.getByRole('button', { name: 'End old secret' }).click();
    const end = page.getByRole('dialog', { name: 'End old secret' });
    await end.getByRole('button', { name: 'End old secret' }).click();
    await rotation.waitFor({ state: 'detached' });
    expect([await call(first), await call(second)]).toEqual(['4012', '2000']);
    first = second;
  });

  it('ends when its name is typed', async () => {
    const { page } = await openKeys();
    await choose(page, name, 'Revoke');
    const dialog = page.getByRole('dialog', { name: 'Revoke API key' });
    const revoke = dialog.getByRole('button', { name: 'Revoke', exact: true });
    await dialog.getByRole('textbox').fill('Whole');
    expect(await revoke.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(name);
    await revoke.click();
    await rowOf(page, name).getByText('Revoked').waitFor();
    const said = page.getByRole('status').getByText(`${name} is revoked`);
    await said.waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await said.waitFor({ state: 'detached' });
    expect(await call(first)).toBe('4015');
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Details']);
  });
});

describe('a LIVE key', () => {
  it('is created after a second look, with addresses and an expiry', async () => {
    const { page } = await openLive();
    const { dialog, submit } = await startCreating(page, 'Real');
    expect(await dialog.getByRole('radio', { name: 'LIVE', exact: true }).isChecked()).toBe(true);
    expect(await isInView(submit)).toBe(true);
    await dialog.getByRole('textbox', { name: 'IP addresses' }).fill('203.0.113.7\n\n 2001:db8::/32 ');
    await dialog.getByRole('combobox', { name: 'Expiry' }).selectOption('In 30 days');
    await submit.click();
    await dialog.getByText('203.0.113.7, 2001:db8::/32').waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Real');
    await submit.click();
    await dialog.getByRole('button', { name: 'Create LIVE key' }).click();
    const key = await readSecret(page, 'API key created');
    expect(key.secret).toMatch(/^sk_live_/);
    await sayStored(page);
    await page.getByRole('button', { name: 'Real', exact: true }).click();
    const drawer = page.getByRole('dialog', { name: 'Real' });
    await drawer.getByText('None: the key may do nothing').waitFor();
    await drawer.getByText(/\(in 4 weeks\)/).waitFor();
    expect(await drawer.getByRole('listitem').allInnerTexts()).toEqual(['203.0.113.7', '2001:db8::/32']);
  });

  it('is disabled and rotated only after a confirmation', async () => {
    const key = await createKey(portal.world(), { name: 'Careful', mode: 1 });
    const { page } = await openLive();
    await choose(page, 'Careful', 'Disable');
    const dialog = page.getByRole('dialog', { name: 'Disable API key' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await call(key)).toBe('2000');
    await choose(page, 'Careful', 'Disable');
    await dialog.getByRole('button', { name: 'Disable', exact: true }).click();
    await rowOf(page, 'Careful').getByText('Disabled').waitFor();
    expect(await call(key)).toBe('4015');
    await choose(page, 'Careful', 'Rotate');
    const wizard = page.getByRole('dialog', { name: 'Rotate API key' });
    const rotate = wizard.getByRole('button', { name: 'Rotate', exact: true });
    expect(await rotate.isDisabled()).toBe(true);
    await wizard.getByRole('checkbox', { name: 'I understand that this changes a LIVE key' }).check();
    expect(await rotate.isEnabled()).toBe(true);
    await page.keyboard.press('Escape');
    await wizard.waitFor({ state: 'detached' });
  });
});

describe('what is wrong is told', () => {
  it('of lines that are no address, as one types, and of a key without scopes', async () => {
    const { page } = await openKeys();
    const { dialog, submit } = await startCreating(page, 'x'.repeat(129));
    await dialog.getByText('Without a scope the key may do nothing').waitFor();
    const addresses = dialog.getByRole('textbox', { name: 'IP addresses' });
    await addresses.fill('10.0.0.0/8\n010.0.0.1\nfe80::1%eth0');
    await dialog.getByText('Line 2: “010.0.0.1” is not an IPv4 or IPv6 address or CIDR block').waitFor();
    await dialog.getByText(/^Line 3: “fe80::1%eth0”/).waitFor();
    await submit.click();
    const name = dialog.getByRole('textbox', { name: 'Name' });
    const problem = dialog.getByText('A name has at most 128 characters, not 129');
    await expect.poll(() => isFocused(name)).toBe(true);
    expect([await isInView(problem), await isInView(submit)]).toEqual([true, true]);
    await name.fill('Right');
    await problem.waitFor({ state: 'detached' });
    await submit.click();
    await expect.poll(() => isFocused(addresses)).toBe(true);
    expect(await isInView(dialog.getByText(/^Line 2/))).toBe(true);
    await addresses.fill('10.0.0.0/8');
    await dialog.getByText(/^Line 2/).waitFor({ state: 'detached' });
    await dialog.getByRole('combobox', { name: 'Expiry' }).selectOption('At a time of your choice');
    await submit.click();
    await expect.poll(() => isFocused(dialog.getByLabel('Expires at'))).toBe(true);
    await dialog.getByText('Choose the date and time at which the key expires').waitFor();
    await dialog.getByRole('checkbox', { name: 'files:read' }).check();
    await dialog.getByText('Without a scope').waitFor({ state: 'detached' });
  });

  it('of a workspace that is full, with everything that was typed kept', async () => {
    await portal.world().db.query(sql`
      insert into api_keys (id, workspace_id, name, status, mode, scopes, ip_whitelist, created_at)
      select 'ak_live_FULL' || n, w.id, 'Key ' || n, 'ACTIVE', 'LIVE', '{}', '{}', now()
      from workspaces w, generate_series(1, 50) n where w.biz_id = 'WS_OTHER'`);
    const { page, expectNoise } = await openKeys({ email: 'outsider@demo.test' });
    expectNoise(/status of 409/);
    const { dialog, submit } = await startCreating(page, 'One too many');
    await dialog.getByRole('checkbox', { name: 'files:read' }).check();
    await submit.click();
    const alert = dialog.getByRole('alert');
    await alert.getByText(/50 API keys that are not revoked/).waitFor();
    await alert.getByText('Code 4093').waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('One too many');
    expect(await dialog.getByRole('checkbox', { name: 'files:read' }).isChecked()).toBe(true);
  });

  it('of a rotation that someone else began meanwhile', async () => {
    const { apiKeyId } = await createKey(portal.world(), { name: 'Shared', mode: 2 });
    const { page, expectNoise } = await openKeys();
    await choose(page, 'Shared', 'Rotate');
    const wizard = page.getByRole('dialog', { name: 'Rotate API key' });
    await wizard.getByRole('combobox').waitFor();
    const token = await signIn(portal.world());
    const url = `/web/v1/workspaces/WS_DEMO/api-keys/${apiKeyId}/rotate`;
    await portalCall(portal.world(), token, { url, body: {} });
    expectNoise(/status of 409/);
    await wizard.getByRole('button', { name: 'Rotate', exact: true }).click();
    await wizard
      .getByRole('alert')
      .getByText(/A rotation is already open/)
      .waitFor();
  });
});
