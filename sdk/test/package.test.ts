import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../e2e/chromium.ts';
import { createKey, dummyTurnstile, type Key } from '../../server/test/world.ts';
import manifest from '../package.json' with { type: 'json' };
import { compile, installPackage, type Package } from './package.ts';
import { openPublicService, type Service } from './service.ts';

let installed: Package;
let service: Service;
let key: Key;
beforeAll(async () => {
  installed = installPackage();
  service = await openPublicService();
  key = await createKey(service.world);
});
afterAll(async () => {
  await service.close();
  installed.remove();
});

describe('the package', () => {
  it('imports nothing but itself', () => {
    const scripts = readdirSync(installed.dist, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\.(js|d\.ts)$/.test(path),
    );
    expect(scripts).toContain(join('portal', 'index.js'));
    const imports = scripts.flatMap((path) =>
      [
        ...readFileSync(join(installed.dist, path), 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)/g),
      ].map(([, target = '']) => target),
    );
    expect(imports.length).toBeGreaterThan(10);
    expect(imports.filter((target) => !/^\.{1,2}\/[\w/-]+\.(js|ts)$/.test(target))).toEqual([]);
  });

  it('has types that a strict user’s compiler finds', () => {
    const file = join(installed.folder, 'user.ts');
    writeFileSync(
      file,
      `import { Portico, type Transfer } from '@portico/sdk';
      import { PorticoPortal, type FlatPage, type FileRecord } from '@portico/sdk/portal';
      export const list = (client: Portico): AsyncIterable<Transfer> => client.transfers.items({ status: 'FAILED' });
      export const files = (client: PorticoPortal): Promise<FlatPage<FileRecord>> =>
        client.listFiles({ institutionBizId: 'INST_DEMO' }, { sort: ['createdAt,asc'] });
      // @ts-expect-error
      export const wrong = (client: Portico) => client.transfers.list({ colour: 'red' });
      // @ts-expect-error
      export const missing = (client: PorticoPortal) => client.listFiles({});`,
    );
    compile('--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2023,dom', '--ignoreConfig', file);
  });

  it('has no dependency', () => {
    expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
  });
});

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/^## (.+)$|^```js\n([\s\S]*?)^```$/gm)].reduce<[string, string][]>(
  (found, [, heading, code]) => {
    if (heading !== undefined) found.push([heading, '']);
    else found.push([found.at(-1)?.[0] ?? '', code ?? '']);
    return found;
  },
  [],
);

describe('the examples of the README', () => {
  const runnable = examples.filter(([, code]) => code !== '');

  it('are found', () => {
    expect(runnable.length).toBe(readme.split('```js').length - 1);
    expect(runnable.length).toBeGreaterThanOrEqual(5);
  });

  it.each(runnable)('run: %s', async (heading, code) => {
    const file = join(installed.folder, `${heading.replaceAll(/\W+/g, '-')}.mjs`);
    writeFileSync(file, code);
    const env = {
      ...process.env,
      PORTICO_URL: service.url,
      PORTICO_KEY_ID: key.apiKeyId,
      PORTICO_SECRET: key.secret,
    };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { env, timeout: 20_000 });
    const said: Record<string, string> = {
      'A first call': 'signed for WS_DEMO in LIVE mode',
      'Everything, page by page': 'page 3 of 3 has 40',
      Errors: 'must be one of PENDING',
      'Only the signature': '200',
      'The portal': 'files:read',
    };
    expect(stdout).toContain(said[heading] ?? 'an example that this test does not know');
    expect(stderr).toBe('');
  });
});

describe('in a browser', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
    const { origin } = new URL(service.url);
    await page.route(`${origin}/page`, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
    await page.route(`${origin}/sdk/**`, (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        path: join(installed.dist, new URL(route.request().url()).pathname.slice('/sdk/'.length)),
      }),
    );
    await page.goto(`${origin}/page`);
  });
  afterAll(() => browser.close());

  /** As text: vitest would rewrite the import of a function. */
  const run = (script: string) => page.evaluate(`(async () => {${script}})()`);

  it('the portal entry signs in, keeps a cookie session and reads', async () => {
    const seen = await run(`
      const { PorticoPortal } = await import('/sdk/portal/index.js');
      const turnstileToken = '${dummyTurnstile}';
      const visitor = new PorticoPortal({ baseUrl: '', turnstileToken });
      await visitor.login({ email: 'owner@demo.test', password: 'portico-demo', session: 'cookie' });
      const { accessToken } = await visitor.refresh();
      const client = new PorticoPortal({ baseUrl: '', accessToken, turnstileToken });
      const { totalElements } = await client.listFiles({ institutionBizId: 'INST_DEMO' });
      await client.logout();
      const ended = await visitor.refresh().catch((error) => error.name + ' ' + error.code);
      return { totalElements, ended };`);
    expect(seen).toEqual({ totalElements: 250, ended: 'AuthenticationError 4010' });
  });

  it('the Open API entry signs', async () => {
    const seen = await run(`
      const { Portico } = await import('/sdk/index.js');
      const portico = new Portico(${JSON.stringify({ baseUrl: service.url, ...key })});
      return (await portico.transfers.list({ size: 1 })).page.totalElements;`);
    expect(seen).toBe(240);
  });
});
