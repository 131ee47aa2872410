import { Type } from 'typebox';
import { isDateTime } from '../../contract/date-time.ts';

export const transferStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;

export const TransferRecord = Type.Object(
  {
    transferId: Type.String({ description: 'Identifier of the transfer.', examples: ['TRF_0000000001'] }),
    amount: Type.String({ description: 'Decimal, with the digits of its currency.', examples: ['1250.00'] }),
    currency: Type.String({ description: 'ISO 4217 code.', examples: ['USD'] }),
    status: Type.String({
      enum: [...transferStatuses],
      description: 'Where the transfer stands.',
      examples: ['COMPLETED'],
    }),
    createdAt: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
    updatedAt: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
    reference: Type.Union([Type.String(), Type.Null()], {
      description: 'What the sender wrote to it, or null.',
      examples: ['Invoice 2025-118'],
    }),
  },
  { title: 'TransferRecord' },
);

export const TransferFilters = Type.Object({
  status: Type.Optional(
    Type.String({ enum: [...transferStatuses], description: 'Only transfers with this status.' }),
  ),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.' })),
  createdFrom: Type.Optional(Type.String({ ...isDateTime, description: 'ISO 8601, inclusive.' })),
  createdTo: Type.Optional(Type.String({ ...isDateTime, description: 'ISO 8601, exclusive.' })),
});

/** A key has a mode; a person chooses. */
export const WorkspaceTransferFilters = Type.Object({
  mode: Type.Optional(
    Type.String({ enum: ['LIVE', 'TEST'], default: 'LIVE', description: 'Only transfers of this mode.' }),
  ),
  ...TransferFilters.properties,
});
