import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../src/pages/channels/schema/fields.ts';
import { configOf, problemOf, type Values, valuesOf } from '../src/pages/channels/schema/values.ts';

const webhook = {
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  properties: {
    timeoutSeconds: { type: 'integer', minimum: 1, maximum: 30, default: 10, title: 'Timeout in seconds' },
    signingSecret: { type: 'string', writeOnly: true, pattern: '^whsec_', description: 'Made when left out' },
    url: { type: 'string', format: 'uri', pattern: '^https?://', maxLength: 40, title: 'Endpoint URL' },
  },
};

const one = (schema: object, isRequired = false, isNew = true) => {
  const required = isRequired ? ['it'] : [];
  const [field] = fieldsOf({ type: 'object', required, properties: { it: schema } }, isNew);
  if (field === undefined) throw new Error('no field');
  return field;
};

const problemsOf = (schema: object, texts: readonly string[], isRequired = false) =>
  texts.map((text) => problemOf(one(schema, isRequired), text));

/** What a form would send if nobody typed anything but this. */
const sent = (schema: unknown, typed: Values = {}, isNew = true) => {
  const fields = fieldsOf(schema, isNew);
  return configOf(fields, { ...valuesOf(fields, undefined), ...typed });
};

describe('the fields of a schema', () => {
  it('are what it describes, what is required first, in its own words or else in those of the name', () => {
    const short = fieldsOf(webhook, true).map(({ name, label, kind, isRequired, isSecret }) => ({
      [name]: [label, kind, isRequired, isSecret],
    }));
    expect(short).toEqual([
      { url: ['Endpoint URL', 'url', true, false] },
      { timeoutSeconds: ['Timeout in seconds', 'integer', false, false] },
      { signingSecret: ['Signing secret', 'text', false, true] },
    ]);
  });

  it('have a kind for all that can be typed, and take the rest as JSON', () => {
    const kinds = (schemas: readonly object[]) => schemas.map((schema) => one(schema).kind);
    expect(
      kinds([
        { type: 'string' },
        { type: 'string', format: 'email' },
        { type: 'string', format: 'uuid' },
        { type: ['string', 'null'], format: 'uri' },
        { type: 'number' },
        { type: 'boolean' },
        { enum: ['a', 1] },
        { const: 'x' },
      ]),
    ).toEqual(['text', 'email', 'text', 'url', 'number', 'boolean', 'choice', 'choice']);
    const others = [
      { type: 'object' },
      { type: 'array' },
      { type: ['string', 'integer'] },
      {},
      { type: 'constructor' },
    ];
    expect(kinds(others)).toEqual(others.map(() => 'json'));
  });

  it('follow references, and are none where nothing is described', () => {
    const schema = {
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: { type: 'boolean', title: 'A' } },
    };
    expect(fieldsOf(schema, true)).toMatchObject([{ name: 'a', label: 'A', kind: 'boolean' }]);
    for (const nothing of [undefined, null, true, [], {}, { type: 'object', properties: {} }])
      expect(fieldsOf(nothing, true)).toEqual([]);
  });

  it('ask of a channel that is there for no secret that it has', () => {
    const slack = { required: ['url'], properties: { url: { type: 'string', writeOnly: true } } };
    expect(fieldsOf(slack, true)).toMatchObject([{ isRequired: true, isKept: false }]);
    expect(fieldsOf(slack, false)).toMatchObject([{ isRequired: false, isKept: true }]);
    expect(sent(slack, {}, false)).toEqual({});
  });
});

