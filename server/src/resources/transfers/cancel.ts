import { workerOfWorkspace } from '../../auth/portal/roles.ts';
import { keyWith } from '../../auth/signed/key-place.ts';
import { changesOf } from '../../contract/changes.ts';
import { command } from '../../contract/command.ts';
import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { updateStatus } from '../../transfers/queries.ts';
import { selectTransferRecord, TransferRecord } from '../../transfers/record.ts';
import { requireMove } from '../../transfers/status.ts';
import { lockedTransfer } from './locked-transfer.ts';
import { TransferPath, WorkspaceTransferPath } from './schema.ts';

async function cancel(tx: Transaction, where: Sql, nowMs: number) {
  const { id, transferId, mode, status: from } = await lockedTransfer(tx, where);
  requireMove('client', from, 'CANCELLED');
  await updateStatus(tx, id, { status: 'CANCELLED' }, nowMs);
  const changes = changesOf({ status: from }, { status: 'CANCELLED' });
  const answer = await selectTransferRecord(tx, id, nowMs);
  return { answer, subject: transferId, changes, event: { mode, data: answer } };
}

const shared = {
  answer: TransferRecord,
  status: 200,
  action: 'transfer.cancelled',
  errors: ['4040', '4091'],
} as const;

export const cancelTransfer = command({
  ...shared,
  path: TransferPath,
  place: keyWith('transfers:write'),
  run: ({ tx, nowMs, place: { workspaceId, mode }, input: { transferId } }) =>
    cancel(
      tx,
      sql`t.biz_id = ${transferId} and t.workspace_id = ${workspaceId} and t.mode = ${mode}::key_mode`,
      nowMs,
    ),
});

export const cancelWorkspaceTransfer = command({
  ...shared,
  path: WorkspaceTransferPath,
  place: workerOfWorkspace,
  run: ({ tx, nowMs, place: { workspaceId }, input: { transferId } }) =>
    cancel(tx, sql`t.biz_id = ${transferId} and t.workspace_id = ${workspaceId}`, nowMs),
});
