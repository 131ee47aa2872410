import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Transaction, Transactor } from '../db/database.ts';
import { Sql, sql } from '../db/sql.ts';
import type { Incoming } from '../storage/incoming.ts';
import type { Storage } from '../storage/storage.ts';
import { demoFiles } from './demo-files.ts';

export const demoAccounts = ['owner@demo.test', 'viewer@demo.test', 'outsider@demo.test'];
export const demoPassword = 'portico-demo';

/** As demo-world.sql has them: the newest record, and the newest file of the other institution. */
const newest = { all: Date.parse('2025-12-25T17:09:00Z'), others: Date.parse('2026-03-23T05:29:00Z') };

/** In seconds, as the days of an interval are not of equal length everywhere. Whole minutes, as the times are that it moves. */
async function setClock(tx: Transaction, nowMs: number): Promise<void> {
  const loadedMs = Math.floor(nowMs / 60_000) * 60_000;
  const spanFrom = (ms: number) => sql`make_interval(secs => ${(loadedMs - ms) / 1000}::float8)`;
  await tx.query(sql`create temp table demo_clock (span interval, span_of_others interval) on commit drop`);
  await tx.query(sql`insert into demo_clock values (${spanFrom(newest.all)}, ${spanFrom(newest.others)})`);
}

/** Loaded once, with its newest record of just now; what was changed since is kept. */
export async function loadDemoWorld(db: Transactor, nowMs: number): Promise<void> {
  const text = await readFile(new URL('./demo-world.sql', import.meta.url), 'utf8');
  await db.transaction(async (tx) => {
    await tx.query(sql`lock table institutions in share row exclusive mode`);
    const loaded = await tx.query(sql`select 1 from accounts where is_demo limit 1`);
    if (loaded.length > 0) return;
    await setClock(tx, nowMs);
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
