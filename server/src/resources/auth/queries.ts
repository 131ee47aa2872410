import type { Static } from 'typebox';
import { type Account, isAddress } from '../../auth/portal/accounts.ts';
import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Locale } from '../../mail/kinds.ts';
import type { Me } from './schema.ts';

/** One statement: what is shown together was true together. */
export async function selectMe(db: Queryable, account: Account): Promise<Static<typeof Me> | undefined> {
  const [row] = await db.query<Static<typeof Me>>(sql`
    select json_build_object('bizId', a.biz_id, 'email', a.email, 'name', a.name, 'locale', a.locale) as account,
      coalesce((
        select json_agg(json_build_object('bizId', i.biz_id, 'name', i.name) order by i.biz_id)
        from institution_members m join institutions i on i.id = m.institution_id where m.account_id = a.id), '[]') as institutions,
      coalesce((
        select json_agg(json_build_object('bizId', w.biz_id, 'name', w.name, 'institutionBizId', i.biz_id, 'role', m.role) order by w.biz_id)
        from workspace_members m join workspaces w on w.id = m.workspace_id join institutions i on i.id = w.institution_id
        where m.account_id = a.id), '[]') as workspaces
    from accounts a where a.id = ${account.id}`);
  return row;
}

type Resettable = Account & { email: string; locale: Locale };

/** Who has no password, or may not sign in, has nothing to set anew. */
export async function findResettable(db: Queryable, email: string): Promise<Resettable | undefined> {
  const [row] = await db.query<Resettable>(sql`
    select id, biz_id as "bizId", email, locale from accounts a
    where ${isAddress(sql`a.email`, email)} and status = 'ACTIVE' and password_hash is not null`);
  return row;
}
