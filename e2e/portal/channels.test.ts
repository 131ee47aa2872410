import { pino } from 'pino';
import type { Locator, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Maintenance, startMaintenance } from '../../server/src/maintenance.ts';
import { ok, type Receiver, startReceiver, withStatus } from '../../server/test/support/receiver.ts';
import { portalCall, signIn } from '../../server/test/world.ts';
import { seriousIssues } from './axe.ts';
import { heading, openPortal, type Portal } from './harness.ts';

const workspaceUrl = '/web/v1/workspaces/WS_DEMO';

let portal: Portal;
let token: string;
let maintenance: Maintenance;
let receiver: Receiver;
beforeAll(async () => {
  portal = await openPortal();
  const { services, db } = portal.world();
  maintenance = startMaintenance(services, db, pino({ level: 'silent' }));
  token = await signIn(portal.world());
  receiver = await startReceiver();
});
afterEach(async () => {
  receiver.answerWith(ok);
  receiver.received.length = 0;
  expect(await portal.endVisits()).toEqual([]);
});
afterAll(async () => {
  await maintenance.stop();
  await receiver.close();
  await portal.close();
});

const open = (path = '/channels?mode=TEST', name = 'Channels', email?: string) =>
  portal.enter({ path, name, ...(email === undefined ? {} : { email }) });

const post = async (path: string, body: object) =>
  (await portalCall(portal.world(), token, { url: `${workspaceUrl}/${path}`, body })).json().data;

/** As a program creates it. */
const createChannel = (name: string, more: object = {}) =>
  post('notification-channels', {
    typeCode: 'WEBHOOK',
    name,
    mode: 2,
    eventTypes: ['transfer.created'],
    config: { url: receiver.url },
    ...more,
  });

/** A TEST transfer that stays as it is. */
const createTransfer = () => post('transfers', { amount: '17.00', currency: 'USD', mode: 2 });

const at = ({ channelId }: { channelId: string }) => `/channels?channel=${channelId}`;

const rowOf = (page: Page, type: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: type, exact: true }) });

/** The secret of a dialog that nothing closes before it is stored. */
async function takeSecret(page: Page, dialog: Locator): Promise<string> {
  const secret = await dialog.getByText(/^whsec_/).innerText();
  await page.keyboard.press('Escape');
  await dialog.getByRole('checkbox', { name: 'I have stored the secret' }).check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  return secret;
}

const isFocused = (field: Locator) => field.evaluate((element) => element === document.activeElement);

