import { Type } from 'typebox';
import type { Queryable } from '../db/database.ts';
import { isoTime, sql } from '../db/sql.ts';
import { FailureReason, moveTransfer, NewStatus } from '../transfers/move.ts';
import { Named, orNull } from './fields.ts';
import { operatorTask } from './operator.ts';
import { theTransfer } from './places.ts';

const TransferRow = Type.Object({
  transferId: Type.String(),
  workspaceId: Type.String(),
  mode: Type.String(),
  amount: Type.String(),
  currency: Type.String(),
  status: Type.String(),
  reference: orNull(Type.String()),
  failureReason: orNull(Type.String()),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' }),
});

type Row = {
  transferId: string;
  workspaceId: string;
  mode: string;
  amount: string;
  currency: string;
  status: string;
  reference: string | null;
  failureReason: string | null;
  createdAt: string;
  updatedAt: string;
};

/** Of a transfer that the transaction has locked, with what its record does not show. */
async function selectTransfer(db: Queryable, id: number): Promise<Row> {
  const [row] = await db.query<Row>(sql`
    select t.biz_id as "transferId", w.biz_id as "workspaceId", t.mode::text as mode, t.amount::text as amount, t.currency,
      t.status::text as status, t.reference, t.failure_reason as "failureReason",
      ${isoTime(sql`t.created_at`)} as "createdAt", ${isoTime(sql`t.updated_at`)} as "updatedAt"
    from transfers t join workspaces w on w.id = t.workspace_id where t.id = ${id}`);
  if (row === undefined) throw new Error('a locked transfer cannot be gone');
  return row;
}

/** What it is called depends on where the transfer is moved to. */
export const setTransferStatus = operatorTask({
  input: Type.Object({ transfer: Named, status: NewStatus, reason: Type.Optional(FailureReason) }),
  answer: TransferRow,
  place: theTransfer,
  action: 'transfer.processing',
  async run({ tx, nowMs, place, input: { transfer, status, reason = null } }) {
    const { told } = await moveTransfer(tx, place, { status, failureReason: reason }, nowMs);
    return { answer: await selectTransfer(tx, place.id), subject: transfer, ...told };
  },
});
