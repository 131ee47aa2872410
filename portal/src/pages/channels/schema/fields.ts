import { entriesOf, inWords, isObject, type JsonObject, own, resolve, texts } from '../../../ui/json.ts';
import { shippedText } from '../../../words/shipped-types.ts';

type Kind = 'text' | 'url' | 'email' | 'integer' | 'number' | 'boolean' | 'choice' | 'json';

/** A setting that a JSON Schema describes, as a field of a form. */
export type SchemaField = {
  name: string;
  label: string;
  description: string | undefined;
  kind: Kind;
  isRequired: boolean;
  /** Written, and never shown again. */
  isSecret: boolean;
  /** There is one already, which stays where nothing is typed. */
  isKept: boolean;
  /** What is chosen from. */
  options: readonly unknown[];
  usual: unknown;
  rules: {
    minimum?: number;
    maximum?: number;
    minLength?: number;
    maxLength?: number;
    pattern?: string;
  };
};

const limits = ['minimum', 'maximum', 'minLength', 'maxLength'] as const;

function rulesOf(schema: JsonObject): SchemaField['rules'] {
  const rules: SchemaField['rules'] = {};
  for (const name of limits) {
    const limit = own(schema, name);
    if (typeof limit === 'number') rules[name] = limit;
  }
  const pattern = own(schema, 'pattern');
  return typeof pattern === 'string' ? { ...rules, pattern } : rules;
}

function optionsOf(schema: JsonObject): readonly unknown[] {
  const [allowed, constant] = [own(schema, 'enum'), own(schema, 'const')];
  if (Array.isArray(allowed)) return allowed;
  return constant === undefined ? [] : [constant];
}

const formats: Readonly<Record<string, Kind>> = { uri: 'url', url: 'url', iri: 'url', email: 'email' };
const kinds: Readonly<Record<string, Kind>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
};

/** What no field of a form can say is typed as JSON. */
function kindOf(schema: JsonObject): Kind {
  if (optionsOf(schema).length > 0) return 'choice';
  const stated = own(schema, 'type');
  const [type, ...others] = (typeof stated === 'string' ? [stated] : texts(stated)).filter(
    (each) => each !== 'null',
  );
  if (type === undefined || others.length > 0 || !Object.hasOwn(kinds, type)) return 'json';
  const format = own(schema, 'format');
  if (type !== 'string' || typeof format !== 'string' || !Object.hasOwn(formats, format))
    return kinds[type] ?? 'json';
  return formats[format] ?? 'text';
}

const textIn = (schema: JsonObject, key: string) => {
  const text = own(schema, key);
  return typeof text === 'string' && text !== '' ? shippedText(text) : undefined;
};

function fieldOf(name: string, given: unknown, isNeeded: boolean, isNew: boolean): SchemaField {
  const schema = isObject(given) ? given : {};
  const isSecret = own(schema, 'writeOnly') === true;
  const isKept = isSecret && !isNew;
  return {
    name,
    label: textIn(schema, 'title') ?? inWords(name),
    description: textIn(schema, 'description'),
    kind: kindOf(schema),
    isRequired: isNeeded && !isKept,
    isSecret,
    isKept,
    options: optionsOf(schema),
    usual: own(schema, 'default'),
    rules: rulesOf(schema),
  };
}

/** The fields of a form for what a schema describes, what is required first. */
export function fieldsOf(schema: unknown, isNew: boolean): SchemaField[] {
  if (!isObject(schema)) return [];
  const top = resolve(schema, schema);
  if (!isObject(top)) return [];
  const required = texts(own(top, 'required'));
  const all = entriesOf(own(top, 'properties')).map(([name, each]) => ({
    isNeeded: required.includes(name),
    field: fieldOf(name, resolve(schema, each), required.includes(name), isNew),
  }));
  return [...all.filter(({ isNeeded }) => isNeeded), ...all.filter(({ isNeeded }) => !isNeeded)].map(
    ({ field }) => field,
  );
}
