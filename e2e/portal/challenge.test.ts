import { afterEach, describe, expect, it } from 'vitest';
import { addFactor } from '../../server/test/support/own-account.ts';
import { tokenOf } from '../../server/test/world.ts';
import { cloudflareNoise, standInForCloudflare } from './cloudflare.ts';
import { fillSignIn, heading, openPortal, type Portal, signInAt } from './harness.ts';

const keys = { interactive: '3x00000000000000000000FF', failing: '2x00000000000000000000AB' };
const secrets = { fails: '2x0000000000000000000000000000000AA' };

let portal: Portal | undefined;
afterEach(async () => {
  const complaints = await portal?.endVisits();
  await portal?.close();
  expect(complaints).toEqual([]);
});

async function visit(env: Record<string, string>) {
  portal = await openPortal(env);
  return portal.visit();
}

describe('the stand-in for Turnstile', () => {
  it('waits for a click when its key says so', async () => {
    const { page } = await visit({ PORTICO_TURNSTILE_SITE_KEY: keys.interactive });
    await page.goto('/files');
    await fillSignIn(page);
    await page.getByRole('checkbox', { name: 'Confirm that you are human' }).click();
    await heading(page, 'Files').waitFor();
    // Once more in the shell, whose calls need a challenge of their own when the first has ended.
    await page.getByText('1–20 of 250').waitFor();
  });

  it('fails when its key says so, and says it', async () => {
    const { page } = await visit({ PORTICO_TURNSTILE_SITE_KEY: keys.failing });
    await page.goto('/sign-in');
    await page.getByText('The check failed').waitFor();
    await fillSignIn(page);
    await page.getByRole('alert').getByText('The check that you are human did not succeed').waitFor();
  });

  it('is refused by a service that refuses everyone', async () => {
    const { page, expectNoise } = await visit({ PORTICO_TURNSTILE_SECRET: secrets.fails });
    expectNoise(/status of 403/);
    await page.goto('/sign-in');
    await fillSignIn(page);
    await page.getByRole('alert').getByText('Turnstile verification failed').waitFor();
  });
});

it('a provider that is away is told of', async () => {
  const { page, expectNoise } = await visit({ PORTICO_TURNSTILE_VERIFY_URL: 'http://127.0.0.1:9/' });
  expectNoise(/status of 503/);
  await page.goto('/sign-in');
  await fillSignIn(page);
  await page.getByRole('alert').getByText('cannot be verified at the moment').waitFor();
});

it('too many attempts are told of, with the time to wait', async () => {
  const { page, expectNoise } = await visit({ PORTICO_LIMIT_SIGN_IN: '1/1' });
  expectNoise(/status of (401|429)/);
  await page.goto('/sign-in');
  await fillSignIn(page, 'viewer@demo.test', 'wrong');
  await page.getByRole('alert').getByText('is wrong').waitFor();
  await fillSignIn(page, 'viewer@demo.test', 'wrong');
  await page
    .getByRole('alert')
    .getByText(/Too many attempts\. Try again in \d+ seconds\./)
    .waitFor();
});

const realKey = { PORTICO_TURNSTILE_SITE_KEY: '0x4AAAAAAAbcdefgh' };

it('with a real site key the widget is that of Cloudflare, and a spent token is replaced', async () => {
  const { page, context, expectNoise } = await visit(realKey);
  expectNoise(cloudflareNoise);
  expectNoise(/status of 403/);
  await standInForCloudflare(context);
  const sent: string[] = [];
  await context.route('**/files/query/list**', async (route) => {
    const token = route.request().headers()['x-turnstile-token'] ?? '';
    sent.push(token);
    const fields = [{ field: 'X-Turnstile-Token', message: 'has expired or was used before' }];
    const problem = { code: '4030', message: 'Turnstile verification failed', errors: fields };
    if (sent.length === 1) await route.fulfill({ status: 403, json: problem });
    else await route.continue();
  });
  await signInAt(page, '/files', 'Files');
  await page.getByText('1–20 of 250').waitFor();
  expect(sent).toHaveLength(2);
  expect(sent[0]).toMatch(/^token-/);
  expect(sent[1]).not.toBe(sent[0]);
});

it('a challenge is spent on a wrong password, and serves the second factor after the right one', async () => {
  const { page, context, expectNoise } = await visit(realKey);
  expectNoise(cloudflareNoise);
  expectNoise(/status of 401/);
  await standInForCloudflare(context);
  const world = portal?.world();
  if (world === undefined) throw new Error('visit opens the portal');
  const { recoveryCodes } = await addFactor(world, await tokenOf(world, 'ACC_DEMO_OWNER'));
  const sent: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/login')) sent.push(request.headers()['x-turnstile-token']);
  });
  await page.goto('/sign-in');
  await fillSignIn(page, 'owner@demo.test', 'wrong');
  await page.getByRole('alert').getByText('is wrong').waitFor();
  await fillSignIn(page);
  await page.getByRole('textbox', { name: 'Code' }).fill(recoveryCodes[0] ?? '');
  await page.keyboard.press('Enter');
  await heading(page, 'Overview').waitFor();
  expect(sent).toHaveLength(3);
  expect(sent[1]).not.toBe(sent[0]);
  expect(sent[2]).toBe(sent[1]);
});
