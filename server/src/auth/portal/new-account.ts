import type { Transaction } from '../../db/database.ts';
import { ulid } from '../../db/identifiers.ts';
import { instant, sql } from '../../db/sql.ts';

export type NewAccount = {
  bizId: string;
  email: string;
  name: string;
  /** Null: it signs in elsewhere, or by a link that sets one. */
  passwordHash: string | null;
  locale: string;
};

export const newAccountId = (nowMs: number) => `ACC_${ulid(nowMs)}`;

/** Its id in the database; undefined when the address has an account already. */
export async function insertAccount(
  tx: Transaction,
  { bizId, email, name, passwordHash, locale }: NewAccount,
  nowMs: number,
): Promise<number | undefined> {
  const [row] = await tx.query<{ id: number }>(sql`
    insert into accounts (biz_id, email, name, password_hash, locale, created_at)
    values (${bizId}, ${email}, ${name}, ${passwordHash}, ${locale}, ${instant(nowMs)})
    on conflict (lower(email)) do nothing returning id`);
  return row?.id;
}
