import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../server/test/database.ts';
import { buildOnce, freePort } from '../server/test/service-process.ts';
import { codeAt, stepMs } from '../server/test/support/own-account.ts';
import { type SiteverifyServer, startSiteverify } from '../server/test/support/siteverify-server.ts';
import { chromiumOfWorker } from './chromium.ts';
import { cloudflareNoise, standInForCloudflare } from './portal/cloudflare.ts';
import { fillSignIn, heading } from './portal/steps.ts';
import { createVisitor, type LastingVisitor } from './portal/visitor.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const guide = readFileSync(`${root}docs/getting-started.md`, 'utf8');
const blocks = [...guide.matchAll(/```\n([\s\S]*?)```/g)].map(([, block = '']) => block.trim());
const [install, settings = '', bootstrap = '', start = '', disable = '', exportLog = ''] = blocks;

const owner = { email: 'owner@acme.example', name: 'Olive Owner', password: 'correct horse battery' };
const colleague = { email: 'colleague@acme.example', name: 'Carl Colleague', password: 'staple of the day' };

let database: TestDatabase;
let siteverify: SiteverifyServer;
let env: NodeJS.ProcessEnv;
let origin: string;
let service: ChildProcess | undefined;
const visitors: LastingVisitor[] = [];

const inShell = (script: string, within: NodeJS.ProcessEnv) =>
  spawnSync('bash', ['-c', script], { cwd: root, env: within, encoding: 'utf8' });

/** What the guide exports, once, with this machine's values in place of the reader's own. */
function exported(values: Record<string, string>): NodeJS.ProcessEnv {
  const own = settings.replace(/^export (\w+)=.*$/gm, (line, name: string) =>
    values[name] === undefined ? line : `export ${name}='${values[name]}'`,
  );
  const { PATH, HOME } = process.env;
  const { stdout, stderr } = inShell(`${own}\nenv -0`, { PATH, HOME, LANG: 'C.UTF-8' });
  expect(stderr).toBe('');
  const pairs = stdout
    .split('\0')
    .map((line) => [line.split('=', 1)[0] ?? '', line.slice(line.indexOf('=') + 1)]);
  return Object.fromEntries(pairs.filter(([name]) => name !== ''));
}

beforeAll(async () => {
  buildOnce();
  database = await createDatabase('template0');
  siteverify = await startSiteverify();
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  const values = {
    DATABASE_URL: database.url,
    PORTICO_PUBLIC_URL: origin,
    PORTICO_TURNSTILE_SITE_KEY: '0x4AAAAAAAbcdefgh',
    PORTICO_TURNSTILE_SECRET: 'a-secret-of-the-provider',
  };
  const around = { PORT: String(port), PORTICO_TURNSTILE_VERIFY_URL: siteverify.url };
  env = { ...exported(values), ...around };
});
afterAll(async () => {
  await Promise.all(visitors.map(({ context }) => context.close()));
  // The whole group: npx stands between the shell and the service.
  if (service?.pid !== undefined && service.exitCode === null) {
    const ended = new Promise((resolve) => service?.once('exit', resolve));
    process.kill(-service.pid, 'SIGTERM');
    await ended;
  }
  await siteverify?.close();
  await database?.drop();
});

async function visit(): Promise<LastingVisitor & { page: Page }> {
  const visitor = await createVisitor(await chromiumOfWorker(), origin);
  visitors.push(visitor);
  visitor.expectNoise(cloudflareNoise);
  await standInForCloudflare(visitor.context);
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  return { ...visitor, page: await visitor.tab({}) };
}

