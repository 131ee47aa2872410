import { type Static, Type } from 'typebox';
import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { AccountLocale } from './person-fields.ts';
import { workspaceRoles } from './roles.ts';

const bizId = (example: string) => Type.String({ description: 'Business identifier.', examples: [example] });
const name = (example: string) => Type.String({ description: 'Display name.', examples: [example] });

const OwnAccount = Type.Object(
  {
    bizId: bizId('ACC_DEMO_OWNER'),
    email: Type.String({ description: 'E-mail address of the account.', examples: ['owner@demo.test'] }),
    name: name('Demo Owner'),
    locale: AccountLocale,
  },
  { title: 'OwnAccount' },
);

const OwnInstitution = Type.Object(
  { bizId: bizId('INST_DEMO'), name: name('Demo Institution') },
  { title: 'OwnInstitution' },
);

const OwnWorkspace = Type.Object(
  {
    bizId: bizId('WS_DEMO'),
    name: name('Demo Workspace'),
    institutionBizId: Type.String({
      description: 'Institution that the workspace belongs to.',
      examples: ['INST_DEMO'],
    }),
    role: Type.String({ enum: [...workspaceRoles], description: 'What the account may do in it.' }),
  },
  { title: 'OwnWorkspace' },
);

export const Me = Type.Object(
  {
    account: OwnAccount,
    institutions: Type.Array(OwnInstitution, { description: 'Those the account is a member of.' }),
    workspaces: Type.Array(OwnWorkspace, { description: 'Those the account has a role in.' }),
  },
  { title: 'Me' },
);
export type Me = Static<typeof Me>;

/** One statement: what is shown together was true together. */
export async function selectMe(db: Queryable, accountBizId: string): Promise<Me | undefined> {
  const [row] = await db.query<Me>(sql`
    select json_build_object('bizId', a.biz_id, 'email', a.email, 'name', a.name, 'locale', a.locale) as account,
      coalesce((
        select json_agg(json_build_object('bizId', i.biz_id, 'name', i.name) order by i.biz_id)
        from institution_members m join institutions i on i.id = m.institution_id where m.account_id = a.id), '[]') as institutions,
      coalesce((
        select json_agg(json_build_object('bizId', w.biz_id, 'name', w.name, 'institutionBizId', i.biz_id, 'role', m.role) order by w.biz_id)
        from workspace_members m join workspaces w on w.id = m.workspace_id join institutions i on i.id = w.institution_id
        where m.account_id = a.id), '[]') as workspaces
    from accounts a where a.biz_id = ${accountBizId}`);
  return row;
}
