import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import type { AuditRecord } from '../src/log/append.ts';
import { createSealer } from '../src/log/sealer.ts';
import { type History, outOfOrder, recordOf, sealUnderFire, write } from './log/history.ts';
import { createRandom, type Random } from './tally/writers.ts';
import { createKey, type Key, openWorld, signedCall, type World } from './world.ts';

const writers = 16;
const rows = Number(process.env['EVENT_ROWS'] ?? 1200);
const seed = Number(process.env['EVENT_SEED'] ?? 20260201);

const modes = ['LIVE', 'TEST', null] as const;
const types = ['transfer.created', 'transfer.completed', 'file.created'] as const;
type Kind = { workspaceId: number; mode: (typeof modes)[number]; type: (typeof types)[number] };

/** What a record tells follows from its name, so that who checks knows it too. */
function kindOf(subjectId: string): Kind {
  const random = createRandom([...subjectId].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) | 0);
  const type = types[random(types.length)] ?? types[0];
  return { workspaceId: 1 + random(2), mode: modes[random(modes.length)] ?? null, type };
}

/** Of one record in ten nobody is told. */
const isTold = (subjectId: string) => !subjectId.endsWith('0');

const told = (subjectId: string): AuditRecord => {
  const { workspaceId, mode, type } = kindOf(subjectId);
  const record = { ...recordOf(subjectId), workspaceId };
  return isTold(subjectId) ? { ...record, action: type, event: { mode, data: { subjectId } } } : record;
};

type Told = { eventId: string; data: { subjectId: string } };

let first: World;
let second: World;
let key: Key;
beforeAll(async () => {
  first = await openWorld();
  second = await openWorld({ database: first.database });
  key = await createKey(first, { scopes: ['events:read'] });
  await createSealer(first.db)();
  await first.db.query(sql`delete from events`); // that of the key
});
afterAll(async () => {
  await second.close();
  await first.close();
});

/** How many requests each instance is answering. */
const answering = new Map<World, number>();

async function ask(world: World, query: string) {
  answering.set(world, (answering.get(world) ?? 0) + 1);
  const response = await signedCall(world, key, { url: `/api/v1/events?${query}` });
  answering.set(world, (answering.get(world) ?? 0) - 1);
  return response.json().data as { events: Told[]; nextAfter: string | null; hasMore: boolean };
}

/** Keeps nextAfter and nothing else, asks now this instance and now that one, and stops at the first end after all was told. */
async function pullOn(random: Random, types: string, isTold: () => boolean): Promise<Told[]> {
  const seen: Told[] = [];
  for (let after: string | null = null; ; ) {
    const isLast = isTold();
    const place = after === null ? '' : `&after=${after}`;
    const page = await ask(random(2) === 0 ? first : second, `limit=${1 + random(100)}${types}${place}`);
    seen.push(...page.events);
    after = page.nextAfter;
    if (isLast && !page.hasMore) return seen;
  }
}

/** An instance begins, and then one ends. */
async function replaceSecond(): Promise<void> {
  const leaving = second;
  second = await openWorld({ database: first.database });
  await expect.poll(() => answering.get(leaving) ?? 0).toBe(0);
  await leaving.close();
}

const isSealed = async () => (await first.db.query(sql`select 1 from audit_waiting limit 1`)).length === 0;

/** What a LIVE key of the first workspace is to see of what was committed. */
const toBeSeen = ({ committed }: History, ofTypes: readonly string[]) =>
  [...committed.keys()].filter((subjectId) => {
    const { workspaceId, mode, type } = kindOf(subjectId);
    return isTold(subjectId) && workspaceId === 1 && mode !== 'TEST' && ofTypes.includes(type);
  });

function expectOnceInOrder(seen: readonly Told[], history: History, ofTypes: readonly string[]): void {
  const subjects = seen.map(({ data }) => data);
  expect(subjects.map(({ subjectId }) => subjectId).sort()).toEqual(toBeSeen(history, ofTypes).sort());
  const numbers = seen.map(({ eventId }) => Number(eventId.slice('EVT_'.length)));
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(outOfOrder(subjects, history)).toEqual([]);
}

it(`whoever keeps nextAfter sees every event of ${writers} writers once and in order, while sealers are killed and instances change`, async () => {
  const history: History = { tick: 0, committed: new Map(), undone: new Set() };
  const db = openDatabase(first.database.connection, { poolMax: writers, isPatient: true });
  let isAllTold = false;
  let isSealing = true;
  const sealing = [1, 2].map((number) =>
    sealUnderFire(first.database.connection, createRandom(seed + number), () => !isSealing),
  );
  const some = types.slice(0, 2);
  const pulling = ['', `&types=${some.join(',')}`].map((query, index) =>
    pullOn(createRandom(seed + 50 + index), query, () => isAllTold),
  );
  const writing = Array.from({ length: writers }, (_, number) =>
    write(db, history, `w${number}`, createRandom(seed + 100 + number), Math.ceil(rows / writers), told),
  );
  await Promise.all([...writing, replaceSecond().then(replaceSecond)]);
  await expect.poll(isSealed).toBe(true);
  isAllTold = true;
  const [all = [], ofSome = []] = await Promise.all(pulling);
  isSealing = false;
  const killed = (await Promise.all(sealing)).reduce((sum, each) => sum + each, 0);
  await db.close();
  expect(killed).toBeGreaterThan(5);
  expect(history.undone.size).toBeGreaterThan(rows / 10);
  expect(all.length).toBeGreaterThan(rows / 10);
  expectOnceInOrder(all, history, types);
  expectOnceInOrder(ofSome, history, some);
}, 1_200_000);
