import { formatCount } from '../../../ui/format.ts';
import { inline, isObject, type JsonObject, own, texts } from '../../../ui/json.ts';
import { schemaWords } from '../../../words/channel-types.ts';

/** What a value must be: words, then what is to be read letter by letter. */
export type Constraint = { words: string; codes?: readonly string[] };

type Unit = (count: number, shown: string) => string;

function range(min: unknown, max: unknown, unit: Unit): Constraint[] {
  const [low, high] = [min, max].map((each) => (typeof each === 'number' ? each : undefined));
  const units = (value: number) => unit(value, formatCount(value));
  if (low !== undefined && high !== undefined)
    return [
      {
        words:
          low === high ? schemaWords.exactly(units(low)) : schemaWords.range(formatCount(low), units(high)),
      },
    ];
  if (low !== undefined) return [{ words: schemaWords.atLeast(units(low)) }];
  if (high !== undefined) return [{ words: schemaWords.atMost(units(high)) }];
  return [];
}

const ranges = (): readonly [min: string, max: string, unit: Unit][] => [
  ['minLength', 'maxLength', schemaWords.characters],
  ['minimum', 'maximum', (_count, shown) => shown],
  ['minItems', 'maxItems', schemaWords.items],
  ['minProperties', 'maxProperties', schemaWords.properties],
];

const limits = [
  ['exclusiveMinimum', 'moreThan'],
  ['exclusiveMaximum', 'lessThan'],
  ['multipleOf', 'multipleOf'],
] as const;

const notices = [
  ['uniqueItems', true, 'noDuplicates'],
  ['writeOnly', true, 'writeOnly'],
  ['readOnly', true, 'readOnly'],
  ['deprecated', true, 'deprecated'],
  ['additionalProperties', false, 'noOthers'],
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
    ...(Array.isArray(allowed) ? [{ words: schemaWords.oneOf, codes: allowed.map(inline) }] : []),
    ...(constant === undefined ? [] : [{ words: schemaWords.always, codes: [inline(constant)] }]),
    ...(typeof format === 'string' ? [{ words: schemaWords.format, codes: [format] }] : []),
    ...(typeof pattern === 'string' ? [{ words: schemaWords.matches, codes: [pattern] }] : []),
    ...(Array.isArray(examples) && examples.length > 0
      ? [{ words: schemaWords.suchAs, codes: examples.map(inline) }]
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
    ...(needed.length === 0 ? [] : [{ words: schemaWords.requires, codes: needed }]),
    ...ranges().flatMap(([min, max, unit]) => range(own(schema, min), own(schema, max), unit)),
    ...limits.flatMap(([key, name]) => {
      const limit = own(schema, key);
      return typeof limit === 'number' ? [{ words: schemaWords[name](formatCount(limit)) }] : [];
    }),
    ...notices
      .filter(([key, value]) => own(schema, key) === value)
      .map(([, , name]) => ({ words: schemaWords[name] })),
    ...(usual === undefined ? [] : [{ words: schemaWords.usual, codes: [inline(usual)] }]),
    ...(unnamed.length === 0 ? [] : [{ words: schemaWords.further, codes: unnamed }]),
  ];
}
