import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCheckpointReader } from '../src/auth/portal/checkpoint-signature.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import { verifyTally } from '../src/db/tally.ts';
import { appendRecords } from '../src/log/append.ts';
import { createSealer } from '../src/log/sealer.ts';
import { verifyLog } from '../src/log/verify.ts';
import { createDatabase, openSession, type TestDatabase } from './database.ts';
import { follow, type History, outOfOrder, recordOf, sealUnderFire, write } from './log/history.ts';
import { createRandom } from './tally/writers.ts';

const writers = 16;
const rows = Number(process.env['LOG_ROWS'] ?? 4000);

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await createDatabase();
  db = openDatabase(database.connection, { poolMax: writers, isPatient: true });
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const head = async () =>
  (await db.query<{ sequence: number }>(sql`select sequence from log_heads where log = 'audit'`))[0]
    ?.sequence ?? 0;

describe('the sealed log', () => {
  it(`gives every committed row of ${writers} writers once and in order, while its sealers are killed`, async () => {
    const seed = Number(process.env['LOG_SEED'] ?? 20260101);
    const history: History = { tick: 0, committed: new Map(), undone: new Set() };
    const from = await head();
    let isWritten = false;
    let isSeen = false;
    const sealing = [1, 2].map((number) =>
      sealUnderFire(database.connection, createRandom(seed + 100 + number), () => isSeen),
    );
    const reader = openDatabase(database.connection, { poolMax: 1, isPatient: true });
    const following = follow(reader, from, (seen) => isWritten && seen >= history.committed.size);
    const share = Math.ceil(rows / writers);
    await Promise.all(
      Array.from({ length: writers }, (_, number) =>
        write(db, history, `w${number}`, createRandom(seed + number), share),
      ),
    );
    isWritten = true;
    const seen = await following;
    isSeen = true;
    const killed = (await Promise.all(sealing)).reduce((sum, each) => sum + each, 0);
    await createSealer(db)();
    expect(await head()).toBe(from + history.committed.size);
    expect(killed).toBeGreaterThan(10);
    expect(history.undone.size).toBeGreaterThan(rows / 10);
    expect(seen.map(({ sequence }) => sequence)).toEqual(seen.map((_row, index) => from + index + 1));
    const ids = seen.map(({ subjectId }) => subjectId);
    const distinct = new Set(ids);
    expect(distinct.size).toBe(ids.length);
    expect([...history.committed.keys()].filter((id) => !distinct.has(id)).slice(0, 5)).toEqual([]);
    expect(ids.filter((id) => !history.committed.has(id))).toEqual([]);
    expect(outOfOrder(seen, history)).toEqual([]);
    expect(await verifyLog(db, createCheckpointReader(db))).toMatchObject({
      last: from + seen.length,
      wrong: null,
    });
    expect(await verifyTally(db, 'audit_log')).toEqual([]);
    await reader.close();
  }, 1_200_000);

  it('numbers a row that commits late after those that were sealed before, whatever it was appended before', async () => {
    const from = await head();
    const session = await openSession(database);
    await session.query('begin');
    await session.query(`insert into audit_waiting (audit_id, occurred_at, actor_type, actor_id, actor_name, action, subject_type, subject_id, changes)
      values ('AUD_LATE', now(), 'SYSTEM', 's', 's', 'api-key.changed', 'API_KEY', 'late', '{}')`);
    await db.transaction((tx) => appendRecords(tx, [recordOf('early')]));
    await createSealer(db)();
    await session.query('commit');
    await createSealer(db)();
    const seen = await follow(db, from, (count) => count === 2);
    expect(seen.map(({ subjectId }) => subjectId)).toEqual(['early', 'late']);
    await session.end();
  });

  it('lets writers append while it is sealed, and another sealer pass instead of wait', async () => {
    const from = await head();
    await db.transaction((tx) => appendRecords(tx, [recordOf('one')]));
    const sealer = await openSession(database);
    await sealer.query('begin');
    await sealer.query('select audit_seal(10)');
    await db.transaction((tx) => appendRecords(tx, [recordOf('two')]));
    expect(await db.query(sql`select audit_seal(10) as sealed`)).toEqual([{ sealed: 0 }]);
    expect(await head()).toBe(from);
    await sealer.query('rollback');
    await sealer.end();
    await createSealer(db)();
    const seen = await follow(db, from, (count) => count === 2);
    expect(seen.map(({ subjectId }) => subjectId)).toEqual(['one', 'two']);
  });

  it('takes as many rows at a time as it is asked to, and writes nothing while nothing waits', async () => {
    await createSealer(db)();
    const from = await head();
    await db.transaction((tx) => appendRecords(tx, ['a', 'b', 'c'].map(recordOf)));
    const sealed = await db.query<{ sealed: number }>(sql`select audit_seal(2) as sealed`);
    expect([sealed, await head()]).toEqual([[{ sealed: 2 }], from + 2]);
    await createSealer(db)();
    const idle = await db.transaction(async (tx) => {
      await tx.query(sql`select audit_seal(100)`);
      return tx.query(sql`select pg_current_xact_id_if_assigned() as id`);
    });
    expect(idle).toEqual([{ id: null }]);
  });
});
