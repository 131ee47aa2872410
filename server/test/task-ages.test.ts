import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { type Maintenance, startMaintenance } from '../src/maintenance.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let maintenance: Maintenance | undefined;
beforeAll(async () => {
  world = await openWorld({ tasks: () => maintenance?.tasks() ?? [] });
  maintenance = startMaintenance(world.services, world.db, pino({ level: 'silent' }));
});
afterAll(async () => {
  await maintenance?.stop();
  await world.close();
});

type Ages = { fold: number; seal: number };
const ages = async (): Promise<Ages> => (await world.app.inject('/readyz')).json().secondsSince;
const measured = async () => {
  const { body } = await world.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });
  return Number(/^portico_task_age_seconds\{task="fold"\} (\S+)$/m.exec(body)?.[1]);
};

it('work in the background that fails on and on grows old in the probe and the metrics, until it succeeds again', async () => {
  await expect.poll(async () => (await ages()).fold).toBeLessThan(1);
  await world.db.query(sql`alter table tally_deltas rename to tally_deltas_away`);
  const isBehind = async () => {
    const { fold, seal } = await ages();
    return fold > 2 && seal < fold;
  };
  await expect.poll(isBehind).toBe(true);
  expect(await measured()).toBeGreaterThan(2);
  await world.db.query(sql`alter table tally_deltas_away rename to tally_deltas`);
  await expect.poll(async () => (await ages()).fold).toBeLessThan(2);
  await expect.poll(measured).toBeLessThan(2);
});
