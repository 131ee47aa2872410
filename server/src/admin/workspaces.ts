import { Type } from 'typebox';
import { ApiError } from '../contract/api-error.ts';
import { changesOf } from '../contract/changes.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { Name, Named, NewId } from './fields.ts';
import { requireInstitution } from './institutions.ts';
import { inBatches } from './listing.ts';
import { operatorTask } from './operator.ts';
import { theInstitution, theWorkspace } from './places.ts';

const WorkspaceRecord = Type.Object({
  workspaceId: Type.String(),
  institutionId: Type.String(),
  name: Type.String(),
});

type New = { bizId: string; institutionId: number; name: string };

async function insertWorkspace(
  tx: Transaction,
  { bizId, institutionId, name }: New,
): Promise<number | undefined> {
  const [row] = await tx.query<{ id: number }>(sql`
    insert into workspaces (biz_id, institution_id, name) values (${bizId}, ${institutionId}, ${name})
    on conflict (biz_id) do nothing returning id`);
  return row?.id;
}

async function updateWorkspace(tx: Transaction, id: number, name: string): Promise<void> {
  await tx.query(sql`update workspaces set name = ${name} where id = ${id}`);
}

export const addWorkspace = operatorTask({
  input: Type.Object({ workspace: NewId, institution: Named, name: Name }),
  answer: WorkspaceRecord,
  place: theInstitution,
  action: 'workspace.created',
  async run({ tx, place: { institutionId }, input: { workspace, institution, name } }) {
    const workspaceId = await insertWorkspace(tx, { bizId: workspace, institutionId, name });
    if (workspaceId === undefined) throw new ApiError('4090', `there is a workspace ${workspace} already`);
    return {
      answer: { workspaceId: workspace, institutionId: institution, name },
      subject: workspace,
      changes: changesOf({}, { institutionId: institution, name }),
      made: { workspaceId, institutionId },
    };
  },
});

export const renameWorkspace = operatorTask({
  input: Type.Object({ workspace: Named, name: Name }),
  answer: WorkspaceRecord,
  place: theWorkspace,
  action: 'workspace.changed',
  async run({ tx, place, input: { workspace, name } }) {
    await updateWorkspace(tx, place.workspaceId, name);
    return {
      answer: { workspaceId: workspace, institutionId: place.institution, name },
      subject: workspace,
      changes: changesOf({ name: place.name }, { name }),
    };
  },
});

export async function selectWorkspaceId(db: Queryable, workspace: string): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`select id from workspaces where biz_id = ${workspace}`);
  if (row === undefined) throw new ApiError('4040', `there is no workspace ${workspace}`);
  return row.id;
}

type Row = { workspaceId: string; institutionId: string; name: string };

export async function* listWorkspaces(db: Queryable, institution?: string): AsyncGenerator<Row[]> {
  if (institution !== undefined) await requireInstitution(db, institution);
  yield* inBatches<Row>(
    ({ workspaceId }) => workspaceId,
    (after, limit) =>
      db.query(sql`
        select w.biz_id as "workspaceId", i.biz_id as "institutionId", w.name
        from workspaces w join institutions i on i.id = w.institution_id
        where w.biz_id > ${after} and (${institution ?? null}::text is null or i.biz_id = ${institution ?? null})
        order by w.biz_id limit ${limit}`),
  );
}
