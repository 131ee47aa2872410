import { entriesOf, isObject, type JsonObject, own, resolve, texts } from '../../../ui/json.ts';
import { schemaWords } from '../../../words/channel-types.ts';
import { shippedText } from '../../../words/shipped-types.ts';
import { type Constraint, constraintsOf } from './constraints.ts';

/** A setting, or a part of one: its name leads to it from the top. */
export type SchemaRow = {
  name: string;
  depth: number;
  type: string;
  /** Undefined where the question makes no sense: of an item, of an alternative. */
  isRequired: boolean | undefined;
  constraints: readonly Constraint[];
  description: string | undefined;
};

/** Deeper than this, and longer, nobody reads a table; a schema that contains itself has no end. */
const maxDepth = 6;
export const maxRows = 300;

type Place = Pick<SchemaRow, 'name' | 'depth' | 'isRequired'>;
type Walk = { root: JsonObject; rows: SchemaRow[] };

const choices = ['oneOf', 'anyOf', 'allOf'] as const;
const choiceNames = { oneOf: 'oneOfCount', anyOf: 'anyOfCount', allOf: 'allOfCount' } as const;

function statedTypes(schema: JsonObject): string[] {
  const stated = own(schema, 'type');
  if (stated !== undefined) return typeof stated === 'string' ? [stated] : texts(stated);
  if (isObject(own(schema, 'properties'))) return ['object'];
  return own(schema, 'items') === undefined ? [] : ['array'];
}

function valueTypes(schema: JsonObject): string[] {
  const allowed = own(schema, 'enum');
  const samples = Array.isArray(allowed) ? allowed : [own(schema, 'const')];
  return [...new Set(samples.filter((each) => each !== undefined).map(typeNameOf))];
}

function typeNameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** "string", "string or null", "array of integer", "one of 2". */
function typeOf(root: JsonObject, schema: unknown, depth = 0): string {
  if (schema === false) return schemaWords.nothing;
  if (!isObject(schema)) return schemaWords.anything;
  const known = statedTypes(schema);
  const choice = choices.find((key) => Array.isArray(own(schema, key)));
  if (known.length === 0 && choice !== undefined) {
    const options = own(schema, choice);
    return schemaWords[choiceNames[choice]](Array.isArray(options) ? options.length : 0);
  }
  const items = resolve(root, own(schema, 'items'));
  if (known.length === 1 && known[0] === 'array' && isObject(items) && depth < maxDepth)
    return schemaWords.arrayOf(typeOf(root, items, depth + 1));
  const all = known.length > 0 ? known : valueTypes(schema);
  if (all.length > 0) return all.join(schemaWords.or);
  const reference = own(schema, '$ref');
  return typeof reference === 'string' ? reference : schemaWords.anything;
}

const describe = (schema: JsonObject) => {
  const parts = ['title', 'description'].map((key) => own(schema, key));
  const told = texts(parts)
    .filter((each) => each !== '')
    .map(shippedText);
  return told.length === 0 ? undefined : told.join(schemaWords.colon);
};

/** The parts of an alternative are named as parts of the whole. */
function addRow(walk: Walk, given: unknown, place: Place, path = place.name): void {
  if (walk.rows.length >= maxRows) return;
  const schema = resolve(walk.root, given);
  const object = isObject(schema) ? schema : {};
  walk.rows.push({
    ...place,
    type: typeOf(walk.root, schema),
    constraints: constraintsOf(object),
    description: describe(object),
  });
  if (place.depth < maxDepth) addParts(walk, object, path, place.depth + 1);
}

function addItems(walk: Walk, schema: JsonObject, name: string, depth: number): void {
  const items = resolve(walk.root, own(schema, 'items'));
  const places = Array.isArray(items) ? items : own(schema, 'prefixItems');
  for (const [index, each] of Array.isArray(places) ? places.entries() : [])
    addRow(walk, each, { name: `${name}[${index}]`, depth, isRequired: undefined });
  if (!isObject(items)) return;
  const hasParts = [own(items, 'properties'), own(items, 'items')].some((each) => each !== undefined);
  const hasRules = constraintsOf(items).length > 0 || choices.some((key) => own(items, key) !== undefined);
  if (hasParts || hasRules || describe(items) !== undefined)
    addRow(walk, items, { name: `${name}[]`, depth, isRequired: undefined });
}

function addProperties(walk: Walk, schema: JsonObject, below: (part: string) => string, depth: number): void {
  const required = texts(own(schema, 'required'));
  const named = entriesOf(own(schema, 'properties')).map(([part, each]) => {
    return { each, place: { name: below(part), depth, isRequired: required.includes(part) } };
  });
  const inOrder = [
    ...named.filter(({ place }) => place.isRequired),
    ...named.filter(({ place }) => !place.isRequired),
  ];
  for (const { each, place } of inOrder) addRow(walk, each, place);
  for (const [pattern, each] of entriesOf(own(schema, 'patternProperties')))
    addRow(walk, each, { name: below(`/${pattern}/`), depth, isRequired: undefined });
  const others = own(schema, 'additionalProperties');
  if (isObject(others)) addRow(walk, others, { name: below('*'), depth, isRequired: undefined });
}

/** The rows below a schema: properties, items, alternatives. */
function addParts(walk: Walk, schema: JsonObject, path: string, depth: number): void {
  addProperties(walk, schema, (part) => (path === '' ? part : `${path}.${part}`), depth);
  addItems(walk, schema, path, depth);
  for (const key of choices) {
    const options = own(schema, key);
    for (const [index, option] of Array.isArray(options) ? options.entries() : []) {
      const name = schemaWords[key === 'allOf' ? 'part' : 'option'](index + 1);
      const place = { name: path === '' ? name : `${path} · ${name}`, depth, isRequired: undefined };
      addRow(walk, option, place, path);
    }
  }
}

/** A JSON Schema as the rows of a table, each part below the whole that it belongs to. */
export function schemaRows(schema: unknown): SchemaRow[] {
  if (!isObject(schema)) return [];
  const walk: Walk = { root: schema, rows: [] };
  const top = resolve(schema, schema);
  if (isObject(top)) addParts(walk, top, '', 0);
  return walk.rows;
}
