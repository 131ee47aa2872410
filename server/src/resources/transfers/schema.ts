import { Type } from 'typebox';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import type { Mode } from '../../auth/signed/api-key-lookup.ts';
import { isDateTime } from '../../contract/date-time.ts';
import { Amount, Currency, Reference, referenceMax } from '../../transfers/money.ts';
import { transferStatuses } from '../../transfers/status.ts';

export const TransferFilters = Type.Object({
  status: Type.Optional(
    Type.String({ enum: [...transferStatuses], description: 'Only transfers with this status.' }),
  ),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.' })),
  createdFrom: Type.Optional(Type.String({ ...isDateTime, description: 'ISO 8601, inclusive.' })),
  createdTo: Type.Optional(Type.String({ ...isDateTime, description: 'ISO 8601, exclusive.' })),
  reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: referenceMax,
      description: 'Only transfers with exactly this reference.',
    }),
  ),
  updatedFrom: Type.Optional(Type.String({ ...isDateTime, description: 'ISO 8601, inclusive.' })),
  updatedTo: Type.Optional(Type.String({ ...isDateTime, description: 'ISO 8601, exclusive.' })),
});

/** By name or by code; any other value is refused by its schema. */
export const modeOf = (given: unknown): Mode =>
  ['TEST', '2', 2].some((test) => test === given) ? 'TEST' : 'LIVE';

/** A key has a mode; a person chooses. */
export const WorkspaceTransferFilters = Type.Object({
  mode: Type.Optional(
    Type.String({
      enum: ['LIVE', 'TEST', '1', '2'],
      names: { 1: 'LIVE', 2: 'TEST' },
      default: 'LIVE',
      description: 'Only transfers of this mode, by name or by code.',
    }),
  ),
  ...TransferFilters.properties,
});

export const TransferPath = Type.Object({
  transferId: Type.String({ description: 'Identifier of the transfer.', examples: ['TRF_0000000001'] }),
});

export const WorkspaceTransferPath = Type.Object({
  ...WorkspacePath.properties,
  ...TransferPath.properties,
});

export const NewTransfer = Type.Object(
  { amount: Amount, currency: Currency, reference: Type.Optional(Reference) },
  { title: 'NewTransfer' },
);

export const NewWorkspaceTransfer = Type.Object(
  {
    ...NewTransfer.properties,
    mode: Type.Optional(
      Type.Integer({
        enum: [1, 2],
        names: { 1: 'LIVE', 2: 'TEST' },
        default: 1,
        description: '1 LIVE, 2 TEST. A TEST transfer moves no money and settles by itself.',
      }),
    ),
  },
  { title: 'NewWorkspaceTransfer' },
);
