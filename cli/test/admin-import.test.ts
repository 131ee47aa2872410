import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasScript, onTerminal, openSite, Person, portico, type Site } from './harness.ts';

let site: Site;
let person: Person;
beforeAll(async () => {
  site = await openSite();
  person = new Person({ DATABASE_URL: site.world.database.url });
});
afterAll(async () => {
  person.remove();
  await site.world.close();
});

const line = (transferId: string, more: object = {}) =>
  JSON.stringify({
    transferId,
    amount: '12.50',
    currency: 'USD',
    status: 'COMPLETED',
    createdAt: '2024-02-29T12:00:00Z',
    ...more,
  });
const saved = (name: string, ...lines: string[]) => {
  const path = join(person.folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
};
const bring = (...more: string[]) => ['admin', 'import', 'transfers', '--workspace', 'WS_DEMO', ...more];

describe('portico admin import', () => {
  it('tells how many lines became what, names those it refused, and ends with 1 when there was one', async () => {
    const file = saved('some.jsonl', line('CLI-1'), line('CLI-2', { amount: '\u001b[2J' }), line('CLI-3'));
    const { code, stdout, stderr } = await person.run(bring(file));
    expect(code).toBe(1);
    expect(stdout).toMatch(/lines +3\nadded +2\nchanged +0\nunchanged +0\nrefused +1\n/);
    expect(stderr).toMatch(
      /^line 2: amount must be a decimal number .*\nportico: 1 of 3 lines were refused\n$/,
    );
  });

  it('reads standard input, and changes nothing the second time', async () => {
    const input = `${line('CLI-4')}\n${line('CLI-5')}`;
    const report = { lines: 2, changed: 0, refused: 0 };
    for (const more of [
      { added: 2, unchanged: 0 },
      { added: 0, unchanged: 2 },
    ]) {
      const { code, stdout, stderr } = await person.perform(bring('-', '--json'), { input });
      expect([code, stderr]).toEqual([0, '']);
      expect(JSON.parse(stdout)).toEqual({ ...report, ...more });
    }
  });

  it('says what is missing', async () => {
    const outcomes = [
      [bring(), /^portico: FILE is missing/],
      [bring(join(person.folder, 'nowhere.jsonl')), /^portico: ENOENT: no such file/],
      [['admin', 'import', 'transfers', saved('one.jsonl', line('X'))], /^portico: --workspace is required/],
    ] as const;
    for (const [args, stderr] of outcomes)
      expect(await person.perform(args)).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(stderr),
      });
  });

  it.runIf(hasScript)('shows on a terminal how far it is, and leaves nothing of that', async () => {
    const file = saved('bar.jsonl', ...Array.from({ length: 6000 }, (_none, index) => line(`BAR-${index}`)));
    const { stdout } = await onTerminal(person, `${portico} ${bring(file).join(' ')}`);
    expect(stdout).toMatch(/\[[#.]{24}\] +\d+ % {2}5,001 lines, [\d,]+ a second/);
    expect(stdout.split('\r\u001b[K').at(-1)).toMatch(/lines .* 6000\r\n.*added .* 6000\r\n/);
  });
});
