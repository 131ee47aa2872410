import { Type } from 'typebox';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import { entryOf, errorCodes } from '../../contract/catalogue.ts';
import { isDateTime } from '../../contract/date-time.ts';
import { successCode } from '../../contract/envelope.ts';
import { required } from '../../contract/validate.ts';

export const requestModes = { 1: 'LIVE', 2: 'TEST' } as const;
export const statusClasses = { '2xx': 2, '4xx': 4, '5xx': 5 } as const;

const requestIdMax = 128;

export const RequestPath = Type.Object({
  ...WorkspacePath.properties,
  requestId: Type.String({
    ...required,
    maxLength: requestIdMax,
    description: 'The X-Request-Id of its answer.',
    examples: ['0b5f2f6e-2a6c-4a57-9d3e-6f0c8d1f7a11'],
  }),
});

export const RequestRecord = Type.Object(
  {
    requestId: Type.String({
      description: 'The X-Request-Id of its answer.',
      examples: ['0b5f2f6e-2a6c-4a57-9d3e-6f0c8d1f7a11'],
    }),
    occurredAt: Type.String({ format: 'date-time', description: 'When it arrived. ISO 8601, UTC.' }),
    apiKeyId: Type.String({
      description: 'The key that it named.',
      examples: ['ak_live_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E'],
    }),
    apiKeyName: Type.String({ description: 'Display name of the key.', examples: ['Settlement job'] }),
    mode: Type.String({ enum: Object.values(requestModes), description: 'Mode of the key.' }),
    method: Type.String({ description: 'HTTP method.', examples: ['GET'] }),
    route: Type.String({
      description: 'Path of the endpoint as this description has it; none: there is no such endpoint.',
      examples: ['/api/v1/transfers/{transferId}'],
    }),
    status: Type.Integer({ description: 'HTTP status of the answer.', examples: [200] }),
    code: Type.String({
      description: `${successCode}, or the code of the error it was answered with.`,
      examples: [successCode],
    }),
    durationMs: Type.Integer({ description: 'From its head to the end of its answer.', examples: [12] }),
    ipAddress: Type.Union([Type.String(), Type.Null()], {
      description: 'Address of the client; null: it cannot be read.',
      examples: ['203.0.113.7'],
    }),
  },
  { title: 'RequestRecord' },
);

/** What the list has, and why it was refused. */
export const RequestDetail = Type.Object(
  {
    ...RequestRecord.properties,
    reason: Type.Union(
      [
        Type.Object({
          name: Type.String({ description: 'Name of the error.' }),
          description: Type.String({ description: 'When it is answered.' }),
        }),
        Type.Null(),
      ],
      {
        description: 'What its code means; null: it was not refused.',
        examples: [{ name: entryOf('4031').name, description: entryOf('4031').description }],
      },
    ),
  },
  { title: 'RequestDetail' },
);

export const RequestFilters = Type.Object({
  apiKeyId: Type.Optional(
    Type.String({ ...required, maxLength: 128, description: 'Only requests that named this key.' }),
  ),
  mode: Type.Optional(
    Type.String({
      enum: ['1', '2', 'LIVE', 'TEST'],
      names: requestModes,
      description: 'Only requests of keys of this mode, by code or by name.',
    }),
  ),
  code: Type.Optional(
    Type.String({
      enum: [successCode, ...errorCodes],
      description: 'Only requests that were answered with this code.',
    }),
  ),
  statusClass: Type.Optional(
    Type.String({
      enum: Object.keys(statusClasses),
      description: '2xx: those that succeeded, 4xx: that were refused, 5xx: that failed.',
    }),
  ),
  requestId: Type.Optional(
    Type.String({ ...required, maxLength: requestIdMax, description: 'Only requests of this id.' }),
  ),
  from: Type.Optional(Type.String({ ...isDateTime, description: 'ISO 8601, inclusive.' })),
  to: Type.Optional(Type.String({ ...isDateTime, description: 'ISO 8601, exclusive.' })),
});
