import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Where each test stands, from this folder. */
const places = {
  portal: 'suites/portal-endpoint.ts',
  signed: 'suites/signed-endpoint.ts',
  page: 'suites/collection.ts',
  files: '../src/resources/files/files.test.ts',
  keys: '../src/resources/api-keys/api-keys.test.ts',
  types: '../src/resources/channel-types/channel-types.test.ts',
  transfers: '../src/resources/transfers/transfers.test.ts',
  errors: '../src/resources/errors/errors.test.ts',
  endpoints: 'endpoints.test.ts',
  signature: 'signature.test.ts',
  edge: 'http-edge-headers.test.ts',
} as const;

type Row = [section: string, statement: string, place: keyof typeof places, test: string];

const fullEnvelope = 'answers a flat page of file records in the full envelope';
const fileFields = 'gives each field of a record in its type, times in ISO 8601 UTC';
const keyFields = 'answers 201 with exactly the eight fields of a new key';
const typeFields = 'gives each field of a record in its type, with null for no icon and no configuration';
const transferFields =
  'gives amounts as decimal text with the digits of their currency, and times in ISO 8601 UTC';
const shape = 'has the members of its page shape and the fields of its record, and no others';
const defaults = 'answers page 0 of 20 in its default order when nothing is asked';
const invalidPage = 'refuses every other page, size or sort with VALIDATION.INVALID_PARAMETER';
const institution =
  'refuses a missing, null, blank or non-string institutionBizId with 400 4000 that names it';
const filters = 'filters by workspace, category and status, all of them together';
const codes = 'takes every category and status code and returns its name';
const noToken = 'refuses a caller without a token with 401 4010 and WWW-Authenticate';
const turnstile = 'requires a Turnstile verification: else 403 4030';
const owner = 'is for the OWNER alone; a foreign and an unknown workspace answer alike: 403 4030';
const typeFilters = 'applies all filters together';
const signedHeaders = 'refuses a request without any one of the four headers with 401 4011';

