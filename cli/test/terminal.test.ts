import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFactor, codeOf, dropFactor, ownerId } from '../../server/test/support/own-account.ts';
import { createKey, type Key, tokenOf } from '../../server/test/world.ts';
import { hasScript, onTerminal, openSite, Person, portico, type Site } from './harness.ts';

let site: Site;
let key: Key;
let person: Person;
beforeAll(async () => {
  site = await openSite();
  key = await createKey(site.world, { name: '漢字 😀 é' });
  person = new Person({ PORTICO_URL: site.url, PORTICO_KEY_ID: key.apiKeyId, PORTICO_SECRET: key.secret });
});
afterAll(async () => {
  person.remove();
  await site.world.close();
});

const list = `${portico} call GET '/api/v1/transfers?size=5'`;
const columns = ['transferId', 'amount', 'currency', 'status', 'createdAt', 'updatedAt', 'reference'];
const login = `${portico} login --email owner@demo.test`;
const ask = { when: 'Password: ', type: 'portico-demo\r' };

describe.skipIf(!hasScript)('on a terminal (needs script of util-linux)', () => {
  it('has colours, but not with NO_COLOR or a dumb terminal', async () => {
    expect((await onTerminal(person, list)).stdout).toContain('\u001b[1mtransferId ');
    expect((await onTerminal(person, `NO_COLOR= ${list}`)).stdout).toContain('\u001b[1m');
    expect((await onTerminal(person, `NO_COLOR=1 ${list}`)).stdout).not.toContain('\u001b');
    expect((await onTerminal(person, `TERM=dumb ${list}`)).stdout).not.toContain('\u001b');
    expect((await onTerminal(person, `${portico} nothing`)).stdout).toContain('\u001b[31mportico:');
  });

  it.each([40, 60, 80, 100])('fits a table into %i columns', async (width) => {
    const { stdout } = await onTerminal(person, `stty cols ${width}; ${list} 2>notes`);
    const lines = stripVTControlCharacters(stdout).trimEnd().split('\r\n');
    expect(lines).toHaveLength(7);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    for (const line of lines.slice(1, 6)) expect(line).toMatch(/^TRF_\d{10} +[\d.]+ /);
    const omitted = readFileSync(join(person.folder, 'notes'), 'utf8');
    const shown = lines[0]?.split(/ +/) ?? [];
    expect(omitted).toBe(
      shown.length === 7
        ? ''
        : `too narrow for ${columns.slice(shown.length).join(', ')}: --json shows all\n`,
    );
  });

  it('shows a table in full where there is room', async () => {
    const { stdout } = await onTerminal(person, `stty cols 300; ${list}`);
    expect(stdout).not.toContain('…');
    expect(stdout).not.toContain('too narrow');
  });

  it('asks for a password without showing it, signs in, and leaves the terminal as it was', async () => {
    const { stdout, code } = await onTerminal(person, `stty -g; ${login}; stty -g`, [ask]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('signed in at')]);
    expect(stdout).not.toContain('portico-demo');
    const modes = stdout.match(/^[0-9a-f]+(:[0-9a-f]+)+/gm) ?? [];
    expect(modes).toHaveLength(2);
    expect(modes[1]).toBe(modes[0]);
    expect(readFileSync(person.profilePath, 'utf8')).toContain('rt_');
  });

  it('asks for the e-mail address too when it is not given', async () => {
    const answers = [{ when: 'E-mail address: ', type: 'owner@demo.test\r' }, ask];
    expect((await onTerminal(person, `${portico} login`, answers)).stdout).toContain('as owner@demo.test');
  });

  it('asks for the code of a second factor where the account has one, again when it was wrong', async () => {
    const { secret } = await addFactor(site.world, await tokenOf(site.world, ownerId));
    const answers = ['wrong', codeOf(site.world, secret)].map((code) => ({
      when: 'Code of the second factor: ',
      type: `${code}\r`,
    }));
    const { stdout, code } = await onTerminal(person, login, [ask, ...answers]);
    await dropFactor(site.world);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/wrong or was used[\s\S]*signed in at/)]);
  });

  it.each([
    ['Ctrl-C', 'half\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('puts the terminal back when a question is left with %s', async (_name, typed) => {
    const { stdout } = await onTerminal(person, `stty -g; ${login}; echo "code $?"; stty -g`, [
      { when: 'Password: ', type: typed },
    ]);
    expect(stdout).toContain('code 1');
    const modes = stdout.match(/^[0-9a-f]+(:[0-9a-f]+)+/gm) ?? [];
    expect(modes).toHaveLength(2);
    expect(modes[1]).toBe(modes[0]);
  });

  it('asks before it revokes, and takes anything but yes for no', async () => {
    await onTerminal(person, login, [ask]);
    const { apiKeyId } = await createKey(site.world);
    const revoke = `${portico} keys revoke ${apiKeyId} --workspace WS_DEMO; echo "code $?"`;
    for (const type of ['\r', 'no\r', 'yesterday\r', '\u0003']) {
      const { stdout } = await onTerminal(person, revoke, [{ when: '[y/N] ', type }]);
      expect(stdout).toContain('code 1');
    }
    const list = await person.run(['keys', 'list', '--workspace', 'WS_DEMO', '--size', '1', '--json']);
    expect(JSON.parse(list.stdout).content[0]).toMatchObject({ apiKeyId, status: 'ACTIVE' });
    const { stdout } = await onTerminal(person, revoke, [{ when: '[y/N] ', type: 'y\r' }]);
    expect(stdout).toMatch(/REVOKED[\s\S]*code 0/);
  });

  it('aligns names of wide letters', async () => {
    await onTerminal(person, login, [ask]);
    const command = `stty cols 200; NO_COLOR=1 ${portico} keys list --workspace WS_DEMO --status ACTIVE`;
    const lines = (await onTerminal(person, command)).stdout.split('\r\n');
    const row = lines.find((line) => line.includes('漢字')) ?? '';
    // Each of the two letters takes two cells; the emoji takes as many as it has code units.
    expect((lines[0] ?? '').indexOf('mode')).toBe(row.indexOf('LIVE') + 2);
  });
});
