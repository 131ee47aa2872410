import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey, type Key, signIn } from '../../server/test/world.ts';
import { openSite, Person, type Site, secretShape } from './harness.ts';

let site: Site;
let person: Person;
let key: Key;
beforeAll(async () => {
  site = await openSite();
  person = new Person({ PORTICO_URL: `${site.url}/api/v1/`, PORTICO_TOKEN: await signIn(site.world) });
  key = await createKey(site.world, { name: '\u001b[31mred', scopes: ['transfers:read'] });
});
afterAll(async () => {
  person.remove();
  await site.world.close();
});

const keys = (verb: string, ...more: string[]) =>
  person.perform(['keys', verb, key.apiKeyId, '--workspace', 'WS_DEMO', ...more]);
const calls = () => {
  const env = { PORTICO_KEY_ID: key.apiKeyId, PORTICO_SECRET: key.secret };
  return person.perform(['call', 'GET', '/api/v1/transfers?size=1'], { env });
};

describe('portico keys', () => {
  it('show tells all that is known, steers no terminal and shows no secret', async () => {
    const { code, stdout } = await keys('show');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^secrets +version 1, last used never$/m)]);
    expect(stdout).toMatch(/^name +\\u001b\[31mred$/m);
    expect(stdout).not.toMatch(secretShape);
    expect(JSON.parse((await keys('show', '--json')).stdout)).toMatchObject({
      secretVersion: 1,
      status: 'ACTIVE',
    });
    expect(await person.run(['keys', 'show', '..', '--workspace', 'WS_DEMO'])).toMatchObject({ code: 1 });
  });

  it('disable and enable it, at once', async () => {
    expect((await keys('disable')).stdout).toMatch(/^status +DISABLED$/m);
    expect(await calls()).toMatchObject({ code: 1, stderr: expect.stringContaining('4015') });
    expect((await keys('enable')).stdout).toMatch(/^status +ACTIVE$/m);
    expect(await calls()).toMatchObject({ code: 0 });
  });

  it('edit changes what is given and leaves the rest', async () => {
    const edited = await keys(
      'edit',
      '--name',
      'Nightly',
      '--ip',
      '127.0.0.1',
      '--ip',
      '::1',
      '--expires',
      '2999-01-01T00:00:00Z',
      '--json',
    );
    expect(JSON.parse(edited.stdout)).toMatchObject({
      name: 'Nightly',
      scopes: ['transfers:read'],
      ipWhitelist: ['127.0.0.1', '::1'],
      expiresAt: '2999-01-01T00:00:00.000Z',
    });
    const emptied = await keys('edit', '--scope=', '--ip', '', '--expires', 'never', '--json');
    expect(JSON.parse(emptied.stdout)).toMatchObject({
      name: 'Nightly',
      scopes: [],
      ipWhitelist: [],
      expiresAt: null,
    });
    await keys('edit', '--scope', 'transfers:read');
    expect(await keys('edit')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nothing to change'),
    });
    expect(await keys('edit', '--scope', 'all')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^portico: 4000 /),
    });
  });

  it('simulate shows every step, and fails where the request would', async () => {
    const good = await keys('simulate', 'get', '/api/v1/transfers', '--ip', '203.0.113.7');
    expect([good.code, good.stdout]).toEqual([0, expect.stringMatching(/^scope +true [\s\S]*let in\n$/m)]);
    const bad = await keys('simulate', 'GET', '/api/v1/files', '--ip', '203.0.113.7', '--json');
    expect([bad.code, JSON.parse(bad.stdout).code]).toEqual([1, '4031']);
    expect(bad.stderr).toBe('portico: the request would be refused with 4031\n');
    const wrong = await keys('simulate', 'GET', '/api/v1/files', '--ip', '203.0.113.7', '--at', 'noon');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('at must be')]);
    expect(await keys('simulate', 'GET', '/api/v1/files')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--ip is missing'),
    });
  });

  it('close-grace ends the old secret of a rotation', async () => {
    await keys('rotate', '--grace', '600');
    expect(await calls()).toMatchObject({ code: 0 });
    expect((await keys('close-grace')).stdout).toMatch(/^previousSecretExpiresAt +-$/m);
    expect(await calls()).toMatchObject({ code: 1, stderr: expect.stringContaining('4012') });
  });
});
