import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Transactor } from '../db/database.ts';
import { Sql, sql } from '../db/sql.ts';
import type { Incoming } from '../storage/incoming.ts';
import type { Storage } from '../storage/storage.ts';
import { demoFiles } from './demo-files.ts';

export const demoAccounts = ['owner@demo.test', 'viewer@demo.test', 'outsider@demo.test'];
export const demoPassword = 'portico-demo';

/** Loaded once; what was changed since is kept. */
export async function loadDemoWorld(db: Transactor): Promise<void> {
  const text = await readFile(new URL('./demo-world.sql', import.meta.url), 'utf8');
  await db.transaction(async (tx) => {
    await tx.query(sql`lock table institutions in share row exclusive mode`);
    const loaded = await tx.query(sql`select 1 from accounts where is_demo limit 1`);
    if (loaded.length > 0) return;
    const contents = JSON.stringify(demoFiles().map(({ n, key, size, etag }) => ({ n, key, size, etag })));
    await tx.query(
      sql`create temp table demo_contents (n int, key text, size int8, etag text) on commit drop`,
    );
    await tx.query(
      sql`insert into demo_contents select * from json_to_recordset(${contents}::json) as c (n int, key text, size int8, etag text)`,
    );
    for (const statement of text.split(/;\n/)) await tx.query(new Sql([statement], []));
  });
}

export async function hasDemoAccounts(db: Transactor): Promise<boolean> {
  return (await db.query(sql`select 1 from accounts where is_demo limit 1`)).length > 0;
}

type Store = { storage: Storage; incoming: Incoming };

const atOnce = 16;

/** Puts the bytes of its files into the store, before their records are there. The same once more changes nothing. */
export async function storeDemoFiles({ storage, incoming }: Store): Promise<void> {
  const waiting = demoFiles();
  const work = async () => {
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      const limits = { bytesMax: file.size, idleMs: 30_000 };
      const { path } = await incoming.receive(Readable.from([file.content]), limits);
      await storage.put(file.key, path);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
