import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import { actorTypes } from '../src/log/actor.ts';
import { type AuditRecord, append, appendRecords } from '../src/log/append.ts';
import { canonicalJson } from '../src/log/canonical-json.ts';
import { hashRecord, type SealedRecord, selectRecords } from '../src/log/sealed-records.ts';
import { createSealer } from '../src/log/sealer.ts';
import { createDatabase, openSession, type TestDatabase } from './database.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  db = openDatabase(database.connection, { isPatient: true });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const nasty = 'a "b" \\ \u0001\u001f\u007f\n\t\b\f\r é 发票 🙂 </script>';
const record: AuditRecord = {
  action: 'api-key.changed',
  actor: { type: 'ACCOUNT', id: 'ACC_DEMO_OWNER', name: nasty, address: '2001:db8::1', requestId: null },
  institutionId: 1,
  workspaceId: 1,
  subjectId: 'ak_live_1',
  changes: {
    10: { to: [1.5, null, true], from: nasty },
    9: { from: undefined, to: {} },
    name: { from: 'ä', to: '' },
  },
  occurredAtMs: Date.UTC(2026, 0, 31, 23, 59, 59, 7),
};

type Row = { [column: string]: unknown; sequence: number };
const select = (after: number) =>
  db.query<Row>(sql`select * from audit_log where sequence > ${after} order by sequence`);
const lastSequence = async () =>
  (await db.query<{ sequence: number }>(sql`select sequence from log_heads where log = 'audit'`))[0]
    ?.sequence ?? 0;

describe('an audit record', () => {
  it('is kept with its transaction or not at all, and is numbered once it is committed', async () => {
    const before = await lastSequence();
    const undone = db.transaction(async (tx) => {
      await appendRecords(tx, [record]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await db.transaction(async (tx) => {
      await appendRecords(tx, []);
      await tx.query(
        append([record, { ...record, action: 'account.signed-in', institutionId: null, workspaceId: null }]),
      );
      await createSealer(db)();
      expect(await select(before)).toEqual([]);
    });
    await createSealer(db)();
    const rows = await select(before);
    expect(rows.map(({ sequence, action }) => [sequence, action])).toEqual([
      [before + 1, 'api-key.changed'],
      [before + 2, 'account.signed-in'],
    ]);
    expect(rows[0]).toMatchObject({
      audit_id: expect.stringMatching(/^AUD_[0-9A-HJKMNP-TV-Z]{26}$/),
      occurred_at: '2026-01-31T23:59:59.007Z',
      subject_type: 'API_KEY',
      institution_id: 'INST_DEMO',
      workspace_id: 'WS_DEMO',
    });
    expect(rows[1]).toMatchObject({ subject_type: 'ACCOUNT', institution_id: null, workspace_id: null });
  });

  it('is hashed with the hash before it, in canonical JSON that the database and RFC 8785 write alike', async () => {
    const before = await lastSequence();
    const [last] = await db.query<{ hash: string }>(sql`select hash from log_heads where log = 'audit'`);
    await db.transaction((tx) => appendRecords(tx, [record, record]));
    await createSealer(db)();
    let previous = last?.hash ?? '';
    for (const row of await selectRecords(db, before, 10)) {
      previous = hashRecord({ ...row, changes: JSON.parse(row.changes) }, previous);
      expect(row.hash).toBe(previous);
    }
  });

  it('is hashed as docs/audit-log.md shows', () => {
    const text = readFileSync(new URL('../../docs/audit-log.md', import.meta.url), 'utf8');
    const [, shown = ''] = /```json\n([^`]+)```/.exec(text) ?? [];
    const [, hashed = '', hash] =
      /what is hashed is\n\n```\n([^`]+)\n```\n\nand its hash is `(\w+)`/.exec(text) ?? [];
    const [previous = '', canonical] = hashed.split('\n');
    const example: SealedRecord = JSON.parse(shown);
    expect([previous, canonical]).toEqual(['0'.repeat(64), canonicalJson(example)]);
    expect(hashRecord(example, previous)).toBe(hash);
  });

  it('has the actors that the database knows', async () => {
    const [row] = await db.query<{ names: string[] }>(
      sql`select enum_range(null::actor_type)::text[] as names`,
    );
    expect(row?.names).toEqual([...actorTypes]);
  });
});

describe('the database', () => {
  it.each(['audit_log', 'audit_waiting', 'audit_checkpoints'])(
    'refuses to update, delete or truncate %s, also to the owner of the tables',
    async (table) => {
      const session = await openSession(database);
      for (const statement of [
        `update ${table} set ${table === 'audit_checkpoints' ? 'jws' : 'changes'} = ''`,
        `delete from ${table}`,
        `truncate ${table}`,
        `select set_config('portico.deletes_from', 'something', false); delete from ${table}`,
      ])
        await expect(session.query(statement)).rejects.toThrow('a log is only ever added to');
      await session.end();
    },
  );

  it('takes the oldest records away for the retention that an operator sets, up to the first that is younger', async () => {
    const other = await createDatabase();
    const old = openDatabase(other.connection, { isPatient: true });
    await old.query(sql`select audit_forget('infinity')`);
    for (const year of [2001, 2003, 2002, 2004]) {
      await old.transaction((tx) => appendRecords(tx, [{ ...record, occurredAtMs: Date.UTC(year) }]));
      await createSealer(old)();
    }
    const years = () =>
      old.query<{ year: number }>(
        sql`select extract(year from occurred_at)::int as year from audit_log order by sequence`,
      );
    expect(await old.query(sql`select audit_forget('2003-01-01') as count`)).toEqual([{ count: 1 }]);
    expect(await years()).toEqual([{ year: 2003 }, { year: 2002 }, { year: 2004 }]);
    expect(await old.query(sql`select audit_forget('2003-01-02') as count`)).toEqual([{ count: 2 }]);
    expect(await years()).toEqual([{ year: 2004 }]);
    await expect(old.query(sql`delete from audit_log`)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('only ever added to') },
    });
    await old.close();
    await other.drop();
  });
});
