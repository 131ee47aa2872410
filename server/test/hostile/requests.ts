import * as fc from 'fast-check';
import { channelBodies } from './channels.ts';
import { type Endpoint, endpoint } from './endpoints.ts';
import { peopleBodies } from './people.ts';
import { query } from './queries.ts';
import { transferBodies } from './transfers.ts';
import { anyText, bodyBytes, headerText, json, mostly, objectText, quoted } from './values.ts';

type Caller = 'nobody' | 'owner' | 'viewer' | 'outsider' | 'forged';
export type Signer = { key: number; mistake: Mistake; nonce: string };
type Mistake =
  | 'none'
  | 'secret'
  | 'timestamp'
  | 'late'
  | 'nonce'
  | 'signature'
  | 'key'
  | 'missing'
  | 'repeated';

export type HostileRequest = {
  endpoint: string;
  method: string;
  /** Path and query as they stand on the request line. */
  target: string;
  caller: Caller;
  signer?: Signer;
  headers: [name: string, value: string][];
  body: Buffer | undefined;
  /** On the wire, where bytes are as written, or injected. */
  onWire: boolean;
  /** For whatever a sender has to make up. */
  hostileText: string;
};

const listOf = (item: fc.Arbitrary<string>) =>
  fc.array(item, { maxLength: 4 }).map((items) => `[${items.join(',')}]`);

const scopes = ['transfers:read', 'transfers:write', 'files:read', 'channel-types:read', 'events:read'];
const networks = ['1.2.3.4', '10.0.0.0/8', '::/0', '2001:DB8::1/64', '::ffff:1.2.3.4', '0.0.0.0/0'];

/** Placeholder for a refresh token that lives; the sender knows one. */
export const liveToken = 'rt_live';
const refreshToken = fc.oneof(anyText, fc.constant(JSON.stringify(liveToken)));

const institution = fc.oneof(
  { weight: 4, arbitrary: fc.constant('"INST_DEMO"') },
  { weight: 1, arbitrary: anyText },
);

/** A password that is checked costs 30 ms, so most attempts stop before that. */
const login = fc.oneof(
  {
    weight: 12,
    arbitrary: objectText({ email: json, password: fc.constantFrom('""', '7', 'null', '"\\u0000"') }),
  },
  {
    weight: 2,
    arbitrary: objectText({ email: anyText, password: anyText, session: quoted(['cookie', 'x']) }),
  },
  { weight: 1, arbitrary: fc.constant('{"email":"owner@demo.test","password":"portico-demo"}') },
);

const userCode = mostly(quoted(['BCDF-GHJK', 'bcdfghjk', 'ſſſſſſſſ', 'ßßßß', 'BCDF\u2010GHJK']), anyText);

const bodies: Record<string, fc.Arbitrary<string>> = {
  device: objectText({ clientName: mostly(quoted(['portico', '漢字 😀']), anyText) }),
  deviceToken: objectText({ deviceCode: anyText }),
  ofUserCode: objectText({ userCode }),
  login,
  refresh: objectText({ refreshToken }),
  logout: objectText({ refreshToken }),
  changeAccount: objectText({ name: anyText, locale: mostly(quoted(['en', 'zh-CN']), json) }),
  changePassword: objectText({
    currentPassword: mostly(fc.constantFrom('""', '7', 'null', '"\\u0000"'), anyText),
    newPassword: mostly(anyText, json),
  }),
  ofCode: objectText({ code: mostly(fc.oneof(quoted(['123456', '٠١٢٣٤٥']), anyText), json) }),
  requestReset: objectText({ email: mostly(fc.oneof(quoted(['viewer@demo.test']), anyText), json) }),
  confirmReset: objectText({ token: mostly(anyText, json), newPassword: mostly(anyText, json) }),
  files: objectText({
    institutionBizId: institution,
    workspaceBizId: fc.oneof(fc.constant('null'), anyText),
    fileCategory: fc.constantFrom('null', '1', '99', '1e30', '100', '1.5'),
    fileStatus: fc.constantFrom('null', '1', '7', '8', '-1', '"1"'),
  }),
  createKey: objectText({
    name: anyText,
    scopes: mostly(listOf(quoted(scopes)), listOf(json)),
    mode: mostly(fc.constantFrom('null', '1', '2', '1.0'), fc.constantFrom('3', '1e30', '"1"')),
    ipWhitelist: mostly(listOf(quoted(networks)), listOf(anyText)),
  }),
  changeKey: objectText({
    name: anyText,
    scopes: listOf(json),
    ipWhitelist: mostly(listOf(quoted(networks)), listOf(anyText)),
    expiresAt: fc.oneof(
      quoted(['2027-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59', '0001-01-01T00:00:00+23:59']),
      json,
    ),
  }),
  ...peopleBodies,
  ...transferBodies,
  ...channelBodies,
  simulate: objectText({
    method: mostly(quoted(['GET', 'POST']), anyText),
    path: mostly(quoted(['/api/v1/transfers', '/api/v1/__proto__', '/api/']), anyText),
    ip: mostly(quoted(['1.2.3.4', '::1']), anyText),
  }),
  channelTypes: objectText({
    bizId: fc.oneof(fc.constant('null'), anyText),
    typeCode: fc.oneof(fc.constant('null'), anyText),
    typeStatus: fc.constantFrom('null', '"ENABLED"', '"DISABLED"', '"enabled"', '1'),
    enabledOnly: fc.constantFrom('null', 'true', 'false', '"true"', '1'),
  }),
};

