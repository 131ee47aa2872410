import { Type } from 'typebox';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import { isDateTime } from '../../contract/date-time.ts';
import { required } from '../../contract/validate.ts';
import { readableActions } from '../../log/actions.ts';
import { actorTypes } from '../../log/actor.ts';

const actions = Object.keys(readableActions);
const subjectTypes = [...new Set(Object.values(readableActions).map(({ subjectType }) => subjectType))];

export const AuditLogRecord = Type.Object(
  {
    auditId: Type.String({
      description: 'Identifier of the record.',
      examples: ['AUD_01KG95W5MZ4J7Q2Z0V9F3D8X6B'],
    }),
    sequence: Type.Integer({
      description: 'Place in the log of the whole service, in the order of commits.',
      examples: [120_345],
    }),
    occurredAt: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
    actorType: Type.String({ enum: [...actorTypes], description: 'What kind of actor did it.' }),
    actorId: Type.String({
      description: 'Identifier of the account or key that did it.',
      examples: ['ACC_DEMO_OWNER'],
    }),
    actorName: Type.String({ description: 'The name it had then.', examples: ['Demo Owner'] }),
    action: Type.String({ enum: actions, description: 'What was done.', examples: ['api-key.disabled'] }),
    subjectType: Type.String({ enum: subjectTypes, description: 'What kind of thing it was done to.' }),
    subjectId: Type.String({
      description: 'Identifier of what it was done to.',
      examples: ['ak_live_01KG95W4S3N6T8Y0A2C4E6G8J0'],
    }),
    changes: Type.Record(
      Type.String(),
      Type.Object({
        from: Type.Unknown({ description: 'What it was.', examples: ['ACTIVE'] }),
        to: Type.Unknown({ description: 'What it is since.', examples: ['DISABLED'] }),
      }),
      {
        description: 'By field. Secrets appear as "(secret)".',
        examples: [{ status: { from: 'ACTIVE', to: 'DISABLED' } }],
      },
    ),
    ipAddress: Type.Union([Type.String(), Type.Null()], {
      description: 'Address of the client, or null.',
      examples: ['203.0.113.7'],
    }),
    requestId: Type.Union([Type.String(), Type.Null()], {
      description: 'X-Request-Id of the request, or null.',
      examples: ['6f1c1d0e-6a57-4d8f-9d0c-1f2e3d4c5b6a'],
    }),
    hash: Type.String({
      description: 'Lowercase hex SHA-256 that chains the record to all before it.',
      examples: ['9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab'],
    }),
  },
  { title: 'AuditLogRecord' },
);

export const AuditLogPath = Type.Object({
  ...WorkspacePath.properties,
  sequence: Type.String({
    pattern: '^[1-9][0-9]{0,17}$',
    description: 'Place of the record in the log.',
    examples: ['120345'],
  }),
});

export const AuditLogFilters = Type.Object({
  action: Type.Optional(Type.String({ enum: actions, description: 'Only records of this action.' })),
  actorId: Type.Optional(
    Type.String({ ...required, maxLength: 128, description: 'Only what this account or key did.' }),
  ),
  subjectId: Type.Optional(
    Type.String({ ...required, maxLength: 128, description: 'Only what was done to this.' }),
  ),
  occurredFrom: Type.Optional(Type.String({ ...isDateTime, description: 'ISO 8601, inclusive.' })),
  occurredTo: Type.Optional(Type.String({ ...isDateTime, description: 'ISO 8601, exclusive.' })),
});
