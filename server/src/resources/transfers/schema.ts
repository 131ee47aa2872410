import { Type } from 'typebox';
import { isDateTime } from '../../contract/date-time.ts';

export const transferStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;

export const TransferRecord = Type.Object(
  {
    transferId: Type.String({ examples: ['TRF_0000000001'] }),
    amount: Type.String({ description: 'Decimal, with the digits of its currency.', examples: ['1250.00'] }),
    currency: Type.String({ examples: ['USD'] }),
    status: Type.String({ enum: [...transferStatuses] }),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
    reference: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'TransferRecord' },
);

export const TransferFilters = Type.Object({
  status: Type.Optional(Type.String({ enum: [...transferStatuses] })),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.' })),
  createdFrom: Type.Optional(Type.String({ ...isDateTime, description: 'ISO 8601, inclusive.' })),
  createdTo: Type.Optional(Type.String({ ...isDateTime, description: 'ISO 8601, exclusive.' })),
});
