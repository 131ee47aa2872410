import { Type } from 'typebox';
import { operatorAccount } from '../../auth/portal/operators.ts';
import { command } from '../../contract/command.ts';
import { sql } from '../../db/sql.ts';
import { FailureReason, moveTransfer, NewStatus } from '../../transfers/move.ts';
import { TransferRecord } from '../../transfers/record.ts';
import { lockedTransfer } from './locked-transfer.ts';
import { TransferPath } from './schema.ts';

const TransferMove = Type.Object(
  { status: NewStatus, failureReason: Type.Optional(FailureReason) },
  { title: 'TransferMove' },
);

/** Of any workspace, to whose log the record goes. What it is called depends on where the transfer is moved to. */
export const setTransferStatus = command({
  path: TransferPath,
  body: TransferMove,
  answer: TransferRecord,
  status: 200,
  place: operatorAccount,
  action: 'transfer.processing',
  errors: ['4040', '4091'],
  async run({ tx, nowMs, input: { transferId, status, failureReason = null } }) {
    const transfer = await lockedTransfer(tx, sql`t.biz_id = ${transferId}`);
    const { record, told } = await moveTransfer(tx, transfer, { status, failureReason }, nowMs);
    return { answer: record, subject: transferId, ...told, made: transfer };
  },
});
