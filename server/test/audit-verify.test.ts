import { CompactSign, exportJWK, generateKeyPair } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCheckpointReader } from '../src/auth/portal/checkpoint-signature.ts';
import { sql } from '../src/db/sql.ts';
import { appendRecords } from '../src/log/append.ts';
import { createCheckpoints, selectLastCheckpoint } from '../src/log/checkpoints.ts';
import { createSealer } from '../src/log/sealer.ts';
import { verifyLog } from '../src/log/verify.ts';
import { openSession } from './database.ts';
import { recordOf } from './log/history.ts';
import { openWorld, signIn, type World } from './world.ts';

const records = 20;

let world: World;
let session: Awaited<ReturnType<typeof openSession>>;
/** Sequence of the first of the records that a test has made. */
let first: number;

const head = async () =>
  (await world.db.query<{ sequence: number }>(sql`select sequence from log_heads`))[0]?.sequence ?? 0;
const seal = () => createSealer(world.db)();
const checkpoint = (isLast = true) =>
  createCheckpoints(world.db, world.services.signCheckpoint, world.clock.now)({ isLast });
const read = () => createCheckpointReader(world.db);
const verify = async (jws?: string) =>
  verifyLog(world.db, read(), jws === undefined ? undefined : await read()(jws));
const wrong = async (jws?: string) => (await verify(jws)).wrong;
const keep = async () => {
  await checkpoint();
  return (await selectLastCheckpoint(world.db)) ?? '';
};

async function append(count: number): Promise<void> {
  await world.db.transaction((tx) =>
    appendRecords(
      tx,
      Array.from({ length: count }, (_, index) => recordOf(`subject-${index}`)),
    ),
  );
  await seal();
}

beforeEach(async () => {
  world = await openWorld();
  await seal();
  first = (await head()) + 1;
  await append(records);
  session = await openSession(world.database);
  // Whoever owns the tables can do what the triggers refuse.
  await session.query('set session_replication_role = replica');
});
afterEach(async () => {
  await session.end();
  await world.close();
});

describe('portico audit verify', () => {
  it('finds a log whole, says how many records it read, and goes on beside writers', async () => {
    const writing = append(500);
    expect((await verify()).wrong).toBeNull();
    await writing;
    expect(await verify()).toMatchObject({
      records: first - 1 + records + 500,
      last: await head(),
      wrong: null,
    });
  });

  it('names a record of which anything was edited', async () => {
    await session.query('create temp table genuine as table audit_log');
    for (const edit of [
      `audit_id = 'AUD_X'`,
      `occurred_at = occurred_at + interval '1 ms'`,
      `actor_type = 'SYSTEM'`,
      `actor_id = 'ACC_DEMO_VIEWER'`,
      `actor_name = 'Somebody'`,
      `action = 'api-key.revoked'`,
      `subject_type = 'FILE'`,
      `subject_id = 'another'`,
      `changes = '{}'`,
      `changes = changes || ' '`,
      `changes = 'no json'`,
      `ip_address = null`,
      `request_id = 'another'`,
      `institution_id = 'INST_OTHER'`,
      `workspace_id = 'WS_OTHER'`,
      `workspace_id = null`,
      `hash = repeat('a', 64)`,
    ]) {
      const at = first + 7;
      await session.query(`update audit_log set ${edit} where sequence in (${at}, ${at + 2})`);
      expect([edit, await wrong()]).toMatchObject([edit, { sequence: at }]);
      await session.query('delete from audit_log');
      await session.query('insert into audit_log table genuine');
    }
    expect(await wrong()).toBeNull();
  });

  it('names a record that was removed, at the beginning, in the middle and at the end', async () => {
    await session.query('delete from audit_log where sequence = $1', [first + 19]);
    expect(await wrong()).toEqual({ sequence: first + 19, problem: 'it is missing' });
    await session.query('delete from audit_log where sequence in ($1, $2)', [first + 4, first + 7]);
    expect(await wrong()).toEqual({ sequence: first + 4, problem: 'it is missing' });
    await session.query('delete from audit_log where sequence = 1');
    expect(await wrong()).toEqual({ sequence: 1, problem: 'it is missing' });
  });

  it('names a record that was inserted, in the middle, before the first and after the last', async () => {
    const copyTo = (from: number, to: number) =>
      session.query(
        `insert into audit_log select (jsonb_populate_record(a, jsonb_build_object('sequence', $2::bigint))).*
         from audit_log a where sequence = $1`,
        [from, to],
      );
    await copyTo(first + 19, first + 20);
    expect(await wrong()).toMatchObject({ sequence: first + 20 });
    await session.query('update audit_log set sequence = sequence + 1000 where sequence >= $1', [first + 6]);
    await session.query('update audit_log set sequence = sequence - 999 where sequence >= 1000');
    await copyTo(first + 2, first + 6);
    expect(await wrong()).toMatchObject({ sequence: first + 6 });
    await copyTo(first, 0);
    expect(await wrong()).toEqual({ sequence: 0, problem: 'it was inserted' });
  });

  it('names the first of two records that were swapped, with their hashes and without', async () => {
    const swap = `update audit_log set sequence = case sequence when $1 then $2 else $1 end * -1 where sequence in ($1, $2)`;
    await session.query(swap, [first + 3, first + 9]);
    await session.query('update audit_log set sequence = -sequence where sequence < 0');
    expect(await wrong()).toMatchObject({ sequence: first + 3 });
    await session.query(
      `update audit_log a set hash = b.hash from audit_log b
      where (a.sequence, b.sequence) in (($1, $2), ($2, $1))`,
      [first + 3, first + 9],
    );
    expect(await wrong()).toMatchObject({ sequence: first + 3 });
  });

  it('names the first record of a log that was truncated', async () => {
    await session.query('truncate audit_log');
    expect(await verify()).toMatchObject({ records: 0, wrong: { sequence: 1, problem: 'it is missing' } });
  });
});