describe('a webhook channel', () => {
  it('is refused by field, created by what its type needs, and tested under the secret that is shown once', async () => {
    const { page, expectNoise } = await open();
    expectNoise(/status of 400/);
    await page.getByText('No TEST channels yet').waitFor();
    await page.getByRole('button', { name: 'Create channel' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create channel' });
    await dialog.getByRole('button', { name: 'Webhook' }).click();
    const submit = dialog.getByRole('button', { name: 'Create channel' });
    await submit.click();
    await dialog.getByText('Endpoint URL is needed').waitFor();
    await dialog.getByText('Choose at least one').waitFor();
    expect(await isFocused(dialog.getByLabel('Name', { exact: true }))).toBe(true);

    await dialog.getByLabel('Name', { exact: true }).fill('Settlement');
    const url = dialog.getByLabel('Endpoint URL');
    await url.fill('http://169.254.169.254/hooks');
    await dialog.getByRole('checkbox', { name: 'All of Transfers' }).check();
    await dialog.getByRole('checkbox', { name: 'transfer.cancelled' }).uncheck();
    await dialog.getByText('4 of 21 chosen').waitFor();
    await submit.click();
    await expect.poll(() => url.getAttribute('aria-invalid')).toBe('true');
    expect(await isFocused(url)).toBe(true);
    expect(await seriousIssues(page)).toEqual([]);

    await url.fill(receiver.url);
    await submit.click();
    const created = page.getByRole('dialog', { name: 'Channel created' });
    const secret = await takeSecret(page, created);
    await heading(page, 'Settlement').waitFor();
    await page.getByText('Nothing has been sent yet.').waitFor();

    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('status').getByText('A test is on its way to Settlement').waitFor();
    await rowOf(page, 'ping').getByText('Succeeded').waitFor();
    await page.getByText('What is sent arrives.').waitFor();
    const [ping] = receiver.received;
    const headers = ping?.headers as Record<string, string>; // those of a webhook are there once each
    expect(new Webhook(secret).verify(ping?.body ?? '', headers)).toMatchObject({ type: 'ping' });
    expect(await page.content()).not.toContain(secret);
    expect(await seriousIssues(page)).toEqual([]);
  });

  it('shows what failed with its answer, and how it is tried again until it arrives', async () => {
    const { page } = await open(at(await createChannel('Shaky')), 'Shaky');
    // Whatever the link said of the mode.
    await page.waitForURL(({ searchParams }) => searchParams.get('mode') === 'TEST');
    receiver.answerWith(withStatus(503, 'out for lunch'));
    await createTransfer();
    const row = rowOf(page, 'transfer.created');
    await row.getByText('Pending').waitFor();
    await row.getByText('503').waitFor();
    await row.getByText(/^Next attempt (now|in \d+ (second|minute)s?)$/).waitFor();
    await page.getByText('What is sent does not arrive').waitFor();
    await row.getByRole('button').click();
    const drawer = page.getByRole('dialog', { name: 'transfer.created' });
    await drawer.getByText('out for lunch').waitFor();

    receiver.answerWith(ok);
    portal.world().clock.advance(600);
    await drawer.getByText('Succeeded').waitFor();
    await drawer.getByText('thanks').waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await row.getByText('200').waitFor();
    expect(Number(await row.getByRole('cell').nth(2).innerText())).toBeGreaterThan(1);
    await page.getByText('What is sent arrives.').waitFor();

    await page.getByLabel('Status').selectOption('Failed');
    await page.getByText('Nothing matches these filters').waitFor();
    const sent = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(sent).size).toBe(1);
  });

  it('gets another secret, is changed, stopped, sent what it missed, and deleted after a second look', async () => {
    // The channels of other tests may still try again what they could not deliver.
    const channel = await createChannel('Hooks', { config: { url: `${receiver.url}?own` } });
    const { page, expectNoise } = await open(at(channel), 'Hooks');
    const click = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const confirm = async (title: string, button: string) => {
      const dialog = page.getByRole('dialog', { name: title });
      await dialog.getByRole('button', { name: button, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await click('Rotate secret');
    await page
      .getByRole('dialog', { name: 'Rotate secret' })
      .getByRole('button', { name: 'Rotate secret' })
      .click();
    const secret = await takeSecret(page, page.getByRole('dialog', { name: 'Secret rotated' }));
    expect(secret).not.toBe(channel.secret);

    await click('Edit');
    const edit = page.getByRole('dialog', { name: 'Edit channel' });
    expect(await edit.getByLabel('Signing secret (optional)').inputValue()).toBe('');
    await edit.getByLabel('Name', { exact: true }).fill('Better hooks');
    await edit.getByRole('button', { name: 'Save changes' }).click();
    await heading(page, 'Better hooks').waitFor();

    receiver.answerWith(withStatus(500));
    await createTransfer();
    await rowOf(page, 'transfer.created').getByText('Pending').waitFor();
    await click('Disable');
    await confirm('Disable channel', 'Disable');
    await page.getByText('An owner disabled it.').waitFor();
    await rowOf(page, 'transfer.created').getByText('Cancelled').waitFor();
    expect(await page.getByRole('button', { name: 'Send test' }).count()).toBe(0);
    receiver.answerWith(ok);
    receiver.received.length = 0;
    await click('Enable');
    await click('Redeliver what failed…');
    await confirm('Redeliver what failed', 'Redeliver');
    await rowOf(page, 'transfer.created').getByText('Succeeded').waitFor();
    const arrived = receiver.received.find(({ path }) => path.endsWith('?own'));
    expect(String(arrived?.headers['webhook-signature']).split(' ')).toHaveLength(2);

    await click('Delete');
    await page.keyboard.press('Escape');
    await expect.poll(() => isFocused(page.getByRole('button', { name: 'Delete', exact: true }))).toBe(true);
    await click('Delete');
    await confirm('Delete channel', 'Delete');
    await heading(page, 'Channels').waitFor();
    expectNoise(/status of 404/);
    await page.goBack();
    await page.getByText('There is no such channel').waitFor();
  });

  it('is looked at by everyone, and changed by owners alone', async () => {
    const channel = await createChannel('Seen by all');
    const { page } = await open('/channels?mode=TEST', 'Channels', 'viewer@demo.test');
    await page.getByRole('button', { name: 'Seen by all', exact: true }).click();
    await heading(page, 'Seen by all').waitFor();
    await page.getByText(receiver.url).waitFor();
    expect(new URL(page.url()).searchParams.get('channel')).toBe(channel.channelId);
    for (const name of ['Send test', 'Edit', 'Rotate secret', 'Disable', 'Delete', 'Redeliver what failed…'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
  });
});

describe('the bell', () => {
  const bellOf = (page: Page) => page.getByRole('button', { name: /^Notifications/ });

  it('counts what happened, leads to it, and is read by each for themselves', async () => {
    await createChannel('Bell', { typeCode: 'IN_APP', config: {} });
    const { transferId } = await createTransfer();
    const { page } = await open('/files', 'Files');
    await expect
      .poll(async () => {
        await page.reload();
        await heading(page, 'Files').waitFor();
        await page.waitForLoadState('networkidle');
        return bellOf(page).getAttribute('aria-label');
      })
      .toBe('Notifications, 1 unread');
    await bellOf(page).click();
    const list = page.getByRole('dialog', { name: 'Notifications' });
    const entry = list.getByRole('link', { name: /Transfer created/ });
    await entry.getByText('Unread').waitFor();
    await expect.poll(() => bellOf(page).getAttribute('aria-label')).toBe('Notifications');
    expect(await seriousIssues(page)).toEqual([]);
    await entry.click();
    await page.getByRole('dialog', { name: `Transfer ${transferId}` }).waitFor();
    await page.reload();
    await page.getByRole('dialog', { name: `Transfer ${transferId}` }).waitFor();
    await page.keyboard.press('Escape');
    await bellOf(page).click();
    await entry.waitFor();
    expect(await entry.getByText('Unread').count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await isFocused(bellOf(page))).toBe(true);

    const viewer = await open('/files', 'Files', 'viewer@demo.test');
    await viewer.page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();
  });
});
