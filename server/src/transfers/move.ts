import { Type } from 'typebox';
import { ApiError } from '../contract/api-error.ts';
import { type Changes, changesOf } from '../contract/changes.ts';
import { isShowable } from '../contract/plain-text.ts';
import type { Transaction } from '../db/database.ts';
import type { RecordEvent } from '../log/append.ts';
import { type LockedTransfer, updateStatus } from './queries.ts';
import { selectTransferRecord, type TransferRecord } from './record.ts';
import {
  type MovedStatus,
  moveActions,
  requireMove,
  type TransferStatus,
  transferStatuses,
} from './status.ts';

export const NewStatus = Type.String({
  enum: [...transferStatuses],
  description: 'PROCESSING of one that is PENDING; COMPLETED or FAILED of one that is PROCESSING.',
  examples: ['PROCESSING'],
});

export const FailureReason = Type.String({
  ...isShowable,
  maxLength: 200,
  description: 'Why it FAILED, for the log. The record does not show it.',
});

type Move = { status: string; failureReason: string | null };
type Moved = {
  record: TransferRecord;
  told: { action: (typeof moveActions)[MovedStatus]; changes: Changes; event: RecordEvent };
};

/** What the platform says became of a transfer. */
export async function moveTransfer(
  tx: Transaction,
  { id, mode, status: from }: Pick<LockedTransfer, 'id' | 'mode' | 'status'>,
  { status, failureReason }: Move,
  nowMs: number,
): Promise<Moved> {
  const to = status as TransferStatus; // the schema lets only these pass
  requireMove('platform', from, to);
  if (failureReason !== null && to !== 'FAILED')
    throw new ApiError('4000', 'a failureReason is for FAILED alone');
  await updateStatus(tx, id, { status: to, failureReason }, nowMs);
  const record = await selectTransferRecord(tx, id, nowMs);
  const changes = changesOf({ status: from, failureReason: null }, { status: to, failureReason });
  const action = moveActions[to as MovedStatus]; // no other move is the platform's
  return { record, told: { action, changes, event: { mode, data: record } } };
}
