import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../server/test/world.ts';
import { chromiumOfWorker } from './chromium.ts';

let world: World;
let page: Page;
let origin = '';
const complaints: string[] = [];

/** Writes down everything that goes wrong on the page. */
function watch(): void {
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
  });
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(`${origin}/`) || request.url().startsWith('data:');
    if (!isOwn) complaints.push(`another origin: ${request.url()}`);
  });
}

beforeAll(async () => {
  const browser = await chromiumOfWorker();
  page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  page.setDefaultTimeout(60_000);
  watch();
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`violates ${violatedDirective}: ${blockedURI}`),
    );
  });
});
afterEach(async () => {
  const heard = [...complaints];
  // The next test finds nothing of this one: no page, no choice of colours.
  await page.goto('about:blank');
  await page.context().setStorageState({ cookies: [], origins: [] });
  complaints.length = 0;
  expect(heard).toEqual([]);
});
afterAll(() => page.close());

async function visit(path: string, colorScheme: 'light' | 'dark'): Promise<void> {
  origin = world.app.listeningOrigin;
  await page.emulateMedia({ colorScheme });
  await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' });
}

const isDark = () => page.evaluate(() => document.body.classList.contains('dark-mode'));

type Operation = { summary: string; tags: string[] };

async function describedOperations(): Promise<Operation[]> {
  const { paths } = (await world.app.inject('/openapi.json')).json();
  return Object.values(paths as Record<string, Record<string, Operation>>).flatMap(Object.values); // held by openapi.test.ts
}

/** The entry of an endpoint or of a group in the list at the side. */
const entry = (name: string) => page.getByRole('link', { name: new RegExp(`^${name}( HTTP|$)`) });

/** In one look: to find each of a hundred entries by its role takes the browser longer than to draw the page. */
async function notListed(names: string[]): Promise<string[]> {
  const texts = await page.getByRole('link').evaluateAll((links) => links.map((link) => link.textContent));
  const listed = new Set(texts.map((text) => text.replace(/HTTP Method:.*/s, '').trim()));
  return names.filter((name) => !listed.has(name));
}

async function open(basePath: string): Promise<void> {
  world = await openWorld({ env: { PORTICO_BASE_PATH: basePath } });
  await world.app.listen({ host: '127.0.0.1', port: 0 });
}

async function sendFromPage(basePath: string): Promise<void> {
  await entry('What a sign-in page needs').click();
  await page.getByRole('button', { name: 'get /web/v1/auth/config' }).click();
  const answer = page.waitForResponse(`${world.app.listeningOrigin}${basePath}/web/v1/auth/config`);
  await page.getByRole('button', { name: /^Send/ }).first().click();
  expect((await answer).status()).toBe(200);
}

describe('the reference page', () => {
  beforeAll(() => open(''));
  afterAll(() => world.close());

  it('shows every endpoint, sends requests to this server, asks nobody else and keeps to its policy', async () => {
    await visit('/docs', 'light');
    const operations = await describedOperations();
    const names = operations.flatMap(({ summary, tags }) => [summary, String(tags[0])]);
    expect(names.length).toBeGreaterThan(100);
    await expect.poll(() => notListed(names)).toEqual([]);
    await entry('List files of an institution').click();
    await page.getByRole('heading', { name: 'List files of an institution' }).waitFor();
    await page.locator('pre', { hasText: '"institutionBizId"' }).first().waitFor();
    await sendFromPage('');
    expect(await isDark()).toBe(false);
  });

  it('is dark where the visitor wants it dark', async () => {
    await visit('/docs/', 'dark');
    await entry('List files of an institution').waitFor();
    expect(await isDark()).toBe(true);
  });

  it('shows what signs a request in its samples, and never asks for the secret', async () => {
    await visit('/docs#tag/transfers/GET/api/v1/transfers', 'light');
    const sample = page.locator('pre', { hasText: 'SIGNATURE=' }).first();
    await sample.waitFor();
    const text = await sample.innerText();
    for (const part of ['SIGNATURE=$(printf', 'openssl dgst -sha256 -r -hmac', 'X-Signature: $SIGNATURE'])
      expect(text).toContain(part);
    const all = (await page.locator('pre').allInnerTexts()).join('\n');
    expect(all).not.toMatch(/YOUR_SECRET/);
    // What cannot be signed here is not offered to be sent from here.
    const offered = await page.getByRole('button', { name: /^Test Request/ }).allInnerTexts();
    expect(offered.filter((button) => button.includes('/web/v1/'))).not.toEqual([]);
    expect(offered.filter((button) => button.includes('/api/v1/'))).toEqual([]);
    // Scalar would show dots instead of what it takes for a secret.
    const standIn = page.locator('.credential-value').first();
    const size = await standIn.evaluate((part) => getComputedStyle(part).fontSize);
    expect(size).not.toBe('0px');
  });
});

describe('the reference page under a base path', () => {
  beforeAll(() => open('/portico'));
  afterAll(() => world.close());

  it('sends a request to this server from the page', async () => {
    await visit('/portico/docs', 'light');
    await sendFromPage('/portico');
  });
});
