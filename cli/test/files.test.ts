import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey, type Key } from '../../server/test/world.ts';
import { safeName } from '../src/received-file.ts';
import { binary, openSite, outcomeOf, Person, type Site } from './harness.ts';

const bytes = randomBytes(1_200_000);
const etag = createHash('sha256').update(bytes).digest('hex');

let site: Site;
let key: Key;
let person: Person;
let folders = 0;
beforeAll(async () => {
  site = await openSite();
  key = await createKey(site.world, { mode: 2, scopes: ['files:read', 'files:write'] });
  person = new Person({ PORTICO_URL: site.url, PORTICO_KEY_ID: key.apiKeyId, PORTICO_SECRET: key.secret });
  writeFileSync(join(person.folder, 'invoice 7.pdf'), bytes);
});
afterAll(async () => {
  person.remove();
  await site.world.close();
});

/** An empty folder to work in. */
const emptyFolder = () => {
  const folder = join(person.folder, `work-${++folders}`);
  mkdirSync(folder);
  return folder;
};
const upload = async (...more: string[]) => {
  const { stdout } = await person.run([
    'files',
    'upload',
    'invoice 7.pdf',
    '--category',
    'invoice',
    '--json',
    ...more,
  ]);
  return JSON.parse(stdout);
};

describe('portico files', () => {
  it('upload keeps a file under its name, once for an idempotency key', async () => {
    const { code, stdout } = await person.run([
      'files',
      'upload',
      'invoice 7.pdf',
      '--category',
      'INVOICE',
      '--remark',
      'r',
    ]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^originalFilename +invoice 7\.pdf$/m)]);
    expect(stdout).toMatch(new RegExp(`^etag +${etag}$`, 'm'));
    const first = await upload('--idempotency-key', 'once', '--name', '\u001b[31mred.pdf');
    expect((await upload('--idempotency-key', 'once', '--name', '\u001b[31mred.pdf')).bizId).toBe(
      first.bizId,
    );
  });

  it('list and get show them, and steer no terminal', async () => {
    const { stdout } = await person.run([
      'files',
      'list',
      '--category',
      'invoice',
      '--status',
      'ACTIVE',
      '--size',
      '1',
    ]);
    expect(stdout).toContain('\\u001b[31mred.pdf');
    expect(stdout).not.toContain('\u001b');
    const { content } = JSON.parse((await person.run(['files', 'list', '--json'])).stdout);
    expect((await person.run(['files', 'get', content[0].bizId])).stdout).toMatch(/^fileCategory +INVOICE$/m);
    expect(await person.run(['files', 'get', 'FILE_NOWHERE'])).toMatchObject({ code: 1, stdout: '' });
  });

  it('download puts it under its own name, and over nothing that is there', async () => {
    const { bizId } = await upload();
    const cwd = emptyFolder();
    const download = (...more: string[]) => person.run(['files', 'download', bizId, ...more], { cwd });
    expect(await download()).toMatchObject({ code: 0, stdout: `invoice 7.pdf: ${bytes.length} bytes\n` });
    expect(readFileSync(join(cwd, 'invoice 7.pdf'))).toEqual(bytes);
    writeFileSync(join(cwd, 'invoice 7.pdf'), 'mine');
    expect(await download()).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') });
    expect(await download('--output', 'invoice 7.pdf')).toMatchObject({ code: 2 });
    expect(readFileSync(join(cwd, 'invoice 7.pdf'), 'utf8')).toBe('mine');
    const forced = await download('--force', '--json');
    expect(JSON.parse(forced.stdout)).toEqual({ path: 'invoice 7.pdf', size: bytes.length, etag });
    mkdirSync(join(cwd, 'sub'));
    await download('--output', 'sub');
    expect(readdirSync(cwd).sort()).toEqual(['invoice 7.pdf', 'sub']);
    expect(readdirSync(join(cwd, 'sub'))).toEqual(['invoice 7.pdf']);
  });

  it('download writes to standard output', async () => {
    const { bizId } = await upload();
    const child = person.start(process.execPath, [binary, 'files', 'download', bizId, '--output', '-']);
    const pieces: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    await new Promise((resolve) => child.once('close', resolve));
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  });

  it('delete asks, or takes --yes', async () => {
    const { bizId } = await upload();
    expect(await person.run(['files', 'delete', bizId])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes'),
    });
    expect(await person.run(['files', 'delete', bizId, '--yes'])).toMatchObject({ code: 0 });
    expect(await person.run(['files', 'get', bizId])).toMatchObject({ code: 1 });
  });

  it.each([
    [['files', 'upload', 'nowhere.pdf', '--category', 'INVOICE'], 2, 'ENOENT'],
    [['files', 'upload', 'invoice 7.pdf'], 2, '--category is missing'],
    [['files', 'upload', 'invoice 7.pdf', '--category', 'BILL'], 2, '--category must be one of'],
    [['files', 'list', '--status', 'GONE'], 2, '--status must be one of'],
    [['files', 'download', 'FILE_NOWHERE'], 1, '4040'],
  ])('%j is told in one line', async (args, code, expected) => {
    const outcome = await person.run(args);
    expect([outcome.code, outcome.stdout]).toEqual([code, '']);
    expect(outcome.stderr).toMatch(new RegExp(`^portico: .*${expected}.*\n$`));
  });
});

