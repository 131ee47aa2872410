import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { type Maintenance, startMaintenance } from '../src/maintenance.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { createStillClock, openWorld, type World } from './world.ts';

const clock = createStillClock();
let database: TestDatabase;
const worlds: World[] = [];
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(async () => {
  for (const world of worlds) await world.close();
  await database.drop();
});

type Instance = { maintenance: Maintenance; warnings(): string[] };

async function openInstance(publicUrl: string, basePath = ''): Promise<Instance> {
  const env = { PORTICO_PUBLIC_URL: publicUrl, PORTICO_BASE_PATH: basePath };
  const world = await openWorld({ database, clock, env });
  worlds.push(world);
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const maintenance = startMaintenance(world.services, world.db, logger);
  return { maintenance, warnings: () => lines.splice(0).map((line) => JSON.parse(line).others.join()) };
}

const kept = () =>
  database && worlds[0]?.db.query<{ issuer: string }>(sql`select issuer from issuers_in_use`);

it('instances that are reached at several addresses warn of each other until one has stopped or was long silent', async () => {
  const [one, same] = [await openInstance('https://a.example'), await openInstance('https://a.example')];
  for (const { maintenance } of [one, same]) await maintenance.announce();
  expect([one.warnings(), same.warnings()]).toEqual([[], []]);

  const other = await openInstance('https://a.example', '/base');
  await other.maintenance.announce();
  await one.maintenance.announce();
  expect(other.warnings()).toEqual(['https://a.example']);
  expect(one.warnings()).toEqual(['https://a.example/base']);

  await other.maintenance.stop();
  await one.maintenance.announce();
  expect(one.warnings()).toEqual([]);

  const moved = await openInstance('https://b.example');
  await moved.maintenance.announce();
  expect(moved.warnings()).toEqual(['https://a.example']);
  // Those before were killed: nobody hears of them any more, and nothing is left of them.
  clock.advance(181);
  await moved.maintenance.announce();
  expect(moved.warnings()).toEqual([]);
  expect(await kept()).toEqual([{ issuer: 'https://b.example' }]);

  for (const { maintenance } of [one, same, moved]) await maintenance.stop();
});
