import { Ajv, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { isStorable } from '../contract/validate.ts';
import { type DeliveringType, targetFields } from './types.ts';

/** How a schema says what it is written in; one that says nothing is of the newest. */
const dialects = {
  'https://json-schema.org/draft/2020-12/schema': Ajv2020,
  'http://json-schema.org/draft-07/schema#': Ajv,
} as const;

const isDialect = (text: unknown): text is keyof typeof dialects =>
  typeof text === 'string' && Object.hasOwn(dialects, text);

export type ConfigSchema = { [keyword: string]: unknown };

type Json = { [name: string]: unknown };
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** By name; of a schema that was let in. */
const propertiesOf = ({ properties }: ConfigSchema): Json => (isObject(properties) ? properties : {});

const isWriteOnly = (property: unknown) => isObject(property) && property['writeOnly'] === true;

/** Fields that are sealed, and shown to nobody again. */
export const secretFieldsOf = (schema: ConfigSchema): string[] =>
  Object.entries(propertiesOf(schema))
    .filter(([, property]) => isWriteOnly(property))
    .map(([field]) => field);

/** Whether a field is there to choose this from. */
export function offers(schema: ConfigSchema, field: string, choice: string): boolean {
  const property = propertiesOf(schema)[field];
  return isObject(property) && Array.isArray(property['enum']) && property['enum'].includes(choice);
}

/** Texts and names that cannot be kept. */
export function hasBadText(value: unknown): boolean {
  if (typeof value === 'string') return !isStorable(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, item]) => !isStorable(name) || hasBadText(item));
}

const depthMax = 16;

/** What is wrong with a part of a schema, wherever it stands. */
function refusePart(part: unknown, path: readonly string[]): string | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  if (path.length > depthMax) return `must not be deeper than ${depthMax}`;
  const at = path.length === 0 ? '' : ` (at ${path.join('.')})`;
  for (const [name, value] of Object.entries(part)) {
    if (/^\$(ref|dynamicRef|recursiveRef)$/.test(name) && typeof value === 'string' && !value.startsWith('#'))
      return `must refer to nothing outside of itself${at}`;
    if (name === '$async') return `must not be asynchronous${at}`;
    if (name === 'writeOnly' && value === true && !isSecretText(part, path))
      return `may say writeOnly only of strings directly below properties${at}`;
    const refusal = refusePart(value, [...path, name]);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** What is sealed is text, and a field of its own. */
const isSecretText = (part: object, path: readonly string[]) =>
  path.length === 2 && path[0] === 'properties' && 'type' in part && part.type === 'string';

type Check = (config: Json) => readonly ErrorObject[];

/** Of its own each time: what one schema names is unknown to others. Defaults are filled into what is checked. */
function compile(schema: ConfigSchema): Check {
  const dialect = schema['$schema'] ?? 'https://json-schema.org/draft/2020-12/schema';
  if (!isDialect(dialect)) throw new Error(`$schema must be one of ${Object.keys(dialects).join(', ')}`);
  const ajv = new dialects[dialect]({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    useDefaults: true,
    verbose: true,
    logger: false,
  });
  formats.default(ajv);
  const validate = ajv.compile(schema);
  return (config) => (validate(config) ? [] : (validate.errors ?? []));
}

/** What is wrong with a schema, or nothing. */
export function refuseSchema(schema: unknown): string | undefined {
  if (!isObject(schema)) return 'must be a JSON object';
  if (schema['type'] !== 'object') return 'must be of an object: its type must be "object"';
  const refusal = refusePart(schema, []);
  if (refusal !== undefined) return refusal;
  if (hasBadText(schema)) return 'must be valid Unicode, without NUL';
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    return `is no valid JSON Schema: ${error instanceof Error ? error.message : 'it cannot be read'}`;
  }
}

/** What a type cannot be delivered without: where to. */
export function refuseTargetless(schema: ConfigSchema, typeCode: DeliveringType): string | undefined {
  const field = targetFields[typeCode];
  if (field === null) return undefined;
  const property = propertiesOf(schema)[field];
  const isText = isObject(property) && property['type'] === 'string';
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return isText && required.includes(field)
    ? undefined
    : `must require ${field}, a string: it is where a channel of type ${typeCode} sends to`;
}

const compiledMax = 100;
const compiled = new Map<string, Check>();

/** Made once for each text of a schema: there are as many as types, and those that were changed. */
export function checkOf(schema: ConfigSchema): Check {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known !== undefined) return known;
  if (compiled.size >= compiledMax) compiled.clear();
  const check = compile(schema);
  compiled.set(text, check);
  return check;
}
