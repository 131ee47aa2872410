import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../e2e/chromium.ts';
import { createSealer } from '../../server/src/log/sealer.ts';
import { createKey, dummyTurnstile, type Key } from '../../server/test/world.ts';
import { compile, type Installed, installPackages } from './package.ts';
import { allScopes, openPublicService, type Service } from './service.ts';

let installed: Installed;
let service: Service;
let key: Key;
beforeAll(async () => {
  installed = installPackages();
  service = await openPublicService();
  key = await createKey(service.world, { scopes: allScopes });
  await createSealer(service.world.db)(); // which makes events pullable
});
afterAll(async () => {
  await service.close();
  installed.remove();
});

const exec = promisify(execFile);
const keyEnv = () => ({ PORTICO_URL: service.url, PORTICO_KEY_ID: key.apiKeyId, PORTICO_SECRET: key.secret });

describe('the packages', () => {
  it('hold what runs, what is read and the licence, and nothing else', () => {
    const { '@portico/sdk': sdk = [], '@portico/cli': cli = [] } = installed.files;
    const others = (paths: string[]) =>
      paths.filter((path) => !/^dist\/[\w/-]+(\.d\.ts|\.js|\.js\.map)$/.test(path));
    expect(others(sdk).sort()).toEqual(['LICENSE', 'README.md', 'dist/cjs/package.json', 'package.json']);
    expect(others(cli).sort()).toEqual(['LICENSE', 'README.md', 'bin/portico.mjs', 'package.json']);
    expect([...sdk, ...cli].filter((path) => /\btests?\b|\bsrc\b/.test(path))).toEqual([]);
    const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    for (const name of ['sdk', 'cli']) expect(read(`${name}/LICENSE`)).toBe(read('LICENSE'));
  });

  it('need no other package, and install none', () => {
    const modules = join(installed.folder, 'node_modules');
    expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual(['@portico']);
    expect(readdirSync(join(modules, '@portico')).sort()).toEqual(['cli', 'sdk']);
    for (const name of ['cli', 'sdk']) {
      const manifest = JSON.parse(readFileSync(join(modules, '@portico', name, 'package.json'), 'utf8'));
      expect(
        Object.keys(manifest).filter((each) => /^(peer|optional|bundled?)?dependencies$/i.test(each)),
      ).toEqual([]);
    }
  });

  it('import nothing but themselves', () => {
    const scripts = readdirSync(installed.dist, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\.(js|d\.ts)$/.test(path),
    );
    expect(scripts).toContain(join('cjs', 'portal', 'index.js'));
    const pattern = /(?:from|import|require)\s*\(?\s*['"]([^'"]+)/g;
    const imports = scripts.flatMap((path) =>
      [...readFileSync(join(installed.dist, path), 'utf8').matchAll(pattern)].map(
        ([, target = '']) => target,
      ),
    );
    expect(imports.length).toBeGreaterThan(10);
    expect(imports.filter((target) => !/^\.{1,2}\/[\w/-]+\.(js|ts)$/.test(target))).toEqual([]);
  });

  it.each([
    ['import', 'mjs', (path: string, names: string) => `import { ${names} } from '${path}';`],
    ['require', 'cjs', (path: string, names: string) => `const { ${names} } = require('${path}');`],
  ])('run in an empty project by %s', async (_how, ending, load) => {
    const file = join(installed.folder, `user.${ending}`);
    writeFileSync(
      file,
      `${load('@portico/sdk', 'Portico, PorticoError')}
      ${load('@portico/sdk/portal', 'PorticoPortal, NotFoundError')}
      const { PORTICO_URL: baseUrl, PORTICO_KEY_ID: apiKeyId, PORTICO_SECRET: secret } = process.env;
      (async () => {
        const { mode } = await new Portico({ baseUrl, apiKeyId, secret }).whoami();
        const { portal } = await new PorticoPortal({ baseUrl }).signInConfig();
        console.log(mode, portal, NotFoundError.prototype instanceof PorticoError);
      })();`,
    );
    const { stdout, stderr } = await exec(process.execPath, [file], { env: { ...process.env, ...keyEnv() } });
    expect([stdout, stderr]).toEqual(['LIVE PARTNER true\n', '']);
  });

  it.each([
    ['node16', ['mts', 'cts'], ['--module', 'node16']],
    ['nodenext', ['mts', 'cts'], ['--module', 'nodenext']],
    ['a bundler', ['ts'], ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ])('have types that a strict user’s compiler finds, resolved as %s does', (_how, endings, options) => {
    const source = `import { Portico, type Transfer } from '@portico/sdk';
      import { PorticoPortal, type FlatPage, type FileRecord } from '@portico/sdk/portal';
      export const list = (client: Portico): AsyncIterable<Transfer> => client.transfers.items({ status: 'FAILED' });
      export const files = (client: PorticoPortal): Promise<FlatPage<FileRecord>> =>
        client.listFiles({ institutionBizId: 'INST_DEMO' }, { sort: ['createdAt,asc'] });
      // @ts-expect-error
      export const wrong = (client: Portico) => client.transfers.list({ colour: 'red' });
      // @ts-expect-error
      export const status = (client: Portico) => client.transfers.list({ status: 'FAILD' });
      // @ts-expect-error
      export const missing = (client: PorticoPortal) => client.listFiles({});`;
    const files = endings.map((ending) => join(installed.folder, `types.${ending}`));
    for (const file of files) writeFileSync(file, source);
    compile(
      '--noEmit',
      '--strict',
      ...options,
      '--target',
      'es2023',
      '--lib',
      'es2023,dom',
      '--ignoreConfig',
      ...files,
    );
  });

  it('have a command that runs by itself, and says what it needs the server for', async () => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: installed.folder, ...keyEnv() };
    const { stdout } = await exec(installed.command, ['call', 'GET', '/api/v1/transfers?size=1'], { env });
    expect(stdout).toContain('240 in all');
    expect((await exec(installed.command, ['verify-vectors'], { env })).stdout).toMatch(/vectors hold\n$/);
    for (const args of [
      ['tally', 'verify'],
      ['audit', 'checkpoint'],
      ['admin', 'workspace', 'list'],
    ]) {
      const failure = {
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^portico: .*folder of the server\n$/),
      };
      await expect(exec(installed.command, args, { env })).rejects.toMatchObject(failure);
    }
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
    const env = { ...process.env, ...keyEnv() };
    const { stdout, stderr } = await exec(process.execPath, [file], {
      cwd: installed.folder,
      env,
      timeout: 60_000,
    });
    const said: Record<string, string> = {
      'A first call': 'signed for WS_DEMO in LIVE mode',
      'Everything, page by page': 'page 3 of 3 has 40',
      Transfers: 'PENDING\nCANCELLED\nin step up to 20',
      Files: 'invoices.txt 11 ',
      Events: 'all up to EVT_',
      Webhooks: 'TRF_1\nwrong-signature',
      'What else an answer says': 'GET /api/v1/transfers 200',
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

  it('the portal entry uploads, tells how much has been sent, and can be stopped', async () => {
    const seen = await run(`
      const { PorticoPortal } = await import('/sdk/portal/index.js');
      const turnstileToken = '${dummyTurnstile}';
      let tokens;
      let refusals = 0;
      const accessToken = (refused) => (refused === undefined && refusals === 0 ? 'stale' : (refusals++, tokens.accessToken));
      const portal = new PorticoPortal({ baseUrl: '', accessToken, turnstileToken });
      tokens = await portal.login({ email: 'owner@demo.test', password: 'portico-demo' });
      const place = { institutionBizId: 'INST_DEMO', workspaceBizId: 'WS_DEMO', fileCategory: 7 };
      const file = new File([new Uint8Array(300_000)], 'Vertrag ä.pdf');
      const progress = [];
      const kept = await portal.uploadFile({ ...place, file }, { onProgress: (each) => progress.push(each) });
      const { sent, total } = progress.at(-1);
      const controller = new AbortController();
      const stopped = await portal
        .uploadFile({ ...place, file }, { signal: controller.signal, onProgress: () => controller.abort('enough') })
        .catch((reason) => reason);
      const refused = await portal
        .uploadFile({ ...place, workspaceBizId: 'WS_OTHER', file }, { onProgress() {} })
        .catch((error) => error.code);
      const received = await new Response((await portal.downloadFile(kept.bizId)).stream).arrayBuffer();
      return { name: kept.originalFilename, isWhole: sent === total && total > 300_000, refusals: refusals > 0, stopped, refused, length: received.byteLength };`);
    expect(seen).toEqual({
      name: 'Vertrag ä.pdf',
      isWhole: true,
      refusals: true,
      stopped: 'enough',
      refused: '4030',
      length: 300_000,
    });
  });

  it('the Open API entry signs', async () => {
    const seen = await run(`
      const { Portico } = await import('/sdk/index.js');
      const portico = new Portico(${JSON.stringify({ baseUrl: service.url, ...key })});
      return (await portico.transfers.list({ size: 1 })).page.totalElements;`);
    expect(seen).toBeGreaterThanOrEqual(240);
  });
});
