import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownerOfWorkspace } from '../src/auth/portal/roles.ts';
import { WorkspacePath } from '../src/auth/portal/workspace-path.ts';
import { keyStatus, keyStatusAt, type StoredStatus } from '../src/auth/signed/key-status.ts';
import { command, lookBackSeconds, perform, writeSecondsMax } from '../src/contract/command.ts';
import type { Transaction } from '../src/db/database.ts';
import { instant, sql } from '../src/db/sql.ts';
import { StoreUnavailable } from '../src/db/unavailable.ts';
import { openSession } from './database.ts';
import { countRows } from './hostile/ledger.ts';
import { createKey, openWorld, portalCall, signIn, type World } from './world.ts';

const url = '/web/v1/workspaces/WS_DEMO/api-keys';

let world: World;
let token: string;
beforeAll(async () => {
  world = await openWorld();
  token = await signIn(world);
});
afterAll(() => world.close());

describe('the steps of a command', () => {
  it('wait for a role that is being taken away, and then change nothing', async () => {
    const { apiKeyId } = await createKey(world);
    const session = await openSession(world.database);
    const becomes = (role: string) =>
      `update workspace_members set role = '${role}' where account_id = (select id from accounts where email = 'owner@demo.test')`;
    await session.query(`begin; ${becomes('MEMBER')}`);
    const disabling = portalCall(world, token, { url: `${url}/${apiKeyId}/disable` });
    const waiting = () => world.db.query(sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'`);
    await expect.poll(async () => (await waiting()).length).toBe(1);
    const rows = await countRows(world);
    await session.query('commit');
    expect((await disabling).json().code).toBe('4030');
    expect(await countRows(world)).toEqual(rows);
    await session.query(becomes('OWNER'));
    await session.end();
  });

  /** A write of our own, as an owner. */
  const written = (run: (tx: Transaction) => Promise<string>) => {
    const declared = command({
      path: WorkspacePath,
      answer: Type.Object({}),
      status: 200,
      place: ownerOfWorkspace,
      action: 'api-key.changed',
      errors: [],
      run: async ({ tx }) => ({ answer: {}, subject: await run(tx), changes: {} }),
    });
    const caller = {
      type: 'account' as const,
      bizId: 'ACC_DEMO_OWNER',
      account: async () => ({ id: 1, bizId: 'ACC_DEMO_OWNER' }),
      signIn: null,
      portal: undefined,
      userAgent: null,
      address: null,
      requestId: 'x',
    };
    return perform(declared, world.services, {
      caller,
      values: { account: caller.bizId, signIn: null, workspace: 'WS_DEMO' },
      input: () => ({ path: { workspaceId: 'WS_DEMO' }, body: {} }),
      route: 'PATCH /',
    });
  };
  const rename = (tx: Transaction) => tx.query(sql`update workspaces set name = 'changed by nobody'`);
  const renamed = () => world.db.query(sql`select 1 from workspaces where name = 'changed by nobody'`);

  it('end with an error, and leave nothing, when there is no record of what was done', async () => {
    const unrecorded = written(async (tx) => {
      await rename(tx);
      return '';
    });
    await expect(unrecorded).rejects.toThrow('ended without a record');
    expect(await renamed()).toEqual([]);
  });

  it('leave nothing when they took longer than who follows changes looks back', async () => {
    const late = written(async (tx) => {
      await rename(tx);
      world.clock.advance(writeSecondsMax + 1);
      return 'WS_DEMO';
    });
    await expect(late).rejects.toThrow(StoreUnavailable);
    world.clock.advance(-writeSecondsMax - 1);
    expect(await renamed()).toEqual([]);
    expect(lookBackSeconds).toBeGreaterThan(writeSecondsMax);
  });
});

describe('the end of a key', () => {
  it('is set at its creation, in the future, and seen by the clock of the service alone', async () => {
    const create = (expiresAt: unknown) =>
      portalCall(world, token, { url, body: { name: 'ends', scopes: ['transfers:read'], expiresAt } });
    for (const wrong of ['2020-01-01T00:00:00Z', 'tomorrow', 5, '2027-02-30T00:00:00Z']) {
      const answer = await create(wrong);
      expect([wrong, answer.statusCode, answer.json().code]).toEqual([wrong, 400, '4000']);
      expect(answer.json().message).toMatch(/^expiresAt /);
    }
    const endsMs = world.clock.now() + 60_000;
    const { apiKeyId } = (await create(new Date(endsMs).toISOString())).json().data;
    const status = async () =>
      (await portalCall(world, token, { method: 'GET', url: `${url}/${apiKeyId}` })).json().data;
    expect(await status()).toMatchObject({ status: 'ACTIVE', expiresAt: new Date(endsMs).toISOString() });
    world.clock.advance(61);
    expect(await status()).toMatchObject({ status: 'EXPIRED' });
    const listed = await portalCall(world, token, { method: 'GET', url: `${url}?status=EXPIRED` });
    expect(listed.json().data.totalElements).toBe(1);
    world.clock.advance(-61);
    expect(await status()).toMatchObject({ status: 'ACTIVE' });
  });

  it('is judged alike by the two spellings of its rule', async () => {
    const statuses: StoredStatus[] = ['ACTIVE', 'DISABLED', 'REVOKED'];
    const nowMs = 1_800_000_000_000;
    for (const status of statuses) {
      for (const endMs of [null, nowMs - 1, nowMs, nowMs + 1]) {
        const expiresAt = endMs === null ? null : new Date(endMs).toISOString();
        const [row] = await world.db.query<{ status: string }>(sql`
          select ${keyStatusAt(instant(nowMs))} as status
          from (select ${status}::key_status as status, ${expiresAt}::timestamptz as expires_at) k`);
        expect([status, endMs, row?.status]).toEqual([
          status,
          endMs,
          keyStatus({ status, expiresAt }, nowMs),
        ]);
      }
    }
  });
});
