import { inline, isObject, type JsonObject, own, texts } from './json.ts';

/** What a value must be: words, then what is to be read letter by letter. */
export type Constraint = { words: string; codes?: readonly string[] };

const count = (value: number) => value.toLocaleString('en');

function range(min: unknown, max: unknown, unit: string): Constraint[] {
  const [low, high] = [min, max].map((each) => (typeof each === 'number' ? each : undefined));
  const units = (value: number) => (unit === '' ? '' : ` ${value === 1 ? unit : plural(unit)}`);
  if (low !== undefined && high !== undefined)
    return [
      {
        words:
          low === high
            ? `exactly ${count(low)}${units(low)}`
            : `${count(low)} to ${count(high)}${units(high)}`,
      },
    ];
  if (low !== undefined) return [{ words: `at least ${count(low)}${units(low)}` }];
  if (high !== undefined) return [{ words: `at most ${count(high)}${units(high)}` }];
  return [];
}

const plural = (unit: string) => (unit.endsWith('y') ? `${unit.slice(0, -1)}ies` : `${unit}s`);

const ranges = [
  ['minLength', 'maxLength', 'character'],
  ['minimum', 'maximum', ''],
  ['minItems', 'maxItems', 'item'],
  ['minProperties', 'maxProperties', 'property'],
] as const;

const limits = [
  ['exclusiveMinimum', 'more than'],
  ['exclusiveMaximum', 'less than'],
  ['multipleOf', 'a multiple of'],
] as const;

const notices = [
  ['uniqueItems', true, 'no duplicates'],
  ['writeOnly', true, 'write-only'],
  ['readOnly', true, 'read-only'],
  ['deprecated', true, 'deprecated'],
  ['additionalProperties', false, 'no other properties'],
] as const;

/** Rules that the table has no words for; the JSON has them. */
const further = [
  'not',
  'if',
  'contains',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contentEncoding',
  'contentMediaType',
];

function values(schema: JsonObject): Constraint[] {
  const [allowed, examples] = [own(schema, 'enum'), own(schema, 'examples')];
  const [constant, format, pattern] = ['const', 'format', 'pattern'].map((key) => own(schema, key));
  return [
    ...(Array.isArray(allowed) ? [{ words: 'one of', codes: allowed.map(inline) }] : []),
    ...(constant === undefined ? [] : [{ words: 'always', codes: [inline(constant)] }]),
    ...(typeof format === 'string' ? [{ words: 'format', codes: [format] }] : []),
    ...(typeof pattern === 'string' ? [{ words: 'matches', codes: [pattern] }] : []),
    ...(Array.isArray(examples) && examples.length > 0
      ? [{ words: 'such as', codes: examples.map(inline) }]
      : []),
  ];
}

/** Names that a schema requires and does not describe: alternatives often say no more than that. */
function undescribed(schema: JsonObject): string[] {
  const described = own(schema, 'properties');
  return texts(own(schema, 'required')).filter(
    (name) => !isObject(described) || !Object.hasOwn(described, name),
  );
}

/** Every rule of a schema about its own value, in words. */
export function constraintsOf(schema: JsonObject): Constraint[] {
  const unnamed = further.filter((key) => own(schema, key) !== undefined);
  const needed = undescribed(schema);
  const usual = own(schema, 'default');
  return [
    ...values(schema),
    ...(needed.length === 0 ? [] : [{ words: 'requires', codes: needed }]),
    ...ranges.flatMap(([min, max, unit]) => range(own(schema, min), own(schema, max), unit)),
    ...limits.flatMap(([key, words]) => {
      const limit = own(schema, key);
      return typeof limit === 'number' ? [{ words: `${words} ${count(limit)}` }] : [];
    }),
    ...notices.filter(([key, value]) => own(schema, key) === value).map(([, , words]) => ({ words })),
    ...(usual === undefined ? [] : [{ words: 'default', codes: [inline(usual)] }]),
    ...(unnamed.length === 0 ? [] : [{ words: 'further rules in the JSON:', codes: unnamed }]),
  ];
}
