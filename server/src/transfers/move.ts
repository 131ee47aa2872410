import { Type } from 'typebox';
import { ApiError } from '../contract/api-error.ts';
import { type Changes, changesOf } from '../contract/changes.ts';
import { isShowable } from '../contract/plain-text.ts';
import type { Transaction } from '../db/database.ts';
import { type LockedTransfer, updateStatus } from './queries.ts';
import { requireMove, type TransferStatus, transferStatuses } from './status.ts';

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

/** What the platform says became of a transfer. */
export async function moveTransfer(
  tx: Transaction,
  { id, status: from }: Pick<LockedTransfer, 'id' | 'status'>,
  { status, failureReason }: Move,
  nowMs: number,
): Promise<Changes> {
  const to = status as TransferStatus; // the schema lets only these pass
  requireMove('platform', from, to);
  if (failureReason !== null && to !== 'FAILED')
    throw new ApiError('4000', 'a failureReason is for FAILED alone');
  await updateStatus(tx, id, { status: to, failureReason }, nowMs);
  return changesOf({ status: from, failureReason: null }, { status: to, failureReason });
}
