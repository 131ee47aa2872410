import type { ErrorObject } from 'ajv';
import { type FieldError, invalidFields } from '../contract/api-error.ts';
import { fieldErrorOf } from '../contract/validate.ts';
import { type ConfigSchema, checkOf, hasBadText, secretFieldsOf } from './config-schema.ts';
import type { ChannelSecrets } from './secrets.ts';
import { newSigningSecret, refuseSigningSecret, rotated } from './signing-secret.ts';
import { type DeliveringType, targetFields } from './types.ts';

export type Config = { [field: string]: unknown };

/** A configuration as it is kept: what may be shown, and what may not. */
export type Settings = { config: Config; secrets: ChannelSecrets };

export type TypeOfChannel = { typeCode: DeliveringType; schema: ConfigSchema };

/** What else is wrong with where a channel sends to; each of a type that sends there. */
export type TargetRule = (typeCode: DeliveringType, target: string) => string | undefined;

const signingField = 'signingSecret';
const bytesMax = 16_384;
const depthMax = 8;

const isTooDeep = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth > depthMax || Object.values(value).some((item) => isTooDeep(item, depth + 1)));

/** Goes before the schema, in this order: each lets the next walk through all of it. */
function refuseShape(given: object): string | undefined {
  if (isTooDeep(given)) return `must not be deeper than ${depthMax}`;
  if (Buffer.byteLength(JSON.stringify(given)) > bytesMax) return `must have at most ${bytesMax} bytes`;
  return hasBadText(given) ? 'must be valid Unicode, without NUL' : undefined;
}

/** Ajv tells of a field that is missing, or one too many, where it would stand. */
function errorOf(error: ErrorObject): FieldError {
  const { missingProperty, additionalProperty } = error.params as Record<string, unknown>; // typed by keyword only in Ajv's own vocabulary
  const { field, message } = fieldErrorOf('config', error);
  if (missingProperty !== undefined) return { field: `${field}.${missingProperty}`, message: 'is required' };
  if (additionalProperty !== undefined)
    return { field: `${field}.${additionalProperty}`, message: 'is no field of this type of channel' };
  return { field, message };
}

function refuse(errors: readonly FieldError[]): void {
  const first = errors.filter((one, at) => errors.findIndex(({ field }) => field === one.field) === at);
  if (first.length > 0) throw invalidFields('4000', first);
}

function refuseTargets(typeCode: DeliveringType, config: Config, targetRule: TargetRule): FieldError[] {
  const field = targetFields[typeCode];
  const target = field === null ? undefined : config[field];
  const secret = typeCode === 'WEBHOOK' ? config[signingField] : undefined;
  const found = [
    [field, typeof target === 'string' ? targetRule(typeCode, target) : undefined],
    [signingField, typeof secret === 'string' ? refuseSigningSecret(secret) : undefined],
  ] as const;
  return found.flatMap(([name, message]) =>
    message === undefined ? [] : [{ field: `config.${name}`, message }],
  );
}

/** What was sealed before, as far as the schema still knows it. */
function keptFields(schema: ConfigSchema, { fields, signing }: ChannelSecrets): Config {
  const known = secretFieldsOf(schema);
  const kept = Object.entries({ ...fields, ...(signing && { [signingField]: signing.current }) });
  return Object.fromEntries(kept.filter(([name]) => known.includes(name)));
}

function signingOf(
  given: unknown,
  kept: ChannelSecrets | undefined,
  nowMs: number,
): ChannelSecrets['signing'] {
  const before = kept?.signing;
  if (typeof given !== 'string') return before ?? { current: newSigningSecret() };
  if (before === undefined) return { current: given };
  return before.current === given ? before : rotated(before, given, nowMs);
}

/**
 * Reads what a channel is to be configured with, or refuses it field by field. Of what may not be shown, what is left out stays
 * as it was kept; of everything else, what is left out is gone, or the schema's default.
 */
export function readConfig(
  { typeCode, schema }: TypeOfChannel,
  given: object,
  targetRule: TargetRule,
  nowMs: number,
  kept?: ChannelSecrets,
): Settings {
  const bad = refuseShape(given);
  refuse(bad === undefined ? [] : [{ field: 'config', message: bad }]);
  const config: Config = structuredClone({ ...(kept && keptFields(schema, kept)), ...given });
  refuse(checkOf(schema)(config).map(errorOf));
  refuse(refuseTargets(typeCode, config, targetRule));
  const isSigning = (name: string) => typeCode === 'WEBHOOK' && name === signingField;
  const secretNames = secretFieldsOf(schema);
  const entries = Object.entries(config).filter(([name]) => !isSigning(name));
  const fields = Object.fromEntries(
    entries.filter(([name]) => secretNames.includes(name)).map(([name, value]) => [name, String(value)]),
  );
  const signing = typeCode === 'WEBHOOK' ? signingOf(config[signingField], kept, nowMs) : undefined;
  return {
    config: Object.fromEntries(entries.filter(([name]) => !secretNames.includes(name))),
    secrets: { fields, ...(signing && { signing }) },
  };
}
