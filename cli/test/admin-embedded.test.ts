import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOnce, makeFolder, removeFolder } from '../../server/test/service-process.ts';
import { Person } from './harness.ts';

let person: Person;
let folder: string;
beforeAll(() => {
  buildOnce();
  person = new Person();
  folder = makeFolder();
});
afterAll(async () => {
  await removeFolder(folder);
  person.remove();
});

const run = (...args: string[]) => person.run(['admin', ...args], { cwd: folder });

describe('portico admin with the embedded database', () => {
  it('makes one for bootstrap alone, and stops it again', async () => {
    const none = await run('institution', 'list');
    expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/^portico: there is no database in/)]);
    expect(existsSync(join(folder, '.portico'))).toBe(false);
    const first = [
      ...['bootstrap', '--institution', 'INST_ACME', '--institution-name', 'Acme Bank'],
      ...['--workspace', 'WS_ACME', '--workspace-name', 'Acme', '--owner-email', 'owner@acme.example'],
    ];
    const made = await run(...first);
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(made.stdout).toMatch(/^url +http:\/\/127\.0\.0\.1:8080\/invitation#[0-9A-Za-z]{43}$/m);
    expect(existsSync(join(folder, '.portico/database/postmaster.pid'))).toBe(false);
    expect((await run(...first)).code).toBe(1);
    const listed = await run('workspace', 'list', '--json');
    expect(JSON.parse(listed.stdout)).toEqual([
      { workspaceId: 'WS_ACME', institutionId: 'INST_ACME', name: 'Acme' },
    ]);
    const rotated = await run('signing-key', 'rotate', '--json');
    expect([rotated.code, JSON.parse(rotated.stdout).previousKid]).toEqual([0, null]);
  });
});
