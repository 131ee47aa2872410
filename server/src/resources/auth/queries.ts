import { type Account, isAddress } from '../../auth/portal/accounts.ts';
import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Locale } from '../../mail/kinds.ts';

type Resettable = Account & { email: string; locale: Locale };

/** Who has no password, or may not sign in, has nothing to set anew. */
export async function findResettable(db: Queryable, email: string): Promise<Resettable | undefined> {
  const [row] = await db.query<Resettable>(sql`
    select id, biz_id as "bizId", email, locale from accounts a
    where ${isAddress(sql`a.email`, email)} and status = 'ACTIVE' and password_hash is not null`);
  return row;
}
