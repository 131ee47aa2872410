import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { lastRecord, recorded, refusal, rowsOf, run } from '../../test/support/operator.ts';
import { openWorld, type World } from '../../test/world.ts';
import { sql } from '../db/sql.ts';
import type { TaskName } from './tasks.ts';

let world: World;
let other: World;
beforeAll(async () => {
  world = await openWorld();
  other = await openWorld({ database: world.database, clock: world.clock });
});
afterAll(async () => {
  await other.close();
  await world.close();
});

describe('an operator adds and renames institutions and workspaces', () => {
  it('which are shown, and written down with who did it', async () => {
    const made = { institutionId: 'INST_ACME', name: 'Acme Bank' };
    expect(await run(world, 'addInstitution', { institution: 'INST_ACME', name: 'Acme Bank' })).toEqual(made);
    const institutionId = 'INST_ACME';
    const changes = { name: { from: null, to: 'Acme Bank' } };
    expect(await lastRecord(world)).toEqual(
      recorded('institution.created', 'INST_ACME', changes, { institutionId }),
    );
    await run(world, 'renameInstitution', { institution: 'INST_ACME', name: 'Acme Bank plc' });
    expect(await lastRecord(world)).toMatchObject({
      action: 'institution.changed',
      changes: { name: { from: 'Acme Bank', to: 'Acme Bank plc' } },
      institutionId,
    });
    expect(await rowsOf(world, 'institutions')).toContainEqual({ institutionId, name: 'Acme Bank plc' });
    await run(world, 'addWorkspace', { workspace: 'WS.acme-1', institution: 'INST_ACME', name: '结算' });
    const place = { institutionId, workspaceId: 'WS.acme-1' };
    expect(await lastRecord(world)).toMatchObject({ action: 'workspace.created', ...place });
    await run(world, 'renameWorkspace', { workspace: 'WS.acme-1', name: 'Settlement' });
    expect(await lastRecord(world)).toMatchObject({
      action: 'workspace.changed',
      changes: { name: { from: '结算', to: 'Settlement' } },
      ...place,
    });
    const shown = [{ workspaceId: 'WS.acme-1', institutionId, name: 'Settlement' }];
    expect(await rowsOf(world, 'workspaces', { institution: 'INST_ACME' })).toEqual(shown);
    expect(await rowsOf(world, 'workspaces')).toEqual(expect.arrayContaining(shown));
    const unknown = rowsOf(world, 'workspaces', { institution: 'INST_X' });
    await expect(unknown).rejects.toThrow('there is no institution INST_X');
  });

  test.each<[TaskName, object, string]>([
    ['addInstitution', { institution: 'INST_DEMO', name: 'x' }, '4090 there is an institution INST_DEMO'],
    ['addWorkspace', { workspace: 'WS_DEMO', institution: 'INST_DEMO', name: 'x' }, '4090 '],
    [
      'addWorkspace',
      { workspace: 'WS_X', institution: 'INST_X', name: 'x' },
      '4040 there is no institution INST_X',
    ],
    ['renameInstitution', { institution: "x' or 1=1", name: 'x' }, '4040 '],
    ['renameWorkspace', { workspace: 'WS_X', name: 'x' }, '4040 there is no workspace WS_X'],
    ['addInstitution', {}, '4000 institution is required; name is required'],
    ['addInstitution', { institution: '', name: 'x' }, '4000 institution must be 1 to 64'],
    ['addInstitution', { institution: 'a b', name: 'x' }, '4000 institution must be 1 to 64'],
    ['addInstitution', { institution: '-a', name: 'x' }, '4000 institution must be 1 to 64'],
    ['addInstitution', { institution: 'a\n', name: 'x' }, '4000 institution must be 1 to 64'],
    ['addInstitution', { institution: 'ＡＢ', name: 'x' }, '4000 institution must be 1 to 64'],
    ['addInstitution', { institution: 'a'.repeat(65), name: 'x' }, '4000 institution must be 1 to 64'],
    ['addInstitution', { institution: 'a', name: ' \t ' }, '4000 name must not be blank'],
    [
      'addInstitution',
      { institution: 'a', name: 'x\u001b[2Jy' },
      '4000 name must not have control characters',
    ],
    ['addInstitution', { institution: 'a', name: 'x\u202ey' }, '4000 name must not have control characters'],
    ['addInstitution', { institution: 'a', name: 'x\0' }, '4000 name must not have control characters'],
    ['addInstitution', { institution: 'a', name: '\ud800' }, '4000 name must be valid Unicode'],
    [
      'addInstitution',
      { institution: 'a', name: 'x'.repeat(10_240) },
      '4000 name must have at most 128 characters',
    ],
    ['renameWorkspace', { workspace: 'x'.repeat(10_240), name: 'x' }, '4000 workspace must have at most 254'],
  ])('refuses %s %j', async (name, given, expected) => {
    const before = await rowsOf(world, 'institutions');
    expect(await refusal(world, name, given)).toContain(expected);
    expect(await rowsOf(world, 'institutions')).toEqual(before);
  });
});

describe('two operators at once', () => {
  it('who add the same institution or workspace: one does, the other is told', async () => {
    const attempts = await Promise.allSettled(
      [world, other, world, other].map((at) =>
        run(at, 'addInstitution', { institution: 'INST_TWICE', name: 'Twice' }),
      ),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const attempt of attempts)
      if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject({ code: '4090' });
    const [records] = await world.db.query<{ count: number }>(
      sql`select count(*) as count from audit_waiting where subject_id = 'INST_TWICE'`,
    );
    expect(records?.count).toBe(1);
  });
});
