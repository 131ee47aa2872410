import { type Static, Type } from 'typebox';
import { invalidFields } from '../../contract/api-error.ts';
import { isDateTime } from '../../contract/date-time.ts';
import { instant, type Sql, sql } from '../../db/sql.ts';
import { Amount, Currency, Reference, requireDigits } from '../../transfers/money.ts';
import { nextMove } from '../../transfers/queries.ts';
import { transferStatuses } from '../../transfers/status.ts';
import { NewId, orNull } from '../fields.ts';
import { isoOf, type Kind, type Row } from './kind.ts';

const Line = Type.Object({
  transferId: NewId,
  amount: Amount,
  currency: Currency,
  status: Type.String({ enum: [...transferStatuses] }),
  createdAt: Type.String(isDateTime),
  updatedAt: Type.Optional(Type.String(isDateTime)),
  reference: Type.Optional(orNull(Reference)),
  mode: Type.Optional(Type.String({ enum: ['LIVE', 'TEST'] })),
});

function rowOf(given: object): Row {
  const line = given as Static<typeof Line>; // as it was read
  requireDigits(line);
  const { transferId: id, amount, currency, status, reference = null, mode = 'LIVE' } = line;
  const createdAt = isoOf(line.createdAt);
  const updatedAt = line.updatedAt === undefined ? null : isoOf(line.updatedAt);
  if (updatedAt !== null && updatedAt < createdAt)
    throw invalidFields('4000', [{ field: 'updatedAt', message: 'must not be before createdAt' }]);
  return { id, amount, currency, status, reference, mode, createdAt, updatedAt };
}

const given = (rows: readonly Row[]): Sql => sql`
  json_to_recordset(${JSON.stringify(rows)}::json) as i (n int, id text, amount numeric, currency text, status transfer_status,
    reference text, mode key_mode, "createdAt" timestamptz, "updatedAt" timestamptz)`;

export const transfers: Kind = {
  noun: 'transfer',
  action: 'workspace.transfers-imported',
  line: Line,
  rowOf,
  compare: (rows, { workspaceId }) => sql`
    select case
      when t.id is null then 'new'
      when t.workspace_id <> ${workspaceId} or t.mode <> i.mode then 'elsewhere'
      when (t.amount, t.currency, t.status, t.reference, t.created_at, t.updated_at)
        is distinct from (i.amount, i.currency, i.status, i.reference, i."createdAt", coalesce(i."updatedAt", t.updated_at)) then 'other'
      else 'same' end as state
    from ${given(rows)} left join transfers t on t.biz_id = i.id
    order by i.n`,
  store: (rows, { workspaceId }, nowMs) => sql`
    insert into transfers as t (biz_id, workspace_id, mode, amount, currency, status, reference, created_at, updated_at, moves_at)
    select i.id, ${workspaceId}, i.mode, i.amount, i.currency, i.status, i.reference, i."createdAt",
      coalesce(i."updatedAt", ${instant(nowMs)}), ${nextMove(sql`i.mode`, sql`i.status`, sql`i.amount`, nowMs)}
    from ${given(rows)} order by i.id
    on conflict (biz_id) do update set amount = excluded.amount, currency = excluded.currency, status = excluded.status,
      reference = excluded.reference, created_at = excluded.created_at, updated_at = excluded.updated_at, moves_at = excluded.moves_at
    where t.workspace_id = excluded.workspace_id and t.mode = excluded.mode
    returning xmax = 0 as "isNew"`,
};