/** Takes away the last records and every trace that they were there. */
async function cutTail(from: number): Promise<void> {
  await session.query('delete from audit_log where sequence >= $1', [from]);
  await session.query('delete from audit_checkpoints where sequence >= $1', [from]);
  await session.query(
    `update log_heads set sequence = $1 - 1, hash = (select hash from audit_log where sequence = $1 - 1)`,
    [from],
  );
}

describe('portico audit verify --checkpoint', () => {
  it('agrees with a log that only grew since', async () => {
    const kept = await keep();
    await append(5);
    expect(await verify(kept)).toMatchObject({ checkpoints: 1, wrong: null });
  });

  it('names the first record of a tail that was cut off without a trace', async () => {
    const kept = await keep();
    await cutTail(first + 12);
    expect(await wrong()).toBeNull();
    expect(await wrong(kept)).toEqual({ sequence: first + 12, problem: 'it is missing' });
  });

  it('finds a tail that was written anew with a chain of its own, after the last checkpoint that agrees', async () => {
    await createCheckpoints(world.db, world.services.signCheckpoint, world.clock.now)({ isLast: true });
    await append(6);
    const kept = await keep();
    await cutTail(first + records + 3);
    await append(3);
    expect(await wrong()).toBeNull();
    expect(await wrong(kept)).toMatchObject({
      sequence: first + records,
      problem: expect.stringContaining(`to ${first + records + 5} are not those of the given checkpoint`),
    });
  });

  it('finds what was written anew by a checkpoint of the database too, where that was left', async () => {
    await checkpoint();
    await session.query(
      `update log_heads set sequence = $1 - 1, hash = (select hash from audit_log where sequence = $1 - 1)`,
      [first + 2],
    );
    await session.query('delete from audit_log where sequence >= $1', [first + 2]);
    expect(await wrong()).toEqual({ sequence: first + 2, problem: 'it is missing' });
    await append(records - 2);
    expect(await wrong()).toMatchObject({
      sequence: 1,
      problem: expect.stringContaining('the checkpoint of'),
    });
  });

  it('takes only what the service itself signed as a checkpoint', async () => {
    const kept = await keep();
    const [header, payload, signature] = kept.split('.');
    expect(await read()(kept)).toMatchObject({
      sequence: await head(),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const other = Buffer.from(JSON.stringify({ sequence: 1, hash: 'x', time: 't' })).toString('base64url');
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const foreign = await new CompactSign(Buffer.from(JSON.stringify({ sequence: 1, hash: 'x', time: 't' })))
      .setProtectedHeader({
        alg: 'ES256',
        typ: 'portico-checkpoint',
        kid: 'k',
        jwk: await exportJWK(publicKey),
      })
      .sign(privateKey);
    const token = await signIn(world);
    const unsigned = Buffer.from('{"alg":"none","typ":"portico-checkpoint"}').toString('base64url');
    for (const jws of [
      '',
      'a.b.c',
      `${header}.${other}.${signature}`,
      `${unsigned}.${payload}.`,
      foreign,
      token,
    ])
      expect([jws, await read()(jws)]).toEqual([jws, undefined]);
    await session.query(`update audit_checkpoints set jws = $1`, [foreign]);
    expect(await wrong()).toEqual({
      sequence: first + records - 1,
      problem: 'its checkpoint was not signed by this service',
    });
  });

  it('says that a newer checkpoint is needed when the retention took its record away', async () => {
    const kept = await keep();
    await append(1);
    await world.db.query(sql`select audit_forget('infinity')`);
    await append(2);
    expect(await verify()).toMatchObject({ records: 2, forgotten: first + records, wrong: null });
    expect((await wrong(kept))?.problem).toContain('a newer checkpoint is needed');
    expect(await wrong(await keep())).toBeNull();
  });
});

describe('checkpoints', () => {
  it('are signed of new records only, half a minute apart, and at the end at once', async () => {
    const count = async () => (await world.db.query(sql`select from audit_checkpoints`)).length;
    await checkpoint(false);
    expect(await count()).toBe(1);
    await append(1);
    await checkpoint(false);
    expect(await count()).toBe(1);
    world.clock.advance(31);
    await checkpoint(false);
    await checkpoint(false);
    await checkpoint(true);
    expect(await count()).toBe(2);
    await append(1);
    await checkpoint(true);
    expect(await count()).toBe(3);
  });
});