const contentType = fc.oneof(
  { weight: 12, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'multipart/form-data'),
  },
  { weight: 1, arbitrary: headerText },
);
const strangeHeader = fc.tuple(
  fc.constantFrom(
    ...['Accept', 'Content-Encoding', 'X-Request-Id', 'X-Forwarded-For', 'X-PORTAL-ACCESS-CODE', 'Cookie'],
    ...[
      'Origin',
      'Sec-Fetch-Site',
      'X-Turnstile-Token',
      'Content-Type',
      'Authorization',
      'X-Api-Key',
      'Expect',
    ],
    ...['X-Nonce', 'X-Timestamp', 'Accept-Encoding', 'If-None-Match', 'Range', 'Host', 'Forwarded'],
    ...['Idempotency-Key', 'Idempotency-Key', 'Idempotency-Key'],
  ),
  fc.oneof(
    headerText,
    fc.constantFrom(
      'portico_refresh=x',
      'portico_oidc=AAAA',
      'same-origin',
      'application/problem+json',
      'gzip',
    ),
  ),
);
const strangeHeaders = fc.oneof(
  { weight: 6, arbitrary: fc.constant([]) },
  { weight: 3, arbitrary: fc.array(strangeHeader, { maxLength: 3 }) },
);

/** Most requests with it are not the first. */
const usedNonce = 'ABCDEF00-0000-4000-8000-000000000000';

const signer: fc.Arbitrary<Signer> = fc.record({
  key: fc.nat(3),
  mistake: fc.oneof(
    { weight: 7, arbitrary: fc.constant<Mistake>('none') },
    {
      weight: 5,
      arbitrary: fc.constantFrom<Mistake>(
        'secret',
        'timestamp',
        'late',
        'nonce',
        'signature',
        'key',
        'missing',
        'repeated',
      ),
    },
  ),
  nonce: fc.oneof({ weight: 10, arbitrary: fc.uuid() }, { weight: 1, arbitrary: fc.constant(usedNonce) }),
});

const method = fc.oneof(
  { weight: 40, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'HEAD', 'GET', 'POST'),
  },
);

type Draw = { endpoint: Endpoint; method: string | undefined; query: string; contentType: string };

function bodyOf({ name }: Endpoint): fc.Arbitrary<Buffer | undefined> {
  const own = Object.hasOwn(bodies, name) ? bodies[name] : undefined;
  return own === undefined
    ? fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: bodyBytes(json) })
    : fc.oneof({ weight: 30, arbitrary: bodyBytes(own) }, { weight: 1, arbitrary: fc.constant(undefined) });
}

const callers: Caller[] = ['owner', 'owner', 'owner', 'owner', 'viewer', 'outsider', 'forged', 'nobody'];

/** One request that no well-meaning client would send, or one that nearly could be. */
export const hostileRequest: fc.Arbitrary<HostileRequest> = fc
  .record<Draw>({ endpoint, method, query, contentType })
  .chain((draw) =>
    fc
      .record({
        caller: fc.constantFrom(...callers),
        headers: strangeHeaders,
        body: bodyOf(draw.endpoint),
        onWire: fc.nat(6).map((number) => number === 0),
        hostileText: headerText,
        signer,
      })
      .map(({ signer: signs, headers, ...rest }) => ({
        ...rest,
        // Injected, dot segments would be resolved and lead anywhere.
        onWire: rest.onWire || draw.endpoint.name === 'nothing',
        endpoint: draw.endpoint.name,
        method: draw.method ?? draw.endpoint.method,
        target: `${draw.endpoint.path}${draw.query === '' ? '' : `?${draw.query}`}`,
        headers: [...(rest.body === undefined ? [] : [['Content-Type', draw.contentType]]), ...headers] as [
          string,
          string,
        ][], // pairs, which the compiler takes for arrays
        ...(['transfers', 'signed', 'signedTransfer'].includes(draw.endpoint.name) ? { signer: signs } : {}),
      })),
  );
