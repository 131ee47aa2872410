import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Database, openDatabase } from '../src/db/database.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { migrate } from '../src/db/migrate.ts';
import { sql } from '../src/db/sql.ts';
import { createFolder, verifyTally } from '../src/db/tally.ts';
import { loadDemoWorld } from '../src/demo/demo-world.ts';
import { removeHome } from './homes.ts';

/** Inserts until the database is gone; adds what was acknowledged. */
async function writeOn(db: Database, writer: number, written: string[]): Promise<void> {
  for (let count = 0; ; count += 1) {
    const bizId = `C_${writer}_${count}`;
    const insert = sql`
      insert into transfers (biz_id, workspace_id, mode, amount, currency, status, created_at, updated_at)
      values (${bizId}, 1, 'LIVE', 1.00, 'EUR', 'PENDING', now(), now())`;
    const isWritten = await db.query(insert).then(
      () => true,
      () => false,
    );
    if (!isWritten) return;
    written.push(bizId);
  }
}

it('equals counting after kill -9 of the database under writes and folding, and no acknowledged row is lost', async () => {
  const home = mkdtempSync(join(tmpdir(), 'portico-crash-'));
  const first = await startEmbeddedPostgres({ home });
  await migrate(first.connection);
  const db = openDatabase(first.connection, { poolMax: 8, isPatient: true });
  await loadDemoWorld(db, Date.now());
  const fold = createFolder(db);
  const folding = (async () => {
    for (;;) await fold();
  })().catch(() => {});
  const written: string[] = [];
  const writing = [1, 2, 3, 4].map((writer) => writeOn(db, writer, written));
  await expect.poll(() => written.length).toBeGreaterThan(200);
  process.kill(first.pid, 'SIGKILL');
  await Promise.all(writing);
  await folding;
  await db.close();

  const second = await startEmbeddedPostgres({ home });
  const after = openDatabase(second.connection, { isPatient: true });
  const rows = await after.query<{ id: string }>(
    sql`select biz_id as id from transfers where biz_id like 'C\\_%'`,
  );
  const kept = new Set(rows.map(({ id }) => id));
  expect(written.filter((id) => !kept.has(id))).toEqual([]);
  expect(await verifyTally(after, 'transfers')).toEqual([]);
  await createFolder(after)();
  expect(await verifyTally(after, 'transfers')).toEqual([]);
  await after.close();
  await second.stop();
  removeHome(home);
});
