import { Type } from 'typebox';
import { hasSecondFactor } from '../auth/portal/second-factors.ts';
import { ApiError } from '../contract/api-error.ts';
import type { Queryable } from '../db/database.ts';
import { isoTime, sql } from '../db/sql.ts';
import { orNull } from './fields.ts';
import { inBatches } from './listing.ts';
import { isAccount } from './places.ts';

export const AccountRecord = Type.Object({
  accountId: Type.String(),
  email: Type.String(),
  name: Type.String(),
  status: Type.String({ enum: ['ACTIVE', 'DISABLED'] }),
  locale: Type.String(),
  hasPassword: Type.Boolean(),
  hasSecondFactor: Type.Boolean(),
  isOperator: Type.Boolean(),
  lastSignInAt: orNull(Type.String({ format: 'date-time' })),
  createdAt: Type.String({ format: 'date-time' }),
});

type Row = {
  accountId: string;
  email: string;
  name: string;
  status: 'ACTIVE' | 'DISABLED';
  locale: string;
  hasPassword: boolean;
  hasSecondFactor: boolean;
  isOperator: boolean;
  lastSignInAt: string | null;
  createdAt: string;
};

const record = sql`a.biz_id as "accountId", a.email, a.name, a.status::text as status, a.locale,
  a.password_hash is not null as "hasPassword",
  ${hasSecondFactor} as "hasSecondFactor", a.is_operator as "isOperator",
  ${isoTime(sql`a.last_sign_in_at`)} as "lastSignInAt", ${isoTime(sql`a.created_at`)} as "createdAt"`;

/** Of an account that the transaction has locked or made. */
export async function selectAccount(db: Queryable, id: number): Promise<Row> {
  const [row] = await db.query<Row>(sql`select ${record} from accounts a where a.id = ${id}`);
  if (row === undefined) throw new Error('a locked account cannot be gone');
  return row;
}

export const listAccounts = (db: Queryable) =>
  inBatches<Row>(
    ({ accountId }) => accountId,
    (after, limit) =>
      db.query(
        sql`select ${record} from accounts a where a.biz_id > ${after} order by a.biz_id limit ${limit}`,
      ),
  );

type Shown = Row & {
  workspaces: { workspaceId: string; role: string }[];
  identities: { issuer: string; subject: string }[];
  openSignIns: number;
};

/** All that there is about one. */
export async function showAccount(db: Queryable, account: string): Promise<Shown> {
  const [row] = await db.query<Shown>(sql`
    select ${record},
      (select coalesce(json_agg(json_build_object('workspaceId', w.biz_id, 'role', m.role) order by w.biz_id), '[]')
        from workspace_members m join workspaces w on w.id = m.workspace_id where m.account_id = a.id) as workspaces,
      (select coalesce(json_agg(json_build_object('issuer', i.issuer, 'subject', i.subject) order by i.issuer, i.subject), '[]')
        from account_identities i where i.account_id = a.id) as identities,
      (select count(*) from sign_ins s where s.account_id = a.id and s.revoked_at is null and s.expires_at > now()) as "openSignIns"
    from accounts a where ${isAccount(account)}`);
  if (row === undefined) throw new ApiError('4040', `there is no account ${account}`);
  return row;
}
