import type { Transaction } from '../db/database.ts';
import { instant, type Sql, sql } from '../db/sql.ts';
import type { TransferStatus } from './status.ts';

export type NewTransfer = {
  transferId: string;
  workspaceId: number;
  mode: 'LIVE' | 'TEST';
  amount: string;
  currency: string;
  reference: string | null;
};

/** Of transfers that the service moves by itself, how long each step takes. Two of them and a turn of each are within ten seconds. */
const stepMs = 2000;

/** The last two digits before the point, which say how a TEST transfer ends: 13, 17 and 19 are not like the others. */
export const ending = (amount: Sql) => sql`(trunc(${amount}) % 100)`;

/** When a transfer of a status is moved on; null: not by the service itself. */
export const nextMove = (mode: Sql, status: Sql, amount: Sql, nowMs: number) => sql`
  case when ${mode} = 'TEST' and (${status} = 'PENDING' and ${ending(amount)} <> 17 or ${status} = 'PROCESSING' and ${ending(amount)} <> 19)
    then ${instant(nowMs + stepMs)} end`;

export async function insertTransfer(tx: Transaction, transfer: NewTransfer, nowMs: number): Promise<number> {
  const { transferId, workspaceId, mode, amount, currency, reference } = transfer;
  const [row] = await tx.query<{ id: number }>(sql`
    insert into transfers (biz_id, workspace_id, mode, amount, currency, status, reference, created_at, updated_at, moves_at)
    values (${transferId}, ${workspaceId}, ${mode}::key_mode, ${amount}::numeric, ${currency}, 'PENDING', ${reference},
      ${instant(nowMs)}, ${instant(nowMs)}, ${nextMove(sql`${mode}::text`, sql`'PENDING'`, sql`${amount}::numeric`, nowMs)})
    returning id`);
  if (row === undefined) throw new Error('an insert gives its row');
  return row.id;
}

export type LockedTransfer = {
  id: number;
  transferId: string;
  status: TransferStatus;
  mode: 'LIVE' | 'TEST';
  workspaceId: number;
  institutionId: number;
};

/** The transfer as it is and stays until the transaction ends. */
export async function lockTransfer(tx: Transaction, where: Sql): Promise<LockedTransfer | undefined> {
  const [row] = await tx.query<LockedTransfer>(sql`
    select t.id, t.biz_id as "transferId", t.status::text as status, t.mode::text as mode,
      t.workspace_id as "workspaceId", w.institution_id as "institutionId"
    from transfers t join workspaces w on w.id = t.workspace_id where ${where} for no key update of t`);
  return row;
}

/** Later than what was before in any case, whatever the clocks of instances say: who follows changes sees each of them. */
export const movedAt = (nowMs: number) =>
  sql`greatest(${instant(nowMs)}, t.updated_at + interval '1 millisecond')`;

export async function updateStatus(
  tx: Transaction,
  id: number,
  { status, failureReason = null }: { status: TransferStatus; failureReason?: string | null },
  nowMs: number,
): Promise<void> {
  await tx.query(sql`
    update transfers t set status = ${status}::transfer_status, failure_reason = ${failureReason}, updated_at = ${movedAt(nowMs)},
      moves_at = ${nextMove(sql`t.mode`, sql`${status}::text`, sql`t.amount`, nowMs)}
    where t.id = ${id}`);
}
