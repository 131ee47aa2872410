import type { Queryable } from '../../db/database.ts';
import { named, sql } from '../../db/sql.ts';
import { type Account, isAddress } from './accounts.ts';
import { hasSecondFactor } from './second-factors.ts';

export type Credentials = Account & { passwordHash: string | null; hasSecondFactor: boolean };

/** A disabled account has no password that matches. */
export async function findCredentials(db: Queryable, email: string): Promise<Credentials | undefined> {
  const statement = sql`
    select id, biz_id as "bizId", case when status = 'ACTIVE' then password_hash end as "passwordHash",
      ${hasSecondFactor} as "hasSecondFactor"
    from accounts a where ${isAddress(sql`a.email`, email)}`;
  const [row] = await db.query<Credentials>(named('find_credentials', statement));
  return row;
}