function beginOnEmptyDatabase(): string {
  expect(install).toBe('npm ci\nnpm run build');
  const { stdout, stderr, status } = inShell(bootstrap, env);
  expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
  const again = inShell(bootstrap, env);
  expect([again.status, again.stdout]).toEqual([1, '']);
  return stdout.match(/http:\S+\/invitation#\w+/)?.[0] ?? '';
}

async function startService(): Promise<void> {
  service = spawn('bash', ['-c', start], { cwd: root, env, detached: true, stdio: 'ignore' });
  const isReady = async () => (await fetch(`${origin}/readyz`).catch(() => undefined))?.status;
  await expect.poll(isReady).toBe(200);
}

async function join(page: Page, link: string, { name, password }: typeof owner): Promise<void> {
  await page.goto(link);
  await heading(page, 'Join Acme Payments').waitFor();
  await page.getByRole('textbox', { name: 'Your name' }).fill(name);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.keyboard.press('Enter');
  await heading(page, 'Overview').waitFor();
}

async function addSecondFactor(page: Page): Promise<string> {
  await page.getByRole('link', { name: `Your account: ${owner.name}` }).click();
  await page.getByRole('button', { name: 'Add a second factor' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('img', { name: 'The secret as a QR code' }).waitFor();
  const secret = await dialog.locator('code').innerText();
  await dialog.getByRole('textbox', { name: 'Code' }).fill(codeAt(secret, Date.now()));
  await page.keyboard.press('Enter');
  await dialog.getByRole('checkbox', { name: 'I have stored' }).check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  return secret;
}

/** With the code that comes next, which a clock that runs ahead shows: the one that confirmed is used, and a new one would take up to 30 s. */
async function signInWithCode(page: Page, secret: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await heading(page, 'Sign in').waitFor();
  await fillSignIn(page, owner.email, owner.password);
  await page.getByRole('textbox', { name: 'Code' }).fill(codeAt(secret, Date.now() + stepMs));
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: `Your account: ${owner.name}` }).waitFor();
}

async function invite(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Email' }).fill(colleague.email);
  expect(await dialog.getByRole('radio', { name: 'Member' }).isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await dialog.getByRole('button', { name: 'Done' }).click();
  return link;
}

async function expectWhatMembersSee(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Transfers' }).click();
  await heading(page, 'Transfers').waitFor();
  await page.getByRole('link', { name: 'API keys' }).click();
  await heading(page, 'API keys').waitFor();
  expect(await page.getByRole('button', { name: 'Create API key' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('row', { name: /Olive Owner.*Owner/ }).waitFor();
  expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByText('Only owners of the workspace read its audit log').waitFor();
}

async function endSessionsOf(page: Page, name: string): Promise<void> {
  await page.reload();
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

async function expectItIsWrittenDown(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Audit log' }).click();
  for (const deed of ['Workspace: created', 'Member: invited', 'Member: added', 'Member: signed out'])
    await page.getByRole('button', { name: deed }).first().waitFor();
  const { stdout, status } = inShell(`${disable}\n${exportLog}`, env);
  expect(status).toBe(0);
  for (const action of [
    'institution.created',
    'workspace.created',
    'member.invited',
    'member.added',
    'account.second-factor-added',
    'account.signed-in',
    'member.signed-out',
    'account.disabled',
  ])
    expect(stdout).toContain(`"${action}"`);
  for (const secret of [owner.password, colleague.password]) expect(stdout).not.toContain(secret);
}

it('docs/getting-started.md leads from an empty database to two people at work', async () => {
  const link = beginOnEmptyDatabase();
  await startService();
  const first = await visit();
  await join(first.page, link, owner);
  const secret = await addSecondFactor(first.page);
  first.expectNoise(/status of 401/);
  await signInWithCode(first.page, secret);
  const second = await visit();
  await join(second.page, await invite(first.page), colleague);
  await expectWhatMembersSee(second.page);
  await endSessionsOf(first.page, colleague.name);
  second.expectNoise(/status of 401/);
  await second.page.getByRole('link', { name: 'Transfers' }).click();
  await second.page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  await expectItIsWrittenDown(first.page);
  expect([...first.complaints(), ...second.complaints()]).toEqual([]);
});
