import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processesWith } from '../../server/test/service-process.ts';
import { createKey, type Key } from '../../server/test/world.ts';
import { binary, openSite, Person, portico, type Site, secretShape } from './harness.ts';

let site: Site;
let key: Key;
let person: Person;
beforeAll(async () => {
  site = await openSite();
  key = await createKey(site.world, { mode: 2, scopes: ['transfers:read', 'files:read'] });
  person = new Person({ PORTICO_URL: site.url, PORTICO_KEY_ID: key.apiKeyId, PORTICO_SECRET: key.secret });
});
afterAll(async () => {
  person.remove();
  await site.world.close();
});

const exec = promisify(execFile);

describe('portico call', () => {
  it('shows a page as a table with aligned columns and what there is in all', async () => {
    const { code, stdout, stderr } = await person.run([
      'call',
      'GET',
      '/api/v1/transfers?size=5&sort=amount,desc',
    ]);
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(7);
    expect(lines[0]?.split(/ {2,}/)).toEqual([
      'transferId',
      'amount',
      'currency',
      'status',
      'createdAt',
      'updatedAt',
      'reference',
    ]);
    expect(lines.at(-1)).toBe('page 1 of 12, 60 in all');
    const amountEnd = (lines[0] ?? '').indexOf('amount') + 'amount'.length;
    for (const line of lines.slice(1, 6)) {
      expect(line.slice(0, amountEnd)).toMatch(/\d$/);
      expect(line[amountEnd]).toBe(' ');
    }
  });

  it('shows an object as names and values', async () => {
    const { stdout } = await person.perform(['call', 'get', '/api/v1/ping']);
    expect(stdout).toMatch(/^pong {8}true\nserverTime {2}\d+\n$/);
  });

  it('shows an empty page and one past the end as what they are', async () => {
    expect((await person.perform(['call', 'GET', '/api/v1/transfers?page=99'])).stdout).toBe(
      'page 100 of 3, 60 in all\n',
    );
    const far = await person.perform(['call', 'GET', '/api/v1/transfers?page=99999999999999999999']);
    expect(far.stdout).toBe('a page far past the end of 3, 60 in all\n');
  });

  it('prints the answer as it was sent with --json, digits beyond a double included', async () => {
    const { code, stdout } = await person.perform([
      'call',
      'GET',
      '/api/v1/transfers?page=99999999999999999999',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('"number":99999999999999999999,');
    expect(Object.keys(JSON.parse(stdout))).toEqual([
      'version',
      'timestamp',
      'success',
      'code',
      'message',
      'data',
    ]);
  });

  it('has no colours and cuts nothing off when its output is not a terminal', async () => {
    const { stdout } = await person.perform(['call', 'GET', '/api/v1/transfers?size=100'], {
      env: { COLUMNS: '40' },
    });
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('…');
  });

  it('is the same each time', async () => {
    const first = await person.perform(['call', 'GET', '/api/v1/transfers?size=10']);
    expect(await person.perform(['call', 'GET', '/api/v1/transfers?size=10'])).toEqual(first);
  });

  it('signs queries that need encoding', async () => {
    for (const path of [
      '/api/v1/transfers?x=Größe und+mehr&y=a#b',
      "/api/v1/transfers?q='[{|}]'&q=%zz",
      '/api/v1/transfers?a&&b=',
    ]) {
      const { code, stderr } = await person.perform(['call', 'GET', path]);
      // A wrong signature would have been told first.
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^portico: 4000 .* is not a parameter/)]);
    }
  });

  it('tells code, message and request id of a refusal on standard error, with exit code 1', async () => {
    const { code, stdout, stderr } = await person.run(['call', 'GET', '/api/v1/channel-types']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^portico: 4031 .*channel-types:read.* \(HTTP 403, request id [\w-]+\)\n$/);
    expect(await person.perform(['call', 'POST', '/api/v1/ping', '--body', '{"a":1}'])).toMatchObject({
      code: 1,
    });
    const wrong = await person.perform(['whoami'], { env: { PORTICO_SECRET: `${key.secret}\n` } });
    expect(wrong.stderr).toMatch(/^portico: 4012 .*newline.*\n$/);
  });
});

