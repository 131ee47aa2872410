import { Type } from 'typebox';
import { defineRule, required } from '../../contract/validate.ts';
import { devicePollSeconds } from '../../limits/limits.ts';
import { isUserCode } from './user-code.ts';

export const lifeSeconds = 600;

/** It is shown to who decides: nothing in it may hide, or reorder what stands beside it. */
const isPlainText = defineRule('plainText', (text) =>
  /[\p{C}\p{Zl}\p{Zp}]/u.test(text) ? 'must have no control or format characters' : undefined,
);

export const NewDeviceSignIn = Type.Object(
  {
    clientName: Type.Optional(
      Type.String({
        ...isPlainText,
        minLength: 1,
        maxLength: 64,
        description: 'What the program calls itself; shown to who confirms.',
        examples: ['portico on laptop'],
      }),
    ),
  },
  { title: 'NewDeviceSignIn' },
);

const userCode = {
  description:
    'What the person compares or types: 8 letters; small ones, and without the dash, are taken too.',
  examples: ['BCDF-GHJK'],
};
const deviceCode = { description: 'What the program polls with, and shows to nobody.', examples: ['3v7…'] };

export const DeviceSignIn = Type.Object(
  {
    deviceCode: Type.String(deviceCode),
    userCode: Type.String(userCode),
    verificationUri: Type.String({
      description: 'Page of the portal on which the code is typed.',
      examples: ['https://portal.example/device'],
    }),
    verificationUriComplete: Type.String({
      description: 'The same with the code in it, behind the #.',
      examples: ['https://portal.example/device#BCDF-GHJK'],
    }),
    expiresIn: Type.Integer({ description: 'Seconds both codes live.', examples: [lifeSeconds] }),
    interval: Type.Integer({ description: 'Seconds between two polls.', examples: [devicePollSeconds] }),
  },
  { title: 'DeviceSignIn' },
);

export const DeviceCode = Type.Object(
  { deviceCode: Type.String({ ...required, maxLength: 128, ...deviceCode }) },
  { title: 'DeviceCode' },
);

export const UserCode = Type.Object(
  { userCode: Type.String({ ...isUserCode, maxLength: 32, ...userCode }) },
  { title: 'UserCode' },
);

const orNull = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] });
const time = (description: string, example: string) => Type.String({ description, examples: [example] });

export const AskingDevice = Type.Object(
  {
    clientName: orNull(
      'What the program calls itself, if it does. Anyone can call themselves so.',
      'portico on laptop',
    ),
    ipAddress: orNull('Address that it asked from.', '203.0.113.7'),
    userAgent: orNull('User-Agent that it sent.', 'portico/0.1.0'),
    requestedAt: time('When it asked.', '2026-01-31T08:30:00.000Z'),
    expiresAt: time('When its codes end.', '2026-01-31T08:40:00.000Z'),
  },
  { title: 'AskingDevice' },
);