/** The interface specification, statement by statement, in our own words. */
const rows: Row[] = [
  ['envelope', 'version, a string of three numbers', 'files', fullEnvelope],
  ['envelope', 'timestamp, epoch milliseconds', 'files', fullEnvelope],
  ['envelope', 'success, true', 'files', fullEnvelope],
  ['envelope', 'code 2000 on success', 'files', fullEnvelope],
  ['envelope', 'message SUCCESS on success', 'files', fullEnvelope],
  ['envelope', 'data on success', 'files', fullEnvelope],
  [
    'envelope',
    'channel types answer code, message and data only',
    'types',
    'answers exactly code, message and data',
  ],
  ['envelope', 'errors carry success, code and message', 'portal', noToken],
  ...[
    'bizId',
    'bucket',
    'objectKey',
    'originalFilename',
    'fileSize',
    'contentType',
    'etag',
    'remark',
    'createdAt',
    'createdBy',
  ].map((field): Row => ['file', field, 'files', fileFields]),
  ['file', 'fileCategory returned as a name, filtered by a code', 'files', codes],
  ['file', 'fileStatus returned as a name, filtered by a code', 'files', codes],
  ...[
    'apiKeyId',
    'secret',
    'name',
    'status ACTIVE',
    'mode as LIVE or TEST',
    'scopes',
    'ipWhitelist',
    'createdAt',
  ].map((field): Row => ['API key', field, 'keys', keyFields]),
  [
    'API key',
    'the secret is returned on creation only',
    'keys',
    'stores the secret encrypted, readable only for its own key, and in no log',
  ],
  [
    'API key',
    'scopes have the shape resource:action, of a catalogue',
    'endpoints',
    'requires every scope of the catalogue somewhere, and no scope beyond it',
  ],
  ...[
    'bizId',
    'typeCode',
    'typeValue',
    'typeName',
    'typeDescription',
    'typeStatus',
    'displayOrder',
    'iconUrl',
    'extraConfig',
    'createdAt',
    'updatedAt',
  ].map((field): Row => ['channel type', field, 'types', typeFields]),
  [
    'channel type',
    'extraConfig may hold anything',
    'types',
    'describes a configuration by its schema, without any secret’s value',
  ],
  ...['transferId', 'amount as decimal text', 'currency', 'status', 'createdAt'].map(
    (field): Row => ['transfer', field, 'transfers', transferFields],
  ),
  ['page', 'flat: content and four integers', 'page', shape],
  ['page', 'nested: content and page with four integers', 'page', shape],
  ['states', 'a new key is ACTIVE', 'keys', keyFields],
  ['states', 'typeStatus is ENABLED or DISABLED', 'types', typeFilters],
  [
    'states',
    'mode 1 is LIVE and the default',
    'keys',
    'is LIVE, with zero access and no IP restriction, when only a name is given',
  ],
  ['states', 'mode 2 is TEST', 'keys', 'makes TEST keys with mode 2, marked in id and secret'],
  ['list files', 'POST at its path, HTTP 200, flat page', 'files', fullEnvelope],
  ['list files', 'newest first by default', 'page', defaults],
  ['list files', 'page defaults to 0, size to 20, sort to createdAt,desc', 'page', defaults],
  ['list files', 'institutionBizId is required: 400 4000', 'files', institution],
  [
    'list files',
    'results belong to one institution',
    'files',
    'answers an unknown institution exactly like a foreign one: 403 4030',
  ],
  ['list files', 'workspaceBizId, fileCategory and fileStatus filter', 'files', filters],
  [
    'list files',
    'filter codes are integers',
    'files',
    'refuses an unknown or non-integer code with 400 4000 that names the field',
  ],
  [
    'list files',
    'an invalid or expired token is 401 4010',
    'portal',
    'refuses a token that has expired, and takes one within 30 s of leeway',
  ],
  ['list files', 'Turnstile is required', 'portal', turnstile],
  ['create key', 'POST below its workspace, HTTP 201, the record', 'keys', keyFields],
  ['create key', 'the caller must be OWNER: 403 4030', 'keys', owner],
  [
    'create key',
    'name of 1 to 128 characters is required',
    'keys',
    'refuses a name that is missing, blank, too long or no string with 400 4000 and stores nothing',
  ],
  ['create key', 'no scopes is no access', 'signed', 'refuses a key without the scope with 403 4031'],
  [
    'create key',
    'mode is an integer, 1 by default',
    'keys',
    'refuses unknown scopes, modes and addresses with 400 4000 that names them',
  ],
  [
    'create key',
    'TEST keys on the partner portal only',
    'keys',
    'makes TEST keys on a partner portal only: else 403 4033',
  ],
  [
    'create key',
    'ipWhitelist takes addresses and CIDR blocks',
    'keys',
    'collapses duplicate scopes and echoes addresses as sent',
  ],
  [
    'create key',
    'an empty ipWhitelist restricts nothing',
    'keys',
    'is LIVE, with zero access and no IP restriction, when only a name is given',
  ],
  ['create key', 'a missing or invalid token is 401 4010', 'portal', noToken],
  ['create key', 'Turnstile is not required', 'portal', 'does not require a Turnstile verification'],
  [
    'channel types',
    'POST at its path, HTTP 200, flat page',
    'types',
    'answers exactly code, message and data',
  ],
  ['channel types', 'size 20 when none is asked', 'page', defaults],
  [
    'channel types',
    'sort by displayOrder',
    'page',
    'sorts by what is returned, text by code point, nulls last, and breaks ties by the later sorts',
  ],
  [
    'channel types',
    'no filter returns every type',
    'types',
    'returns every channel type, in display order, when all filters are omitted or there is no body',
  ],
  [
    'channel types',
    'bizId has at most 64, typeCode at most 32 characters',
    'types',
    'takes a bizId of 64 and a typeCode of 32 code points, and refuses longer ones with 400 4000',
  ],
  ['channel types', 'typeStatus and enabledOnly filter', 'types', typeFilters],
  ['channel types', 'a missing token is 4010', 'portal', noToken],
  ['channel types', 'a failed Turnstile verification is 4030', 'portal', turnstile],
  ['pagination', 'page is zero-based', 'page', defaults],
  [
    'pagination',
    'page has no upper bound',
    'page',
    'keeps the true totals and echoes the number exactly on a page past 2^63',
  ],
  [
    'pagination',
    'size is 20 by default, 1 to 100',
    'page',
    'caps a size above 100 to 100 with no error, however large',
  ],
  [
    'pagination',
    'sort is field,direction; repeated, the first is primary',
    'page',
    'sorts by what is returned, text by code point, nulls last, and breaks ties by the later sorts',
  ],
  [
    'pagination',
    'totalPages is totalElements by size, rounded up',
    'page',
    'counts exactly, on every page and past the last',
  ],
  [
    'pagination',
    'a page past the last is empty with true totals',
    'page',
    'counts exactly, on every page and past the last',
  ],
  [
    'pagination',
    'an empty collection has zero totals',
    'page',
    'answers an empty collection with content [] and zero totals',
  ],
  [
    'pagination',
    'size above 100 is capped without an error',
    'page',
    'caps a size above 100 to 100 with no error, however large',
  ],
  ['pagination', 'a negative page or size is the invalid-parameter error', 'page', invalidPage],
  ['pagination', 'a field that is not sortable is the invalid-parameter error', 'page', invalidPage],
  [
    'pagination',
    'createdAt, updatedAt, amount and status are sortable',
    'page',
    'loses and doubles no record between pages, in every order and both directions',
  ],
  ['portal', 'a bearer token on every portal endpoint', 'portal', noToken],
  ['portal', 'Turnstile on list files and channel types', 'portal', turnstile],
  [
    'portal',
    'X-PORTAL-ACCESS-CODE is injected by the infrastructure',
    'keys',
    'is ignored when the peer is not a trusted proxy',
  ],
  [
    'portal',
    'X-Request-Id is injected by the infrastructure',
    'edge',
    'of an untrusted peer is ignored, also when repeated',
  ],
  ['portal', 'OWNER to create a key', 'keys', owner],
  ['Open API', 'X-Api-Key, X-Signature, X-Timestamp and X-Nonce on every request', 'signed', signedHeaders],
  ['Open API', 'X-Timestamp in epoch seconds', 'signed', 'says so when the timestamp is in milliseconds'],
  [
    'Open API',
    'X-Nonce is UUID shaped and unique',
    'signed',
    'accepts a nonce once, also in other letters, and a wrong signature burns none',
  ],
  ['Open API', 'the signature', 'signature', 'of the published vector is the published one'],
  [
    'errors',
    '400 4000, 401 4010 and 403 4030 are in the catalogue',
    'errors',
    'derives each numeric code from its HTTP status',
  ],
  [
    'errors',
    'VALIDATION.INVALID_PARAMETER is also S012',
    'errors',
    'knows the invalid-parameter error by both names',
  ],
  [
    'versioning',
    'paths carry /web/v1/ and /api/v1/',
    'endpoints',
    'is the same here as in the app, so that no endpoint escapes its suite',
  ],
];

describe('the interface specification', () => {
  it('has for each of its statements a test that exists', () => {
    const sources = Object.fromEntries(
      Object.entries(places).map(([name, path]) => [
        name,
        readFileSync(new URL(path, import.meta.url), 'utf8'),
      ]),
    );
    const untested = rows.filter(([, , place, test]) => !sources[place]?.includes(`'${test}'`));
    expect(untested).toEqual([]);
  });

  it('is covered in every section', () => {
    const sections = [
      'envelope',
      'file',
      'API key',
      'channel type',
      'transfer',
      'page',
      'states',
      'list files',
      'create key',
      'channel types',
      'pagination',
      'portal',
      'Open API',
      'errors',
      'versioning',
    ];
    expect([...new Set(rows.map(([section]) => section))]).toEqual(sections);
  });
});
