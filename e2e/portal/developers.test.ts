import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import vectorsFile from '../../docs/signing-vectors.json' with { type: 'json' };
import { createKey, type Key } from '../../server/test/world.ts';
import { seriousIssues } from './axe.ts';
import { heading, openPortal, type Portal } from './harness.ts';

const fromRoot = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const { vectors } = vectorsFile;
const known = '17cf555ddf2b8d81575856e2b258dde8fc590c8d8683eb9feb8d5a36862ace10';

let portal: Portal;
let key: Key;
beforeAll(async () => {
  portal = await openPortal();
  key = await createKey(portal.world(), { mode: 2 });
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

const labels = {
  ...{ path: 'Path', query: 'Query', body: 'Body', apiKeyId: 'API key ID', secret: 'Secret' },
  ...{ timestamp: 'Timestamp', nonce: 'Nonce' },
};
const openDevelopers = () => portal.enter({ path: '/developers', name: 'Developers' });

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const textOf = (page: Page, name: string) => region(page, name).textContent();
const lineAt = (page: Page, number: number) =>
  page
    .getByRole('list', { name: 'String to sign, line by line' })
    .getByRole('listitem')
    .nth(number - 1);

async function fillKey(page: Page): Promise<void> {
  await field(page, 'API key ID').fill(key.apiKeyId);
  await field(page, 'Secret').fill(key.secret);
}

/** Runs the command that the page shows, once its signature is there, as a person would in a shell. */
async function runCurl(page: Page): Promise<{ status: number; answer: string; command: string }> {
  await region(page, 'Signature').waitFor();
  const command = (await textOf(page, 'curl')) ?? '';
  const script = command.replace('curl ', "curl -sS -m 10 -w '\\n%{http_code}' ");
  const { stdout: output } = await promisify(execFile)('bash', ['-c', script]);
  const at = output.lastIndexOf('\n');
  return { status: Number(output.slice(at + 1)), answer: output.slice(0, at), command };
}

describe('the debugger', () => {
  it('loads the example, with the known signature and its eight lines', async () => {
    const { page } = await openDevelopers();
    await button(page, 'Load the example').click();
    await expect.poll(() => textOf(page, 'Signature')).toBe(known);
    const lines = vectors[0]?.stringToSign.split('\n') ?? [];
    const shown = page.getByRole('list', { name: 'String to sign, line by line' }).getByRole('code');
    expect(await shown.allTextContents()).toEqual(lines);
    expect(await lineAt(page, 4).innerText()).toContain('sort=status,desc&page=0&size=20&sort=amount,asc');
    expect(await lineAt(page, 7).innerText()).toContain('LF');
    expect(await lineAt(page, 8).innerText()).not.toContain('LF');
    expect(await textOf(page, 'curl')).toContain(`X-Signature: ${known}`);
    await page.getByText('The service would refuse this timestamp').waitFor();
    await page.getByRole('combobox', { name: 'Test vector' }).selectOption('no query');
    await expect.poll(() => textOf(page, 'Signature')).toBe(vectors[1]?.signature);
  });

  it('signs every published vector as it is typed in', async () => {
    const { page } = await openDevelopers();
    let before: Record<string, string> = {};
    for (const { name, secret, request, signature } of vectors) {
      const body = request.bodyBase64 ?? request.body;
      const now: Record<string, string> = { ...request, secret, body };
      const isChanged = (member: string) => now[member] !== before[member];
      if (isChanged('method'))
        await page.getByRole('combobox', { name: 'Method' }).selectOption(now['method'] ?? '');
      for (const [member, label] of Object.entries(labels))
        if (isChanged(member)) await field(page, label).fill(now[member] ?? '');
      await page.getByRole('checkbox', { name: 'Base64' }).setChecked('bodyBase64' in request);
      await expect.poll(() => textOf(page, 'Signature'), { message: name, interval: 10 }).toBe(signature);
      before = now;
    }
  });

  it('keeps the secret to itself: no request, no address, no storage, not in the command', async () => {
    const { page, context } = await openDevelopers();
    await page.getByRole('table', { name: 'Error codes' }).waitFor();
    await page.waitForLoadState('networkidle');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await field(page, 'API key ID').fill(key.apiKeyId);
    await field(page, 'Secret').pressSequentially(key.secret);
    await region(page, 'Signature').waitFor();
    expect(await field(page, 'Secret').getAttribute('type')).toBe('password');
    await button(page, 'Show what was typed').press('Enter');
    expect(await field(page, 'Secret').getAttribute('type')).toBe('text');
    expect(await textOf(page, 'curl')).not.toContain(key.secret);
    const kept = await page.evaluate(() =>
      JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }]),
    );
    expect(kept + JSON.stringify(await context.cookies())).not.toContain(key.secret);
    expect(requests).toEqual([]);
    await page.getByRole('link', { name: 'Files', exact: true }).click();
    await heading(page, 'Files').waitFor();
    await page.goBack();
    expect(await field(page, 'Secret').inputValue()).toBe('');
  });

  it('writes a command that the service answers', async () => {
    const { page } = await openDevelopers();
    await fillKey(page);
    const whoami = await runCurl(page);
    expect(whoami).toMatchObject({ status: 200, answer: expect.stringContaining(key.apiKeyId) });
    // Nothing changed, so the nonce is used up.
    expect((await runCurl(page)).answer).toContain('"4014"');
    await button(page, 'New nonce').click();
    await field(page, 'Timestamp').fill('1');
    await button(page, 'Now').click();
    await field(page, 'Path').fill('/api/v1/transfers');
    await field(page, 'Query').fill(
      "sort=status,desc&page=0&size=2&sort=amount,asc&currency=US D#$(id)'é[1-3]",
    );
    await expect.poll(() => textOf(page, 'curl')).toContain('%23$(id)');
    expect((await runCurl(page)).answer).not.toContain('"401');
    await button(page, 'New nonce').click();
    await field(page, 'Query').fill('sort=status,desc&page=0&size=2&sort=amount,asc');
    await expect.poll(() => textOf(page, 'curl')).not.toContain('currency');
    expect((await runCurl(page)).status).toBe(200);
  });

  it('sends a body as it was signed, whatever is in it', async () => {
    const { page } = await openDevelopers();
    await fillKey(page);
    await field(page, 'Path').fill('/api/v1/ping');
    // Any other body would have another hash, and so be refused.
    await field(page, 'Body').fill(`@it's "so"\n\n\t$HOME \`id\` \\ !! %s é 送金 💸\n`);
    await expect.poll(() => textOf(page, 'curl')).toContain('--data-raw');
    expect(await runCurl(page)).toMatchObject({ status: 200 });
    await button(page, 'New nonce').click();
    await field(page, 'Body').fill(Buffer.from([0, 1, 39, 10, 13, 255]).toString('base64'));
    await page.getByRole('checkbox', { name: 'Base64' }).check();
    await expect.poll(() => textOf(page, 'curl')).toContain('base64 -d');
    expect(await runCurl(page)).toMatchObject({ status: 200 });
  });

  it('says what is wrong with what was typed', async () => {
    const { page } = await openDevelopers();
    for (const [label, value, warning] of [
      ['Path', 'https://host/api/v1/ping', 'It begins at /api/'],
      ['Path', '/api/v1/ping?a=1', 'The query has a field of its own'],
      ['Query', '?a=1', 'Without the question mark'],
      ['API key ID', 'sk_test_x', 'This is a secret'],
      ['Secret', ` ${key.secret}`, 'There is a space'],
      ['Timestamp', String(Date.now()), 'These are milliseconds'],
      ['Nonce', 'once', 'the shape of a UUID'],
    ] as const) {
      await field(page, label).fill(value);
      await page.getByText(warning).waitFor();
    }
    await page.getByRole('checkbox', { name: 'Base64' }).check();
    await field(page, 'Body').fill('%');
    await page.getByText('This is not Base64').waitFor();
    await button(page, 'Start over').click();
    expect(await field(page, 'Secret').inputValue()).toBe('');
    expect(await page.getByText('This is not Base64').count()).toBe(0);
  });

  it('compares with a signature and a string of one’s own, line by line', async () => {
    const { page } = await openDevelopers();
    await button(page, 'Load the example').click();
    const says = (text: string) => page.getByRole('status').getByText(text).waitFor();
    await field(page, 'Signature to compare').fill(known);
    await says('The signatures match.');
    await field(page, 'Signature to compare').fill(known.toUpperCase());
    await says('in upper case');
    await field(page, 'Signature to compare').fill(Buffer.from(known, 'hex').toString('base64'));
    await says('in Base64');
    await field(page, 'Signature to compare').fill('0'.repeat(64));
    await says('The signatures differ');
    const text = vectors[0]?.stringToSign ?? '';
    await field(page, 'String to compare').fill(text);
    await says('All eight lines match.');
    await field(page, 'String to compare').fill(
      text.replace('GET', 'get').replace('1767225600', '1767225601'),
    );
    await says('Lines 2, 5 differ.');
    await lineAt(page, 5).getByText('1767225601').waitFor();
    await lineAt(page, 2).getByText('differs').waitFor({ state: 'attached' });
    await lineAt(page, 3).getByText('matches').waitFor({ state: 'attached' });
    await field(page, 'String to compare').fill(`${text}\n`);
    await says('There is more after line 8');
    await field(page, 'String to compare').fill(text.replaceAll('\n', '\\n'));
    await says('All eight lines match. Its lines are joined by a backslash');
  });

  it('says in words that plain http cannot sign', async () => {
    const { newTab } = await openDevelopers();
    const page = await newTab();
    await page.addInitScript(() => Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined }));
    await page.goto('/developers');
    await page.getByRole('alert').getByText('This page was opened over plain http').waitFor();
    await page.getByRole('tab', { name: 'Python' }).waitFor();
  });
});

