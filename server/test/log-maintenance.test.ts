import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCheckpointReader } from '../src/auth/portal/checkpoint-signature.ts';
import { sql } from '../src/db/sql.ts';
import { appendRecords } from '../src/log/append.ts';
import { selectLastCheckpoint } from '../src/log/checkpoints.ts';
import { startMaintenance } from '../src/maintenance.ts';
import { recordOf } from './log/history.ts';
import { openWorld, portalCall, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const start = () => startMaintenance(world.services, world.db, pino({ level: 'silent' }));
const head = async () =>
  (await world.db.query<{ sequence: number }>(sql`select sequence from log_heads`))[0]?.sequence ?? 0;
const append = (subject: string) => world.db.transaction((tx) => appendRecords(tx, [recordOf(subject)]));

it('an instance seals by itself what was written, tells how long the oldest has waited, and how it fares', async () => {
  const before = await head();
  await append('by itself');
  const maintenance = start();
  expect(await maintenance.unsealedSeconds()).toBeGreaterThanOrEqual(0);
  await expect.poll(head).toBe(before + 1);
  expect(await maintenance.unsealedSeconds()).toBe(0);
  expect(maintenance.tasks().map(({ task }) => task)).toEqual(expect.arrayContaining(['seal', 'checkpoint']));
  await maintenance.stop();
});

it('an instance that stops writes what it has counted, seals what is written and signs the last record', async () => {
  const failed = { email: 'owner@demo.test', password: 'wrong' };
  for (let left = 3; left > 0; left -= 1)
    await portalCall(world, undefined, { url: '/web/v1/auth/login', body: failed });
  await append('at the end');
  await start().stop();
  expect(await world.db.query(sql`select from audit_waiting`)).toEqual([]);
  const [last] = await world.db.query<{ action: string; changes: string }>(
    sql`select action, changes from audit_log order by sequence desc limit 1`,
  );
  expect(last).toEqual({ action: 'account.sign-in-failed', changes: '{"attempts":{"from":null,"to":2}}' });
  const jws = (await selectLastCheckpoint(world.db)) ?? '';
  expect(await createCheckpointReader(world.db)(jws)).toMatchObject({ sequence: await head() });
});
