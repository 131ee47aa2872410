import type { Transaction } from '../db/database.ts';
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
