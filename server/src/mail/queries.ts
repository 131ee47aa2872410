import type { Queryable, Transaction } from '../db/database.ts';
import { instant, sql } from '../db/sql.ts';
import type { SealedContent } from './content.ts';

type NewMail = SealedContent & { id: string; nowMs: number; expiresAtMs: number };

/** False when as many wait for the recipient as may. Transactions that run at once do not see one another's. */
export async function insertMail(tx: Transaction, mail: NewMail, waitingMax: number): Promise<boolean> {
  const { id, sealed, recipient, nowMs, expiresAtMs } = mail;
  const rows = await tx.query(sql`
    insert into mails (id, sealed, recipient, created_at, next_attempt_at, expires_at)
    select ${id}, ${sealed}, ${recipient}, ${instant(nowMs)}, ${instant(nowMs)}, ${instant(expiresAtMs)}
    where (select count(*) from mails where recipient = ${recipient} and expires_at > ${instant(nowMs)}) < ${waitingMax}
    returning 1`);
  return rows.length > 0;
}

export type ClaimedMail = { id: string; sealed: Buffer; attempts: number; refusals: number };

/** One that is due and no one else is sending. Whoever does not come back loses it when the lease ends. */
export async function claimMail(
  db: Queryable,
  nowMs: number,
  leaseMs: number,
): Promise<ClaimedMail | undefined> {
  const [row] = await db.query<ClaimedMail>(sql`
    update mails set attempts = attempts + 1, next_attempt_at = ${instant(nowMs + leaseMs)}
    where id = (
      select id from mails where next_attempt_at <= ${instant(nowMs)} and expires_at > ${instant(nowMs)}
      order by next_attempt_at limit 1 for update skip locked)
    returning id, sealed, attempts, refusals`);
  return row;
}

/** Unless someone else has begun it anew. */
export async function postponeMail(
  db: Queryable,
  { id, attempts, refusals }: ClaimedMail,
  nextAttemptMs: number,
): Promise<void> {
  await db.query(sql`
    update mails set next_attempt_at = ${instant(nextAttemptMs)}, refusals = ${refusals} where id = ${id} and attempts = ${attempts}`);
}

export async function deleteMail(db: Queryable, id: string): Promise<void> {
  await db.query(sql`delete from mails where id = ${id}`);
}

/** All that wait; gives how many there were. */
export async function deleteMails(tx: Transaction): Promise<number> {
  return (await tx.query(sql`delete from mails returning 1`)).length;
}

const sweepBatch = 1000;

/** Deletes a batch of mails whose links are dead; true when there may be more. */
export async function sweepMails(db: Queryable, nowMs: number): Promise<boolean> {
  const rows = await db.query(sql`
    delete from mails where id in (
      select id from mails where expires_at <= ${instant(nowMs)} order by expires_at limit ${sweepBatch} for update skip locked)
    returning 1`);
  return rows.length === sweepBatch;
}

export type WaitingMails = { count: number; oldestSeconds: number };

/** How many wait, and how long the oldest has. */
export async function countWaitingMails(db: Queryable, nowMs: number): Promise<WaitingMails> {
  const [row] = await db.query<WaitingMails>(sql`
    select count(*) as count, greatest(extract(epoch from ${instant(nowMs)} - min(created_at)), 0)::float8 as "oldestSeconds"
    from mails where expires_at > ${instant(nowMs)}`);
  return row ?? { count: 0, oldestSeconds: 0 };
}
