import { Type } from 'typebox';
import { Code } from '../../auth/portal/code.ts';
import { NewPassword } from '../../auth/portal/password-rule.ts';
import { AccountLocale, PersonName } from '../../auth/portal/person-fields.ts';

const time = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-01-01T00:00:00.000Z'] });

export const AccountRecord = Type.Object(
  {
    accountId: Type.String({ description: 'Identifier of the account.', examples: ['ACC_DEMO_OWNER'] }),
    email: Type.String({ description: 'E-mail address of the account.', examples: ['owner@demo.test'] }),
    name: Type.String({ description: 'Display name.', examples: ['Demo Owner'] }),
    locale: AccountLocale,
    hasSecondFactor: Type.Boolean({
      description: 'A sign-in wants a code beside the password.',
      examples: [false],
    }),
    createdAt: time('ISO 8601, UTC.'),
  },
  { title: 'AccountRecord' },
);

export const AccountChange = Type.Object(
  { name: Type.Optional(PersonName), locale: Type.Optional(AccountLocale) },
  { title: 'AccountChange', description: 'Fields that are absent stay as they are.' },
);

export const PasswordChange = Type.Object(
  {
    currentPassword: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'The password that the account has now.',
      examples: ['portico-demo'],
    }),
    newPassword: NewPassword,
  },
  { title: 'PasswordChange' },
);

export const SessionRecord = Type.Object(
  {
    sessionId: Type.String({
      description: 'Identifier of the sign-in.',
      examples: ['5f0c9c1e-7a55-4d1b-9d55-8f2f6f0a4b7e'],
    }),
    createdAt: time('When it began. ISO 8601, UTC.'),
    lastSeenAt: time('When it was last used, to the minute. ISO 8601, UTC.'),
    ipAddress: Type.Union([Type.String(), Type.Null()], {
      description: 'Where it was last seen.',
      examples: ['203.0.113.7'],
    }),
    userAgent: Type.Union([Type.String(), Type.Null()], {
      description: 'What the client called itself when it signed in.',
      examples: ['Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'],
    }),
    isCurrent: Type.Boolean({ description: 'It is the sign-in of this request.', examples: [true] }),
  },
  { title: 'SessionRecord' },
);

export const SessionPath = Type.Object({
  sessionId: Type.String({
    description: 'Identifier of the sign-in.',
    examples: ['5f0c9c1e-7a55-4d1b-9d55-8f2f6f0a4b7e'],
  }),
});

export const NewSecondFactor = Type.Object(
  {
    secret: Type.Union([Type.String(), Type.Null()], {
      description: 'Makes the codes; base32. Shown in this response alone; null in a replay of it.',
      examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
    }),
    otpauthUri: Type.Union([Type.String(), Type.Null()], {
      description: 'The same for a QR code; null in a replay.',
      examples: ['otpauth://totp/Portico:owner%40demo.test?issuer=Portico&secret=…'],
    }),
  },
  { title: 'NewSecondFactor' },
);

export const SecondFactorCode = Type.Object({ code: Code }, { title: 'SecondFactorCode' });

export const RecoveryCodes = Type.Object(
  {
    recoveryCodes: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description:
        'Each stands once for a code, where the device is not at hand. Shown in this response alone; null in a replay of it.',
      examples: [['7KQ2M-9XNDP-4T0VR-3HJ8C']],
    }),
  },
  { title: 'RecoveryCodes' },
);
