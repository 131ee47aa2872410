import Fastify from 'fastify';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { KeyCaller } from '../src/auth/identity.ts';
import { collection } from '../src/contract/collection.ts';
import { listEndpoint } from '../src/contract/list-endpoint.ts';
import { equal } from '../src/contract/page-statement.ts';
import { sql } from '../src/db/sql.ts';
import { transfers } from '../src/resources/transfers/collection.ts';
import { TransferFilters } from '../src/resources/transfers/schema.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** A signed collection whose filter has the name of a value of its place. */
const filteredByMode = collection({
  ...transfers,
  filters: Type.Object({ ...TransferFilters.properties, mode: Type.Optional(Type.String()) }),
  filterBy: { ...transfers.filterBy, mode: equal(sql`t.mode`, (given) => sql`${given}::key_mode`) },
});

async function totalOf(mode: 'LIVE' | 'TEST', asked: string): Promise<number> {
  const app = Fastify().setValidatorCompiler(() => () => true);
  const [workspace] = await world.db.query<{ id: number }>(
    sql`select id from workspaces where biz_id = 'WS_DEMO'`,
  );
  const place = { workspaceId: workspace?.id ?? 0, mode };
  const caller = { type: 'key', ...place } as KeyCaller; // all that the place looks at
  const access = { config: {}, callerOf: () => caller, confirm: async () => {} };
  const texts = { tags: [], summary: '', operationId: '', description: '' };
  app.route(listEndpoint(filteredByMode, { method: 'GET', url: '/', access, ...texts }, world.services));
  const answer = await app.inject(`/?sort=amount,asc${asked}`);
  await app.close();
  return answer.json().data.content.length;
}

it('a filter that is named like a value of the place opens no other place', async () => {
  expect(await totalOf('LIVE', '&mode=LIVE')).toBe(20);
  expect(await totalOf('TEST', '')).toBeGreaterThan(0);
  expect(await totalOf('TEST', '&mode=LIVE')).toBe(0);
});
