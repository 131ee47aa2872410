import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configurationOf } from '../../portal/src/pages/channel-types/configuration.ts';
import { constraintsOf } from '../../portal/src/pages/channel-types/schema/constraints.ts';
import { maxRows, schemaRows } from '../../portal/src/pages/channel-types/schema/rows.ts';
import { inWords } from '../../portal/src/ui/json.ts';

/** "name: type", with a star at what is required. */
const short = (schema: unknown) =>
  schemaRows(schema).map(({ name, type, isRequired }) => `${name}${isRequired ? '*' : ''}: ${type}`);

const words = (schema: { [key: string]: unknown }) =>
  constraintsOf(schema).map(({ words: text, codes = [] }) => [text, ...codes].join(' '));

describe('the rows of a schema', () => {
  it('name every property, what is required first', () => {
    const properties = { a: { type: 'string' }, b: { type: ['integer', 'null'] }, c: { enum: ['x', null] } };
    expect(short({ type: 'object', required: ['b'], properties })).toEqual([
      'b*: integer or null',
      'a: string',
      'c: string or null',
    ]);
  });

  it('go into objects and arrays', () => {
    const item = { type: 'object', properties: { n: { type: 'number' } } };
    const properties = {
      o: { type: 'object', properties: { p: { type: 'string' } }, additionalProperties: { type: 'boolean' } },
      list: { type: 'array', items: item },
      plain: { type: 'array', items: { type: 'string' } },
      pair: { prefixItems: [{ type: 'string' }, { type: 'integer' }] },
    };
    expect(short({ properties })).toEqual([
      'o: object',
      'o.p: string',
      'o.*: boolean',
      'list: array of object',
      'list[]: object',
      'list[].n: number',
      'plain: array of string',
      'pair: anything',
      'pair[0]: string',
      'pair[1]: integer',
    ]);
  });

  it('tell alternatives, whose parts are parts of the whole', () => {
    const option = (name: string) => ({ required: [name], properties: { [name]: { type: 'string' } } });
    expect(short({ properties: { auth: { oneOf: [option('token'), option('user')] } } })).toEqual([
      'auth: one of 2',
      'auth · option 1: object',
      'auth.token*: string',
      'auth · option 2: object',
      'auth.user*: string',
    ]);
    expect(words({ required: ['email'] })).toEqual(['requires email']);
  });

  it('follow references, also those of a schema that contains itself', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } };
    const rows = short({ properties: { head: { $ref: '#/$defs/node' } }, $defs: { node } });
    expect(rows.slice(0, 3)).toEqual(['head: object', 'head.next: object', 'head.next.next: object']);
    expect(rows.length).toBeLessThan(10);
    expect(short({ properties: { other: { $ref: 'https://x.example/y' } } })).toEqual([
      'other: https://x.example/y',
    ]);
    expect(short({ properties: { loop: { $ref: '#/properties/loop' } } })).toHaveLength(1);
  });

  it('come to an end, whatever is called a schema', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        expect(schemaRows(value).length).toBeLessThanOrEqual(maxRows);
        expect(schemaRows({ properties: value, items: value, oneOf: value }).length).toBeLessThanOrEqual(
          maxRows,
        );
        configurationOf(value);
        configurationOf({ address: value, configSchema: value, providers: value, capabilities: value });
      }),
    );
  });
});

describe('constraints', () => {
  it('are told in words', () => {
    expect(words({ minLength: 16 })).toEqual(['at least 16 characters']);
    expect(words({ minLength: 1, maxLength: 80, pattern: '^x' })).toEqual([
      'matches ^x',
      '1 to 80 characters',
    ]);
    expect(words({ minimum: 1, maximum: 30, default: 10 })).toEqual(['1 to 30', 'default 10']);
    expect(words({ exclusiveMinimum: 0, multipleOf: 5 })).toEqual(['more than 0', 'a multiple of 5']);
    expect(words({ minItems: 1, maxItems: 1, uniqueItems: true })).toEqual([
      'exactly 1 item',
      'no duplicates',
    ]);
    expect(words({ enum: ['a', 1, null], default: '' })).toEqual(['one of a 1 null', 'default ']);
    expect(words({ const: { a: 1 }, writeOnly: true })).toEqual(['always {"a":1}', 'write-only']);
    expect(words({ maxProperties: 2, additionalProperties: false })).toEqual([
      'at most 2 properties',
      'no other properties',
    ]);
  });

  it('that have no words are not passed over in silence', () => {
    expect(words({ not: {}, if: {} })).toEqual(['further rules in the JSON: not if']);
  });
});

it('keys are told in words', () => {
  const keys = ['deliveryReceipts', 'html', 'MAX_SIZE', 'kind'];
  expect(keys.map(inWords)).toEqual(['Delivery receipts', 'HTML', 'Max size', 'Kind']);
});
