import type { Page, Route } from 'playwright-core';
import type { CreatedApiKey } from '../../sdk/src/portal/index.ts';
import { channelPath } from './channels.ts';
import { pictureTime } from './keys.ts';
import { simulatorPath } from './requests.ts';

const newKeyName = 'Reporting';

/** A page of the portal, and what is done on it before its picture is taken. */
export type Scene = {
  name: string;
  path: string;
  heading: string;
  prepare(page: Page): Promise<void>;
};

const dialogOf = (page: Page) => page.getByRole('dialog');

async function openFirst(page: Page): Promise<void> {
  await page.getByRole('row').nth(1).getByRole('button').first().click();
  await dialogOf(page).waitFor();
}

async function fillNewKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create API key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create API key' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(newKeyName);
  await dialog.getByRole('radio', { name: 'TEST', exact: true }).check();
  await dialog.getByRole('checkbox', { name: 'transfers:read', exact: true }).check();
}

async function editFirst(page: Page): Promise<void> {
  const actions = page.getByRole('button', { name: /^Actions for/ }).first();
  if (await actions.isVisible()) {
    await actions.click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
  } else {
    // On narrow screens they are in the drawer.
    await openFirst(page);
    await dialogOf(page).getByRole('button', { name: 'Edit' }).click();
  }
  await page.getByRole('dialog', { name: 'Edit API key' }).waitFor();
}

/** The same in every picture, and a secret that works nowhere: the service is not asked. */
const newKey: CreatedApiKey = {
  apiKeyId: 'ak_test_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E',
  secret: 'sk_test_4eC39HqLyjWDarjtT1zdp7dcQ2mVn8XsKb5RfGhZ0aA1tTM6K',
  name: newKeyName,
  status: 'ACTIVE',
  mode: 'TEST',
  scopes: ['transfers:read'],
  ipWhitelist: [],
  createdAt: pictureTime.toISOString(),
};

async function answerNewKey(route: Route): Promise<void> {
  if (route.request().method() !== 'POST') return route.continue();
  return route.fulfill({ json: { success: true, code: '2000', message: 'SUCCESS', data: newKey } });
}

async function createKey(page: Page): Promise<void> {
  await page.route('**/web/v1/workspaces/*/api-keys', answerNewKey);
  await fillNewKey(page);
  await dialogOf(page).getByRole('button', { name: 'Create API key' }).click();
  await page.getByRole('dialog', { name: 'API key created' }).waitFor();
}

async function loadExample(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Load the example' }).click();
  await page.getByRole('region', { name: 'Signature', exact: true }).waitFor();
}

async function fillNewChannel(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create channel' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create channel' });
  await dialog.getByRole('button', { name: 'Webhook' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Settlement service');
  await dialog.getByRole('textbox', { name: 'Endpoint URL' }).fill('https://partner.example/hooks');
  await dialog.getByRole('checkbox', { name: 'All of Transfers' }).check();
}

async function openDelivery(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'transfer.completed', exact: true }).first().click();
  await dialogOf(page).waitFor();
}

async function openBell(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await page.getByRole('link', { name: /Transfer completed/ }).waitFor();
}

const nothing = async () => {};

export const signInScene: Scene = {
  name: 'sign-in',
  path: '/sign-in',
  heading: 'Sign in',
  prepare: async (page) => page.getByText('You are human').waitFor(),
};

export const scenes: Scene[] = [
  { name: 'overview', path: '/overview', heading: 'Overview', prepare: nothing },
  { name: 'files', path: '/files', heading: 'Files', prepare: nothing },
  { name: 'file', path: '/files?category=INVOICE&sort=fileSize,desc', heading: 'Files', prepare: openFirst },
  { name: 'api-keys', path: '/api-keys', heading: 'API keys', prepare: nothing },
  { name: 'create-api-key', path: '/api-keys', heading: 'API keys', prepare: fillNewKey },
  { name: 'edit-api-key', path: '/api-keys', heading: 'API keys', prepare: editFirst },
  { name: 'api-key-created', path: '/api-keys', heading: 'API keys', prepare: createKey },
  {
    name: 'simulator',
    path: simulatorPath,
    heading: 'API keys',
    prepare: async (page) => page.getByRole('list', { name: 'Checks' }).waitFor(),
  },
  { name: 'requests', path: '/requests', heading: 'Requests', prepare: nothing },
  { name: 'request', path: '/requests', heading: 'Requests', prepare: openFirst },
  { name: 'channels', path: '/channels', heading: 'Channels', prepare: nothing },
  { name: 'create-channel', path: '/channels', heading: 'Channels', prepare: fillNewChannel },
  { name: 'channel', path: channelPath, heading: 'Settlement service', prepare: nothing },
  { name: 'delivery', path: channelPath, heading: 'Settlement service', prepare: openDelivery },
  { name: 'bell', path: '/channels', heading: 'Channels', prepare: openBell },
  { name: 'channel-types', path: '/channel-types', heading: 'Channel types', prepare: nothing },
  {
    name: 'channel-type',
    path: '/channel-types?type=WEBHOOK',
    heading: 'Channel types',
    prepare: async (page) => dialogOf(page).waitFor(),
  },
  { name: 'transfers', path: '/transfers', heading: 'Transfers', prepare: nothing },
  { name: 'transfers-test', path: '/transfers?mode=TEST', heading: 'Transfers', prepare: nothing },
  { name: 'members', path: '/members', heading: 'Members', prepare: nothing },
  { name: 'account', path: '/account', heading: 'Your account', prepare: nothing },
  { name: 'audit-log', path: '/audit-log', heading: 'Audit log', prepare: nothing },
  { name: 'developers', path: '/developers', heading: 'Developers', prepare: loadExample },
];
