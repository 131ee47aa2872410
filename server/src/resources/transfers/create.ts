import { Type } from 'typebox';
import { workerOfWorkspace } from '../../auth/portal/roles.ts';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import { keyWith } from '../../auth/signed/key-place.ts';
import { changesOf } from '../../contract/changes.ts';
import { command } from '../../contract/command.ts';
import type { Transaction } from '../../db/database.ts';
import { ulid } from '../../db/identifiers.ts';
import { requireDigits } from '../../transfers/money.ts';
import { insertTransfer, type NewTransfer as NewRow } from '../../transfers/queries.ts';
import { selectTransferRecord, TransferRecord } from '../../transfers/record.ts';
import { modeOf, NewTransfer, NewWorkspaceTransfer } from './schema.ts';

async function create(tx: Transaction, asked: Omit<NewRow, 'transferId'>, nowMs: number) {
  requireDigits(asked);
  const transferId = `TRF_${ulid(nowMs)}`;
  const id = await insertTransfer(tx, { ...asked, transferId }, nowMs);
  const { workspaceId: _workspaceId, ...fields } = asked;
  const answer = await selectTransferRecord(tx, id, nowMs);
  return {
    answer,
    subject: transferId,
    changes: changesOf({}, { ...fields, status: 'PENDING' }),
    event: { mode: asked.mode, data: answer },
  };
}

const shared = { answer: TransferRecord, status: 201, action: 'transfer.created', errors: [] } as const;

export const createTransfer = command({
  ...shared,
  path: Type.Object({}),
  body: NewTransfer,
  place: keyWith('transfers:write'),
  run: ({ tx, nowMs, place: { workspaceId, mode }, input: { amount, currency, reference = null } }) =>
    create(tx, { workspaceId, mode, amount, currency, reference }, nowMs),
});

export const createWorkspaceTransfer = command({
  ...shared,
  path: WorkspacePath,
  body: NewWorkspaceTransfer,
  place: workerOfWorkspace,
  run: ({ tx, nowMs, place: { workspaceId }, input: { amount, currency, reference = null, mode } }) =>
    create(tx, { workspaceId, mode: modeOf(mode), amount, currency, reference }, nowMs),
});
