import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { Static, TObject, TSchema } from 'typebox';
import { type FieldError, invalidFields } from './api-error.ts';
import { once } from './once.ts';

const ajv = new Ajv({ strict: true, strictTypes: false, coerceTypes: false, verbose: true });

export type StringRule = (value: string) => string | undefined;

/** Rules that JSON Schema cannot say: each gives what is wrong, or nothing. */
ajv.addKeyword({
  keyword: 'rule',
  type: 'string',
  schemaType: 'string',
  errors: true,
  validate: function check(name: string, value: string) {
    const message = rules.get(name)?.(value);
    if (message === undefined) return true;
    Object.assign(check, { errors: [{ keyword: 'rule', message, params: {} }] });
    return false;
  },
});

/** What the codes of an enum stand for; messages say it. */
ajv.addKeyword({ keyword: 'names', schemaType: 'object' });

const rules = new Map<string, StringRule>();

export function defineRule(name: string, rule: StringRule): { rule: string } {
  if (rules.has(name)) throw new Error(`there are two rules called ${name}`);
  rules.set(name, rule);
  return { rule: name };
}

const notBlank = defineRule('notBlank', (value) => (value.trim() === '' ? 'must not be blank' : undefined));

/** Options for a string that has to say something. */
export const required = notBlank;

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

type Choices = { enum?: (string | number)[]; names?: Readonly<Record<string | number, string>> };

function listed({ enum: choices = [], names = {} }: Choices): string {
  return choices.map((code) => (Object.hasOwn(names, code) ? `${code} (${names[code]})` : code)).join(', ');
}

function describe(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>; // Ajv types params by keyword only in its own vocabulary
  const schema = error.parentSchema as Choices; // with verbose, Ajv always gives it
  switch (error.keyword) {
    case 'type': {
      const article = /^[aio]/.test(String(params['type'])) ? 'an' : 'a';
      return `must be ${article} ${params['type']}${schema.enum === undefined ? '' : `, one of ${listed(schema)}`}`;
    }
    case 'enum':
      return `must be one of ${listed(schema)}`;
    case 'minLength':
      return `must have at least ${plural(params['limit'] as number, 'character')}`;
    case 'maxLength':
      return `must have at most ${plural(params['limit'] as number, 'character')}`;
    case 'maxItems':
      return `must have at most ${plural(params['limit'] as number, 'item')}`;
    default:
      return error.message ?? 'is invalid';
  }
}

export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** PostgreSQL stores neither NUL nor half a surrogate pair, and neither belongs into a text. */
function findBadString(value: unknown, path: string): FieldError | undefined {
  if (typeof value === 'string') {
    return isStorable(value) ? undefined : { field: path, message: 'must be valid Unicode, without NUL' };
  }
  if (!Array.isArray(value)) return undefined;
  for (const [index, item] of value.entries()) {
    const bad = findBadString(item, `${path}[${index}]`);
    if (bad) return bad;
  }
  return undefined;
}

/** What is wrong, at the name that the API gives the field. */
export function fieldErrorOf(field: string, error: ErrorObject): FieldError {
  const path = error.instancePath.replace(/\/(\d+)/g, '[$1]').replaceAll('/', '.');
  return { field: `${field}${path}`, message: describe(error) };
}

/** The schema goes first: what it lets pass is only as deep as itself, and recursion is safe on it. */
function checkField(field: string, validator: ValidateFunction, value: unknown): FieldError | undefined {
  if (validator(value)) return findBadString(value, field);
  const error = validator.errors?.[0];
  return error === undefined ? { field, message: 'is invalid' } : fieldErrorOf(field, error);
}

/**
 * A reader of JSON objects: known fields are checked one by one and copied, unknown ones are dropped,
 * null in an optional field is absence, unless its schema names it. What comes back is exactly what was validated.
 */
export function reader<Schema extends TObject>(schema: Schema): (input: object) => Static<Schema> {
  const properties = once(() =>
    Object.entries<TSchema>(schema.properties).map(([field, property]) => ({
      field,
      validator: ajv.compile(property),
      isRequired: (schema.required as string[] | undefined)?.includes(field) === true,
      // Where a schema names null, null is a value; elsewhere it is absence.
      takesNull: 'anyOf' in property && ajv.validate(property, null),
    })),
  );
  return (input) => {
    const output: Record<string, unknown> = {};
    const errors: FieldError[] = [];
    for (const { field, validator, isRequired, takesNull } of properties()) {
      const value = Object.hasOwn(input, field) ? (input as Record<string, unknown>)[field] : undefined;
      if (value === undefined || (value === null && !takesNull)) {
        if (isRequired) errors.push({ field, message: 'is required' });
        continue;
      }
      const error = checkField(field, validator, value);
      if (error) errors.push(error);
      else output[field] = value;
    }
    if (errors.length > 0) throw invalidFields('4000', errors);
    return output as Static<Schema>; // every property above passed its schema
  };
}

/** Query parameters are text: gives numbers and booleans their own type, and leaves the rest for reader() to refuse. */
export function typedQuery(schema: TObject, query: { [name: string]: unknown }): { [name: string]: unknown } {
  const entries = Object.entries<TSchema>(schema.properties).map(([name, property]) => {
    const text = Object.hasOwn(query, name) ? query[name] : undefined;
    const type = 'type' in property ? property.type : undefined;
    if (type === 'integer' && typeof text === 'string' && /^(0|-?[1-9][0-9]*)$/.test(text))
      return [name, Number(text)];
    if (type === 'boolean' && (text === 'true' || text === 'false')) return [name, text === 'true'];
    return [name, text];
  });
  return Object.fromEntries(entries);
}
