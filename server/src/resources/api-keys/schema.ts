import { Type } from 'typebox';
import { scopeCodes } from '../../auth/scopes.ts';
import { parseNetwork } from '../../contract/address.ts';
import { defineRule, required } from '../../contract/validate.ts';

/** Modes as the request writes them, and as the record does. */
export const keyModes = { 1: 'LIVE', 2: 'TEST' } as const;
export type ModeCode = keyof typeof keyModes;

export const keysPerWorkspaceMax = 50;
const networksMax = 100;

const isNetwork = defineRule('network', (text) =>
  parseNetwork(text) === undefined ? 'must be an IPv4 or IPv6 address or CIDR block' : undefined,
);

export const WorkspacePath = Type.Object({
  workspaceId: Type.String({
    ...required,
    description: 'Business identifier of the workspace.',
    examples: ['WS_DEMO'],
  }),
});

export const NewApiKey = Type.Object(
  {
    name: Type.String({
      ...required,
      minLength: 1,
      maxLength: 128,
      description: 'Display name.',
      examples: ['Settlement job'],
    }),
    scopes: Type.Optional(
      Type.Array(Type.String({ enum: [...scopeCodes] }), {
        description: 'What the key may do. Empty: nothing.',
        examples: [['transfers:read']],
      }),
    ),
    mode: Type.Optional(
      Type.Integer({
        enum: [1, 2],
        default: 1,
        description: '1 LIVE, 2 TEST. TEST keys are made on a partner portal only.',
      }),
    ),
    ipWhitelist: Type.Optional(
      Type.Array(Type.String(isNetwork), {
        maxItems: networksMax,
        description: 'Addresses or CIDR blocks the key may be used from. Empty: any.',
        examples: [['203.0.113.7', '2001:db8::/32']],
      }),
    ),
  },
  { title: 'NewApiKey' },
);

export const CreatedApiKey = Type.Object(
  {
    apiKeyId: Type.String({
      description: 'Identifier of the key, sent as X-Api-Key.',
      examples: ['ak_live_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E'],
    }),
    secret: Type.String({
      description: 'Signs requests. Shown in this response alone.',
      examples: ['sk_live_…'],
    }),
    name: Type.String({ description: 'Display name.', examples: ['Settlement job'] }),
    status: Type.String({ enum: ['ACTIVE'], description: 'A new key is active.' }),
    mode: Type.String({ enum: Object.values(keyModes), description: 'Which data the key works on.' }),
    scopes: Type.Array(Type.String(), {
      description: 'What the key may do.',
      examples: [['transfers:read']],
    }),
    ipWhitelist: Type.Array(Type.String(), {
      description: 'Where the key may be used from. Empty: anywhere.',
      examples: [['203.0.113.7', '2001:db8::/32']],
    }),
    createdAt: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
  },
  { title: 'CreatedApiKey' },
);
