import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOnce } from '../../server/test/service-process.ts';
import { Person } from './harness.ts';

const published = JSON.parse(
  readFileSync(new URL('../../docs/signing-vectors.json', import.meta.url), 'utf8'),
);
const count = published.vectors.length;

let person: Person;
beforeAll(() => {
  buildOnce();
  person = new Person();
});
afterAll(() => person.remove());

function write(content: string): string {
  const path = join(person.folder, 'vectors.json');
  writeFileSync(path, content);
  return path;
}

describe('portico verify-vectors', () => {
  it('holds every published vector, one line each and a count, from wherever it is called', async () => {
    const { code, stdout, stderr } = await person.run(['verify-vectors']);
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(count).toBeGreaterThanOrEqual(25);
    expect(lines.slice(0, -1)).toEqual(
      published.vectors.map(({ name }: { name: string }) => `ok    ${name}`),
    );
    expect(lines.at(-1)).toBe(`${count} of ${count} vectors hold`);
  });

  it.each([
    ['signature', 'the signature differs'],
    ['stringToSign', 'the string to sign differs'],
    ['request', 'it is not a vector'],
  ])('tells the vector with another %s, with exit code 1', async (field, difference) => {
    const { vectors } = structuredClone(published);
    vectors[3][field] = field === 'request' ? null : `0${vectors[3][field].slice(1)}x`;
    const { code, stdout, stderr } = await person.run(['verify-vectors', write(JSON.stringify({ vectors }))]);
    expect(code).toBe(1);
    expect(stdout.match(/^WRONG .*$/gm)).toEqual([`WRONG ${vectors[3].name}: ${difference}`]);
    expect(stdout).toContain(`${count - 1} of ${count} vectors hold`);
    expect(stderr).toBe(`portico: 1 of ${count} vectors do not hold\n`);
  });

  it.each(['', '{', '[]', '{"vectors":[]}', 'null'])(
    'refuses a file that holds none with exit code 2: %j',
    async (content) => {
      expect(await person.run(['verify-vectors', write(content)])).toMatchObject({ code: 2, stdout: '' });
    },
  );
});