describe('a server that cannot be trusted', () => {
  const against = async (listener: RequestListener, run: (env: Record<string, string>) => Promise<void>) => {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await run({ PORTICO_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }); // it listens on TCP
    server.closeAllConnections();
    server.close();
  };
  const named = (name: string) => ({
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
  });

  it('gives no file a place elsewhere', async () => {
    const cwd = emptyFolder();
    const evil = '../../../\u001b]0;x\u0007.\u202eprofile';
    await against(
      (_request, response) => response.writeHead(200, named(evil)).end('x'),
      async (env) => {
        const { code, stdout } = await person.run(['files', 'download', 'FILE_1'], { cwd, env });
        expect([code, stdout.includes('\u001b')]).toEqual([0, false]);
      },
    );
    expect(readdirSync(cwd)).toEqual([']0;x.profile']);
    expect(existsSync(join(cwd, '../../../.profile'))).toBe(false);
  });

  it('leaves nothing behind when what it sends is not what it says, or breaks off', async () => {
    for (const listener of [
      (_request, response) => response.writeHead(200, { ...named('a.txt'), etag: `"${etag}"` }).end('other'),
      (request, response) => {
        response.writeHead(200, { ...named('a.txt'), 'content-length': '100' }).write('half');
        setTimeout(() => request.socket.destroy(), 50);
      },
    ] satisfies RequestListener[]) {
      const cwd = emptyFolder();
      await against(listener, async (env) => {
        const { code, stderr } = await person.run(['files', 'download', 'FILE_1'], { cwd, env });
        expect([code === 0, stderr]).toEqual([false, expect.stringMatching(/^portico: .+\n$/)]);
      });
      expect(readdirSync(cwd)).toEqual([]);
    }
  });

  it('leaves nothing behind when it is given up', async () => {
    const cwd = emptyFolder();
    await against(
      (_request, response) => void response.writeHead(200, named('a.txt')).write('half'),
      async (env) => {
        const child = person.start(process.execPath, [binary, 'files', 'download', 'FILE_1'], { cwd, env });
        const outcome = outcomeOf(child);
        await expect.poll(() => readdirSync(cwd).length).toBe(1);
        child.kill('SIGINT');
        expect(await outcome).toMatchObject({ code: 1, stderr: 'portico: given up\n' });
      },
    );
    expect(readdirSync(cwd)).toEqual([]);
  });
});

describe('the name of a file', () => {
  it.each([
    ['invoice.pdf', 'invoice.pdf'],
    ['Rechnung «ä» 送金 😀.pdf', 'Rechnung «ä» 送金 😀.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\evil.exe', 'evil.exe'],
    ['..', 'FILE_1'],
    ['.bashrc', 'bashrc'],
    ['-rf', 'rf'],
    ['a\u0000b\u001b[31m\u202e\u200bc', 'ab[31mc'],
    ['', 'FILE_1'],
    ['   ', 'FILE_1'],
    ['é'.repeat(255), 'é'.repeat(100)],
  ])('%j becomes %j', (given, expected) => {
    expect(safeName(given, 'FILE_1')).toBe(expected);
  });

  it('is made of the id where there is none, which is no path either', () => {
    expect(safeName('', '../x')).toBe('___x');
  });
});