describe('what is typed', () => {
  it('begins with the defaults, or with what is there, but for its secrets', () => {
    const fields = fieldsOf(webhook, false);
    expect(valuesOf(fields, undefined)).toEqual({ url: '', signingSecret: '', timeoutSeconds: '10' });
    const config = { url: 'https://a.example/', timeoutSeconds: 5, signingSecret: 'whsec_never' };
    expect(valuesOf(fields, config)).toEqual({
      url: 'https://a.example/',
      timeoutSeconds: '5',
      signingSecret: '',
    });
  });

  it('is sent as what the schema wants, without what is empty', () => {
    expect(sent(webhook, { url: ' https://a.example/ ' })).toEqual({
      url: 'https://a.example/',
      timeoutSeconds: 10,
    });
    const properties = {
      level: { enum: ['low', 3, null] },
      on: { type: 'boolean' },
      share: { type: 'number' },
      headers: { type: 'object' },
      none: { type: 'string' },
    };
    const typed = { level: '1', on: 'true', share: '0.5', headers: '{"a": [1]}' };
    expect(sent({ properties }, typed)).toEqual({ level: 3, on: true, share: 0.5, headers: { a: [1] } });
    expect(sent({ properties: { on: { type: 'boolean' } } })).toEqual({ on: false });
  });

  it('comes back as it was, whatever it is', () => {
    const properties = {
      text: { type: 'string' },
      flag: { type: 'boolean' },
      count: { type: 'integer' },
      level: { enum: ['low', 'high'] },
      more: { type: 'object' },
    };
    const fields = fieldsOf({ properties }, false);
    const config = fc.record({
      text: fc.string({ minLength: 1 }),
      flag: fc.boolean(),
      count: fc.integer(),
      level: fc.constantFrom('low', 'high'),
      more: fc.dictionary(fc.string(), fc.jsonValue()),
    });
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
    fc.assert(
      fc.property(config, (given) => {
        expect(plain(configOf(fields, valuesOf(fields, plain(given))))).toEqual(plain(given));
      }),
    );
  });
});

describe('what is wrong is said before it is sent', () => {
  it('of what is missing, too long, too short or of another form', () => {
    const url = { type: 'string', format: 'uri', pattern: '^https?://', maxLength: 30, title: 'URL' };
    expect(problemsOf(url, ['', 'partner.example', 'ftp://a.example', 'https://a.example'], true)).toEqual([
      'URL is needed',
      'A whole address, such as https://example.com/hooks',
      'Must match ^https?://',
      undefined,
    ]);
    expect(problemsOf(url, [`https://a.example/${'x'.repeat(30)}`])).toEqual(['At most 30 characters']);
    expect(problemsOf({ type: 'string', minLength: 2 }, ['a', '👩‍🚀'])).toEqual([
      'At least 2 characters',
      undefined,
    ]);
    expect(problemsOf({ type: 'string', format: 'email' }, ['a', 'a@b.example'])).toEqual([
      'An e-mail address, such as name@example.com',
      undefined,
    ]);
  });

  it('of numbers and JSON', () => {
    const whole = { type: 'integer', minimum: 1, maximum: 30 };
    expect(problemsOf(whole, ['1.5', '1e3', 'ten', '0', '31', '30', ''])).toEqual([
      'A whole number',
      'A whole number',
      'A whole number',
      'At least 1',
      'At most 30',
      undefined,
      undefined,
    ]);
    expect(problemsOf({ type: 'number' }, ['Infinity', '1e400', '-0.5'])).toEqual([
      'A number',
      'A number',
      undefined,
    ]);
    expect(problemsOf({ type: 'array' }, ['[1', '[1]'])).toEqual([
      'JSON, such as {"name": "value"}',
      undefined,
    ]);
  });

  it('but never by a pattern that the browser does not understand', () => {
    expect(problemsOf({ type: 'string', pattern: '(?<=' }, ['anything'])).toEqual([undefined]);
  });
});

it('no schema, however strange, keeps the form from being made and sent', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (properties, required) => {
      const fields = fieldsOf({ properties, required }, true);
      const values = valuesOf(fields, undefined);
      if (fields.every((field) => problemOf(field, values[field.name] ?? '') === undefined))
        expect(Object.keys(configOf(fields, values)).length).toBeLessThanOrEqual(fields.length);
    }),
  );
});