describe('portico whoami', () => {
  it('shows the key that signs', async () => {
    const { code, stdout } = await person.perform(['whoami']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^apiKeyId +${key.apiKeyId}$`, 'm'));
    expect(stdout).toMatch(/^scopes +transfers:read, files:read$/m);
    expect(JSON.parse((await person.perform(['whoami', '--json'])).stdout)).toMatchObject({
      workspaceBizId: 'WS_DEMO',
    });
  });
});

describe('portico sign', () => {
  const vector = ['--timestamp', '1767225600', '--nonce', '6f1c1f2e-3b0a-4d0e-9a53-0c5a1f7d2b11'];

  it('prints exactly the four headers', async () => {
    const env = {
      PORTICO_KEY_ID: 'ak_test_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E',
      PORTICO_SECRET: 'sk_test_4eC39HqLyjWDarjtT1zdp7dcQ2mVn8XsKb5RfGhZ0aA1tTM6K',
    };
    const path = '/api/v1/transfers?sort=status,desc&page=0&size=20&sort=amount,asc';
    const { stdout } = await person.perform(['sign', 'GET', path, ...vector], { env });
    expect(stdout.split('\n')).toEqual([
      'X-Api-Key: ak_test_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E',
      'X-Signature: 17cf555ddf2b8d81575856e2b258dde8fc590c8d8683eb9feb8d5a36862ace10',
      'X-Timestamp: 1767225600',
      'X-Nonce: 6f1c1f2e-3b0a-4d0e-9a53-0c5a1f7d2b11',
      '',
    ]);
  });

  it('shows the eight lines that are signed on demand', async () => {
    const { stdout } = await person.perform([
      'sign',
      'POST',
      '/api/v1/x?b=1&a=2',
      ...vector,
      '--show-string',
      '--body',
      '{}',
    ]);
    expect(stdout.split('\n\n')[0]?.split('\n')).toEqual([
      'PORTICO1-HMAC-SHA256',
      'POST',
      '/api/v1/x',
      'a=2&b=1',
      '1767225600',
      '6f1c1f2e-3b0a-4d0e-9a53-0c5a1f7d2b11',
      key.apiKeyId,
      '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    ]);
  });

  it('signs the same bytes from an argument, a file and standard input', async () => {
    writeFileSync(join(person.folder, 'body.json'), '{"ä":1}');
    const sign = ['sign', 'POST', '/api/v1/x', ...vector, '--body'];
    const { stdout } = await person.perform([...sign, '{"ä":1}']);
    expect((await person.perform([...sign, '@body.json'])).stdout).toBe(stdout);
    expect((await person.run([...sign, '-'], { input: '{"ä":1}' })).stdout).toBe(stdout);
    expect((await person.perform([...sign, '{"ä":2}'])).stdout).not.toBe(stdout);
  });

  it.each([
    "GET '/api/v1/transfers?size=2&q=[a-z]{x}&r=%27;$HOME'",
    "HEAD '/api/v1/transfers?size=2'",
    "GET /api/v1/whoami --body '{\"it'\\''s\":\"@\"}'",
    'GET /api/v1/whoami --body @body.json',
  ])('prints a curl command that works and holds no secret: %s', async (call) => {
    writeFileSync(join(person.folder, 'body.json'), '{"ä":1}\n');
    const options = { cwd: person.folder, env: person.env };
    const { stdout: command } = await exec('bash', ['-c', `${portico} sign ${call} --curl`], options);
    expect(command).not.toMatch(secretShape);
    const { stdout } = await exec('bash', ['-c', command], options);
    expect(stdout).toMatch(/"code":"2000"|HTTP\/1.1 200|q is not a parameter of this endpoint/);
  });
});

describe('the process', () => {
  it('shows no secret in the process list, nor in what it says', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const marker = `/api/v1/ping?marker=${(silent.address() as AddressInfo).port}`; // it listens on TCP
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`; // as above
    const arrived = new Promise((resolve) => silent.once('request', resolve));
    const running = person.run(['call', 'GET', marker], { env: { PORTICO_URL: url } });
    await arrived;
    expect(processesWith(marker)).toHaveLength(1);
    expect(processesWith(key.secret)).toEqual([]);
    silent.closeAllConnections();
    silent.close();
    const { code, stdout, stderr } = await running;
    expect(code).toBe(3);
    expect(stdout + stderr).not.toMatch(secretShape);
  });

  it('ends quietly when its reader stops early', async () => {
    const command = `set -o pipefail; ${portico} call GET '/api/v1/transfers?size=100' --json | true`;
    expect(await exec('bash', ['-c', command], { env: person.env })).toEqual({ stdout: '', stderr: '' });
  });

  it('says in one line that it is not built', async () => {
    mkdirSync(join(person.folder, 'bare/bin'), { recursive: true });
    const copy = join(person.folder, 'bare/bin/portico.mjs');
    copyFileSync(binary, copy);
    await expect(exec(process.execPath, [copy])).rejects.toMatchObject({
      code: 1,
      stderr: 'portico: not built yet: run npm run build in the repository\n',
    });
  });
});
