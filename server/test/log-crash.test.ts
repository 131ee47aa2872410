import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createCheckpointReader } from '../src/auth/portal/checkpoint-signature.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { migrate } from '../src/db/migrate.ts';
import { sql } from '../src/db/sql.ts';
import { loadDemoWorld } from '../src/demo/demo-world.ts';
import { appendRecords } from '../src/log/append.ts';
import { createSealer } from '../src/log/sealer.ts';
import { verifyLog } from '../src/log/verify.ts';
import { removeHome } from './homes.ts';
import { recordOf } from './log/history.ts';

/** Appends until the database is gone, and notes what was acknowledged. */
async function writeOn(db: Database, writer: number, written: string[]): Promise<void> {
  for (let count = 0; ; count += 1) {
    const subject = `C_${writer}_${count}`;
    const isWritten = await db
      .transaction((tx) => appendRecords(tx, [recordOf(subject)]))
      .then(
        () => true,
        () => false,
      );
    if (!isWritten) return;
    written.push(subject);
  }
}

it('the log is whole after kill -9 of the database under writes and sealing, and has every acknowledged row once', async () => {
  const home = mkdtempSync(join(tmpdir(), 'portico-crash-'));
  const first = await startEmbeddedPostgres({ home });
  await migrate(first.connection);
  const db = openDatabase(first.connection, { poolMax: 8 });
  await loadDemoWorld(db, Date.now());
  const seal = createSealer(db);
  const sealing = (async () => {
    for (;;) await seal();
  })().catch(() => {});
  const written: string[] = [];
  const writing = [1, 2, 3, 4].map((writer) => writeOn(db, writer, written));
  await expect.poll(() => written.length).toBeGreaterThan(200);
  process.kill(first.pid, 'SIGKILL');
  await Promise.all(writing);
  await sealing;
  await db.close();

  const second = await startEmbeddedPostgres({ home });
  const after = openDatabase(second.connection, { isPatient: true });
  await createSealer(after)();
  const rows = await after.query<{ id: string }>(
    sql`select subject_id as id from audit_log where subject_id like 'C\\_%'`,
  );
  const kept = new Set(rows.map(({ id }) => id));
  expect(written.filter((id) => !kept.has(id))).toEqual([]);
  expect(kept.size).toBe(rows.length);
  expect((await verifyLog(after, createCheckpointReader(after))).wrong).toBeNull();
  await after.close();
  await second.stop();
  removeHome(home);
});
