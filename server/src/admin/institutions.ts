import { Type } from 'typebox';
import { ApiError } from '../contract/api-error.ts';
import { changesOf } from '../contract/changes.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { Name, Named, NewId } from './fields.ts';
import { inBatches } from './listing.ts';
import { operatorTask } from './operator.ts';
import { anywhere, theInstitution } from './places.ts';

const InstitutionRecord = Type.Object({ institutionId: Type.String(), name: Type.String() });

async function insertInstitution(tx: Transaction, bizId: string, name: string): Promise<number | undefined> {
  const [row] = await tx.query<{ id: number }>(sql`
    insert into institutions (biz_id, name) values (${bizId}, ${name}) on conflict (biz_id) do nothing returning id`);
  return row?.id;
}

async function updateInstitution(tx: Transaction, id: number, name: string): Promise<void> {
  await tx.query(sql`update institutions set name = ${name} where id = ${id}`);
}

export const addInstitution = operatorTask({
  input: Type.Object({ institution: NewId, name: Name }),
  answer: InstitutionRecord,
  place: anywhere,
  action: 'institution.created',
  async run({ tx, input: { institution, name } }) {
    const institutionId = await insertInstitution(tx, institution, name);
    if (institutionId === undefined)
      throw new ApiError('4090', `there is an institution ${institution} already`);
    return {
      answer: { institutionId: institution, name },
      subject: institution,
      changes: changesOf({}, { name }),
      made: { workspaceId: null, institutionId },
    };
  },
});

export const renameInstitution = operatorTask({
  input: Type.Object({ institution: Named, name: Name }),
  answer: InstitutionRecord,
  place: theInstitution,
  action: 'institution.changed',
  async run({ tx, place, input: { institution, name } }) {
    await updateInstitution(tx, place.institutionId, name);
    return {
      answer: { institutionId: institution, name },
      subject: institution,
      changes: changesOf({ name: place.name }, { name }),
    };
  },
});

export async function requireInstitution(db: Queryable, institution: string): Promise<void> {
  const rows = await db.query(sql`select 1 from institutions where biz_id = ${institution}`);
  if (rows.length === 0) throw new ApiError('4040', `there is no institution ${institution}`);
}

type Row = { institutionId: string; name: string };

export const listInstitutions = (db: Queryable) =>
  inBatches<Row>(
    ({ institutionId }) => institutionId,
    (after, limit) =>
      db.query(sql`
        select i.biz_id as "institutionId", i.name from institutions i where i.biz_id > ${after} order by i.biz_id limit ${limit}`),
  );
