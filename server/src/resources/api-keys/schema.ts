import { Type } from 'typebox';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import { scopeCodes, scopes as scopeTexts } from '../../auth/signed/scopes.ts';
import { parseAddress, parseNetwork } from '../../contract/address.ts';
import { isDateTime } from '../../contract/date-time.ts';
import { defineRule, required } from '../../contract/validate.ts';

/** Modes as the request writes them, and as the record does. */
export const keyModes = { 1: 'LIVE', 2: 'TEST' } as const;
export type ModeCode = keyof typeof keyModes;

export const keysPerWorkspaceMax = 50;
export const revokedKeysMax = 200;
const networksMax = 100;
const graceSecondsMax = 30 * 86_400;
export const graceSecondsDefault = 86_400;

const keyStatuses = ['ACTIVE', 'DISABLED', 'REVOKED', 'EXPIRED'] as const;

const isNetwork = defineRule('network', (text) =>
  parseNetwork(text) === undefined ? 'must be an IPv4 or IPv6 address or CIDR block' : undefined,
);

const isAddress = defineRule('address', (text) =>
  parseAddress(text) === undefined ? 'must be an IPv4 or IPv6 address' : undefined,
);

export const ApiKeyPath = Type.Object({
  ...WorkspacePath.properties,
  apiKeyId: Type.String({
    description: 'Identifier of the key.',
    examples: ['ak_live_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E'],
  }),
});

const name = Type.String({
  ...required,
  minLength: 1,
  maxLength: 128,
  description: 'Display name.',
  examples: ['Settlement job'],
});
const allowed = Object.entries(scopeTexts).map(([code, text]) => `\`${code}\`: ${text}.`);
const scopes = Type.Array(Type.String({ enum: [...scopeCodes] }), {
  description: `What the key may do. Empty: nothing, every signed request is 403 \`4031\`. ${allowed.join(' ')}`,
  examples: [['transfers:read']],
});
const ipWhitelist = Type.Array(Type.String(isNetwork), {
  maxItems: networksMax,
  description: 'Addresses or CIDR blocks the key may be used from. Empty: any.',
  examples: [['203.0.113.7', '2001:db8::/32']],
});

const end = (more = '') =>
  Type.Union([Type.String(isDateTime), Type.Null()], {
    description: `When the key stops working, ISO 8601; null: never.${more}`,
    examples: ['2027-01-01T00:00:00Z'],
  });

export const NewApiKey = Type.Object(
  {
    name,
    scopes: Type.Optional(scopes),
    mode: Type.Optional(
      Type.Integer({
        enum: [1, 2],
        names: keyModes,
        default: 1,
        description: '1 LIVE, 2 TEST. TEST keys are made on a partner portal only.',
      }),
    ),
    ipWhitelist: Type.Optional(ipWhitelist),
    expiresAt: Type.Optional(end()),
  },
  { title: 'NewApiKey' },
);

export const ApiKeyChange = Type.Object(
  {
    name: Type.Optional(name),
    scopes: Type.Optional(scopes),
    ipWhitelist: Type.Optional(ipWhitelist),
    expiresAt: Type.Optional(end(' A later time revives an expired key.')),
  },
  { title: 'ApiKeyChange', description: 'Fields that are absent stay as they are.' },
);

export const Rotation = Type.Object(
  {
    graceSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: graceSecondsMax,
        default: graceSecondsDefault,
        description: 'How long the previous secret goes on working.',
      }),
    ),
  },
  { title: 'Rotation' },
);

export const CreatedApiKey = Type.Object(
  {
    apiKeyId: Type.String({
      description: 'Identifier of the key, sent as X-Api-Key.',
      examples: ['ak_live_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E'],
    }),
    secret: Type.Union([Type.String(), Type.Null()], {
      description: 'Signs requests. Shown in this response alone; null in a replay of it.',
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

/** The creation record of a key that may be in any status but REVOKED. */
export const RotatedApiKey = Type.Object(
  {
    ...CreatedApiKey.properties,
    status: Type.String({ enum: ['ACTIVE', 'DISABLED', 'EXPIRED'], description: 'As it was before.' }),
  },
  { title: 'RotatedApiKey' },
);

const time = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description,
    examples: ['2026-01-01T00:00:00.000Z'],
  });

/** What is shown of a key ever after. */
export const ApiKeyRecord = Type.Object(
  {
    ...Type.Omit(CreatedApiKey, ['secret', 'status']).properties,
    status: Type.String({
      enum: [...keyStatuses],
      description: 'EXPIRED is an active key past its expiresAt.',
    }),
    expiresAt: time('When the key stops working; null: never.'),
    lastUsedAt: time('When the key last signed a request, up to some seconds ago; null: never.'),
    lastUsedIp: Type.Union([Type.String(), Type.Null()], {
      description: 'Address of that request.',
      examples: ['203.0.113.7'],
    }),
    secretVersion: Type.Integer({
      description: 'Version of the current secret; each rotation adds one.',
      examples: [2],
    }),
    previousSecretExpiresAt: time('When the previous secret stops working; null: no rotation is open.'),
    secrets: Type.Array(
      Type.Object({
        version: Type.Integer({ description: 'Version of the secret.', examples: [2] }),
        lastUsedAt: time('When this secret last signed a request; null: never.'),
      }),
      { description: 'The secrets that work now, the current one first.' },
    ),
  },
  { title: 'ApiKeyRecord' },
);

export const ApiKeyFilters = Type.Object({
  status: Type.Optional(Type.String({ enum: [...keyStatuses], description: 'Only keys of this status.' })),
  mode: Type.Optional(
    Type.String({
      enum: ['1', '2', 'LIVE', 'TEST'],
      names: keyModes,
      description: 'Only keys of this mode, by code or by name.',
    }),
  ),
});

export const Simulation = Type.Object(
  {
    method: Type.String({ pattern: '^[A-Z]{1,16}$', description: 'Method, in capitals.', examples: ['GET'] }),
    path: Type.String({
      pattern: '^/api/',
      maxLength: 8192,
      description: 'Path from /api/ on; a query is ignored.',
      examples: ['/api/v1/transfers?size=5'],
    }),
    ip: Type.String({
      ...isAddress,
      description: 'Address the request would come from.',
      examples: ['203.0.113.7'],
    }),
    at: Type.Optional(
      Type.String({
        ...isDateTime,
        description:
          'When the request would come; now unless given. Scopes, addresses and status are those that the key has now, its end is judged at this time.',
        examples: ['2026-01-31T00:00:00Z'],
      }),
    ),
  },
  { title: 'Simulation' },
);

export const SimulationTrace = Type.Object(
  {
    allowed: Type.Boolean({ description: 'Whether every step passes.', examples: [false] }),
    code: Type.Union([Type.String(), Type.Null()], {
      description: 'Code the request would be refused with; null: none.',
      examples: ['4031'],
    }),
    steps: Type.Array(
      Type.Object({
        step: Type.String({
          enum: ['route', 'status', 'ip', 'scope'],
          description: 'What is judged, in this order.',
        }),
        passed: Type.Boolean({ description: 'Whether it passes.', examples: [true] }),
        code: Type.Union([Type.String(), Type.Null()], {
          description: 'Code of its refusal; null: none.',
          examples: [null],
        }),
        message: Type.String({
          description: 'Why.',
          examples: ['GET /api/v1/transfers requires the scope transfers:read'],
        }),
      }),
      { description: 'All steps, also those after a refusal. Signature, nonce and rate are not simulated.' },
    ),
  },
  { title: 'SimulationTrace' },
);
