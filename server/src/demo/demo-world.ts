import { readFile } from 'node:fs/promises';
import type { Transactor } from '../db/database.ts';
import { Sql, sql } from '../db/sql.ts';

export const demoAccounts = ['owner@demo.test', 'viewer@demo.test', 'outsider@demo.test'];
export const demoPassword = 'portico-demo';

/** Loaded once; what was changed since is kept. */
export async function loadDemoWorld(db: Transactor): Promise<void> {
  const text = await readFile(new URL('./demo-world.sql', import.meta.url), 'utf8');
  await db.transaction(async (tx) => {
    await tx.query(sql`lock table institutions in share row exclusive mode`);
    const loaded = await tx.query(sql`select 1 from accounts where is_demo limit 1`);
    if (loaded.length === 0)
      for (const statement of text.split(/;\n/)) await tx.query(new Sql([statement], []));
  });
}

export async function hasDemoAccounts(db: Transactor): Promise<boolean> {
  return (await db.query(sql`select 1 from accounts where is_demo limit 1`)).length > 0;
}
