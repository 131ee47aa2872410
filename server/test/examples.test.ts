import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from './raw-http.ts';
import { createKey, type Key, openWorld, signedCall, type World } from './world.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const vectorsFile = 'docs/signing-vectors.json';
const { vectors } = JSON.parse(readFileSync(join(root, vectorsFile), 'utf8')) as { vectors: object[] };

type Run = { code: number | null; out: string; err: string };

/** Never spawnSync: the service that is called runs in this process. */
function run(command: string, args: string[], env: Record<string, string> = {}): Promise<Run> {
  const path = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/' };
  const child = spawn(command, args, {
    cwd: root,
    env: { ...path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const result = { out: '', err: '' };
  child.stdout.on('data', (data: Buffer) => (result.out += data));
  child.stderr.on('data', (data: Buffer) => (result.err += data));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...result }));
  });
}

const isMissing = (command: string) =>
  spawnSync(command, [command === 'openssl' ? 'version' : '--version'], { stdio: 'ignore' }).status !== 0;

const samples = [
  { name: 'bash', command: 'bash', script: 'examples/bash/transfers.sh', needs: ['bash', 'curl', 'openssl'] },
  { name: 'Python', command: 'python3', script: 'examples/python/transfers.py', needs: ['python3'] },
  { name: 'Node', command: process.execPath, script: 'examples/node/transfers.mjs', needs: [] },
].map((sample) => {
  const missing = sample.needs.filter(isMissing);
  const why = missing.length > 0 ? ` (skipped: ${missing.join(', ')} is not installed)` : '';
  return { ...sample, isSkipped: missing.length > 0, title: `${sample.name}${why}` };
});

const basePath = '/portico';
let plain: World;
let key: Key;
/** Where the service is, without and with a base path. */
let urls: string[];
let expected: string;
let based: World;

beforeAll(async () => {
  plain = await openWorld();
  based = await openWorld({ database: plain.database, env: { PORTICO_BASE_PATH: basePath } });
  urls = [`http://127.0.0.1:${await listen(plain)}`, `http://127.0.0.1:${await listen(based)}${basePath}`];
  key = await createKey(plain, { mode: 2 });
  const url = '/api/v1/transfers?size=100&sort=status,asc&sort=amount,desc';
  const { content } = (await signedCall(plain, key, { url })).json().data as { content: Transfer[] };
  expected = content
    .map(({ transferId, amount, currency, status }) => `${transferId} ${amount} ${currency} ${status}\n`)
    .join('');
});
afterAll(async () => {
  await based.close();
  await plain.close();
});

type Transfer = { transferId: string; amount: string; currency: string; status: string };

const environment = (changed: Record<string, string> = {}) => ({
  PORTICO_URL: urls[0] ?? '',
  PORTICO_KEY_ID: key.apiKeyId,
  PORTICO_SECRET: key.secret,
  ...changed,
});

describe.each(samples)('the sample in $title', ({ command, script, isSkipped }) => {
  it.skipIf(isSkipped)('lists all transfers over many pages, in the order it asks for', async () => {
    expect(expected.split('\n').length).toBe(61);
    for (const PORTICO_URL of urls) {
      const result = await run(command, [script], environment({ PORTICO_URL }));
      expect(result).toEqual({ code: 0, out: expected, err: '' });
    }
  });

  it.skipIf(isSkipped)('holds all vectors, and says which one it does not hold', async () => {
    const { length } = vectors;
    expect(await run(command, [script, '--vectors', vectorsFile])).toEqual({
      code: 0,
      out: `${length} of ${length} vectors hold\n`,
      err: '',
    });
    const folder = mkdtempSync(join(tmpdir(), 'portico-vectors-'));
    const broken = join(folder, 'vectors.json');
    const few = JSON.stringify({ vectors: vectors.slice(0, 3) }, null, 2);
    writeFileSync(broken, few.replace('17cf555d', '17cf555e'));
    expect(await run(command, [script, '--vectors', broken])).toEqual({
      code: 1,
      out: '2 of 3 vectors hold\n',
      err: 'wrong: the worked example of the guide\n',
    });
    rmSync(folder, { recursive: true });
  });

  it.skipIf(isSkipped)('prints code and message of an error and exits with 1', async () => {
    const wrong = await run(command, [script], environment({ PORTICO_SECRET: `${key.secret}\n` }));
    expect(wrong).toEqual({
      code: 1,
      out: '',
      err: '4012: the signature does not match: the secret has a newline at its end\n',
    });
    const { apiKeyId, secret } = await createKey(plain, { scopes: [] });
    const forbidden = await run(
      command,
      [script],
      environment({ PORTICO_KEY_ID: apiKeyId, PORTICO_SECRET: secret }),
    );
    expect([forbidden.code, forbidden.err]).toEqual([
      1,
      '4031: the API key does not have the scope transfers:read\n',
    ]);
  });

  it.skipIf(isSkipped)('exits with 1 when a setting is missing or nobody answers', async () => {
    for (const name of ['PORTICO_URL', 'PORTICO_KEY_ID', 'PORTICO_SECRET']) {
      const result = await run(command, [script], environment({ [name]: '' }));
      expect(result).toEqual({ code: 1, out: '', err: `set ${name}\n` });
    }
    const away = await run(command, [script], environment({ PORTICO_URL: 'http://127.0.0.1:1' }));
    expect([away.code, away.out]).toEqual([1, '']);
    expect(away.err).not.toContain(key.secret);
  });

  it('has at most a hundred lines', () => {
    expect(readFileSync(join(root, script), 'utf8').split('\n').length).toBeLessThanOrEqual(101);
  });
});

const [bash] = samples as [(typeof samples)[0]];

describe(`in a shell: ${bash.title}`, () => {
  it.skipIf(bash.isSkipped)(
    'the secret is in no argument of any process that the sample starts',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'portico-argv-'));
      const log = join(folder, 'log');
      const tools = ['openssl', 'curl', 'cut', 'sed', 'sort', 'paste', 'tr', 'grep', 'cat', 'date'];
      for (const tool of tools) {
        const { out } = await run('bash', ['-c', `command -v ${tool}`]);
        const wrapper = `#!/bin/bash\nprintf '%s ' ${tool} "$@" >>${log}\nexec ${out.trim()} "$@"\n`;
        writeFileSync(join(folder, tool), wrapper, { mode: 0o755 });
      }
      const result = await run(
        'bash',
        [bash.script],
        environment({ PATH: `${folder}:${process.env['PATH']}` }),
      );
      const seen = readFileSync(log, 'utf8');
      expect([result.code, result.out]).toEqual([0, expected]);
      for (const tool of tools) expect(seen).toContain(tool);
      expect(seen).not.toContain(key.secret.slice(8, 24));
      rmSync(folder, { recursive: true });
    },
  );

  it.skipIf(bash.isSkipped)('the first call of docs/signing.md works when pasted', async () => {
    const guide = readFileSync(join(root, 'docs/signing.md'), 'utf8');
    const [, block = ''] = /## Five minutes.*?\n```\n(.*?)```/s.exec(guide) ?? [];
    const here = block.replace('http://127.0.0.1:8080', urls[0] ?? '');
    expect(await run('bash', ['-c', here])).toEqual({ code: 0, out: expected, err: '' });
  });
});
