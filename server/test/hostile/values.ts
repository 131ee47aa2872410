import * as fc from 'fast-check';

/** Texts that have broken something somewhere, and some that are right here. */
export const nasty = [
  '',
  ' ',
  ' padded ',
  'line\n',
  '\0',
  'a\0b',
  '\ud83d',
  '\ude00x',
  'a\ud83d',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  "' or 1=1 --",
  "'; drop table api_keys; --",
  '1; select pg_sleep(1)',
  '"',
  '\\',
  '$1',
  '%s%n%x',
  '%00',
  '%ff',
  '../../etc/passwd',
  '..',
  '\u202egnp.exe',
  '\u{1f469}\u200d\u{1f680}',
  'e\u0301'.repeat(64),
  '\u{1f600}'.repeat(128),
  '\u{1f600}'.repeat(129),
  'İ',
  'ß',
  '\ufeff',
  '\u2028',
  '\uffff',
  '\u{10ffff}',
  '\r\nSet-Cookie: a=b',
  '<script>alert(1)</script>',
  'NaN',
  'null',
  'true',
  '-1',
  '-0',
  '0',
  '007',
  '1e30',
  '9'.repeat(400),
  '9223372036854775807',
  '9223372036854775808',
  'INST_DEMO',
  'inst_demo',
  'INST_OTHER',
  'WS_DEMO',
  'WS_OTHER',
  'ACTIVE',
  'COMPLETED',
  'ENABLED',
  'EMAIL',
  'USD',
  'usd',
  '2025-01-31T00:00:00Z',
  '2025-02-30T00:00:00Z',
  '0001-01-01T00:00:00+15:59',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59.999999999-15:59',
  '2025-06-30T23:59:60Z',
  '+275760-09-13T00:00:00Z',
  'infinity',
];

const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...nasty) },
  { weight: 2, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.integer({ min: 0xd7f0, max: 0xe00f }), { maxLength: 8 })
      .map((units) => String.fromCharCode(...units)),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 6000 }).map((length) => 'x'.repeat(length)) },
);

const nested = (depth: number, [open, close]: readonly [string, string]) =>
  `${open.repeat(depth)}1${close.repeat(depth)}`;

const deep = fc
  .tuple(
    fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(50, 2000) },
      { weight: 1, arbitrary: fc.constant(100_000) },
    ),
    fc.constantFrom(['[', ']'] as const, ['{"a":', '}'] as const),
  )
  .map(([depth, brackets]) => nested(depth, brackets));

const numbers = fc.constantFrom(
  ...['0', '1', '2', '7', '99', '-0', '-1', '1.0', '1.5', '1e0', '1e30', '-1e30', '1e999', '1e-400'],
  '123456789012345678901234567890',
  '9007199254740993',
);

/** JSON as text, since much that can be sent cannot be had by serialising a value. */
const scalar: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: text.map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: numbers },
  { weight: 1, arbitrary: fc.constantFrom('true', 'false', 'null', '[]', '{}', '[null]', '[[]]') },
);
export const json: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 4 }).map((items) => `[${items.join(',')}]`) },
  { weight: 1, arbitrary: deep },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 90, max: 300 }).map((count) => `[${'"::1",'.repeat(count)}"::1"]`),
  },
);

/** Members in any order, with repeated names and names of the prototype. */
export function objectText(fields: Record<string, fc.Arbitrary<string>>): fc.Arbitrary<string> {
  const good = Object.entries(fields).map(([name, value]) =>
    fc.tuple(fc.constant(name), fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: json })),
  );
  const any = fc.tuple(
    fc.oneof(fc.constantFrom(...Object.keys(fields), '__proto__', 'constructor'), text),
    json,
  );
  return fc
    .tuple(fc.tuple(...good), fc.array(any, { maxLength: 2 }), fc.integer({ min: 0, max: 40 }))
    .map(([base, more, dropped]) =>
      [...base.filter((_member, index) => index !== dropped), ...more]
        .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
        .join(','),
    )
    .map((members) => `{${members}}`);
}

/** Bytes of a body: mostly the text as it is, now and then spoilt. */
export function bodyBytes(body: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  const spoil: ((bytes: Buffer) => Buffer)[] = [
    (bytes) => bytes.subarray(0, bytes.length - 1),
    (bytes) => Buffer.concat([bytes.subarray(0, 9), Buffer.from([0xff, 0xc0, 0x80]), bytes.subarray(9)]),
    (bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes]),
    (bytes) => Buffer.from(bytes.toString(), 'utf16le'),
    (bytes) => Buffer.concat([bytes, Buffer.from([0])]),
    (bytes) => Buffer.concat([Buffer.from('['), bytes, Buffer.from(']')]),
    () => Buffer.alloc(0),
    () => Buffer.alloc(1_100_000, ' '),
  ];
  const whole = (bytes: Buffer) => bytes;
  return fc
    .tuple(
      body,
      fc.oneof(
        { weight: 9, arbitrary: fc.constant(whole) },
        { weight: 1, arbitrary: fc.constantFrom(...spoil) },
      ),
    )
    .map(([source, change]) => change(Buffer.from(source)));
}

/** What can stand in a header: bytes, as characters up to 255, without line breaks. */
export const headerText: fc.Arbitrary<string> = text.map((value) =>
  Buffer.from(value)
    .toString('latin1')
    .replaceAll(/[^\x20-\x7e\x80-\xff]/g, ''),
);

const encoded = (value: string) =>
  [...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

export const queryValue: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: text.filter((value) => value.length < 1000).map(encoded) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('%', '%z', '%ff', '%c0%80', '%ed%a0%80', '+', '=', '&', '%00', '&&', '=x'),
  },
);

export const quoted = (values: readonly string[]) =>
  fc.constantFrom(...values.map((value) => JSON.stringify(value)));

export const mostly = (good: fc.Arbitrary<string>, bad: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: bad });

export const anyText = text.map((value) => JSON.stringify(value));

export const workspace = fc.oneof(
  { weight: 6, arbitrary: fc.constant('WS_DEMO') },
  { weight: 1, arbitrary: fc.constant('WS_OTHER') },
  {
    weight: 2,
    arbitrary: fc.oneof(
      text.map((value) => encodeURIComponent(value.toWellFormed())),
      queryValue,
    ),
  },
);