describe('the rest of the page', () => {
  it('shows the samples as they are, to copy', async () => {
    const { page, context } = await openDevelopers();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const [tab, file, path] of [
      ['curl and openssl', 'transfers.sh', 'examples/bash/transfers.sh'],
      ['Node', 'transfers.mjs', 'examples/node/transfers.mjs'],
      ['Python', 'transfers.py', 'examples/python/transfers.py'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      expect(await textOf(page, file)).toBe(fromRoot(path));
      await button(page, 'Copy sample').click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(fromRoot(path));
    }
    await button(page, 'Copy base URL').click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(portal.origin);
    expect(await textOf(page, 'Run it')).toContain(`PORTICO_URL=${portal.origin}\n`);
  });

  it('leads to the reference, and finds an error by its words', async () => {
    const { page } = await openDevelopers();
    const hrefOf = (name: string) => page.getByRole('link', { name }).getAttribute('href');
    expect(await hrefOf('API reference')).toBe('/docs');
    expect(await hrefOf('OpenAPI description')).toBe('/openapi.json');
    const rows = page.getByRole('table', { name: 'Error codes' }).getByRole('row');
    await page.getByRole('cell', { name: '4012', exact: true }).waitFor();
    expect(await rows.count()).toBeGreaterThan(20);
    await page.getByRole('searchbox', { name: 'Search error codes' }).fill('Nonce 401');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole('cell', { name: '4014', exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Search error codes' }).fill('xyzzy');
    await page.getByText('No error has these words.').waitFor();
  });

  it('is used by keyboard alone', async () => {
    const { page } = await openDevelopers();
    const focused = async (name: string) =>
      expect(await field(page, name).evaluate((each) => each === document.activeElement)).toBe(true);
    await button(page, 'Load the example').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => textOf(page, 'Signature')).toBe(known);
    await page.getByRole('combobox', { name: 'Method' }).focus();
    for (const name of ['Path', 'Query', 'Body']) {
      await page.keyboard.press('Tab');
      await focused(name);
    }
    await page.keyboard.press('Tab'); // Base64
    for (const name of ['API key ID', 'Secret']) {
      await page.keyboard.press('Tab');
      await focused(name);
    }
    await page.keyboard.press('Tab'); // show what was typed
    await page.keyboard.press('Tab');
    await focused('Timestamp');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect.poll(() => textOf(page, 'Signature')).not.toBe(known);
    await page.getByRole('tab', { name: 'curl and openssl' }).focus();
    await page.keyboard.press('ArrowRight');
    await region(page, 'transfers.mjs').waitFor();
  });

  it('has no serious flaw for anyone, in use', async () => {
    const { page } = await openDevelopers();
    await page.getByRole('table', { name: 'Error codes' }).waitFor();
    await button(page, 'Load the example').click();
    await field(page, 'Nonce').fill('once');
    await field(page, 'Signature to compare').fill(known);
    await field(page, 'String to compare').fill('PORTICO1-HMAC-SHA256');
    await page.getByRole('status').getByText('differ').first().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const scheme = () => page.evaluate(() => document.documentElement.dataset['mantineColorScheme']);
      await expect.poll(scheme).toBe(colorScheme);
      expect(await seriousIssues(page)).toEqual([]);
    }
  });

  it('fits every width, in use', async () => {
    const { page } = await openDevelopers();
    await page.getByRole('table', { name: 'Error codes' }).waitFor();
    await button(page, 'Load the example').click();
    await field(page, 'Query').fill(`q=${'x'.repeat(500)} ${'送金'.repeat(50)}`);
    await expect.poll(() => textOf(page, 'curl')).toContain('xxxx');
    for (const width of [390, 768, 1024, 1280, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
        .toBeLessThanOrEqual(width);
    }
  });
});
