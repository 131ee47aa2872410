import { type Answer, dataOf } from '../answer.ts';
import { type CallOptions, idempotencyHeader } from '../call-options.ts';
import { type ByteRange, type Download, rangeHeader } from '../download.ts';
import { PorticoError } from '../errors.ts';
import { exchange, receive, type Send } from '../exchange.ts';
import { type Repeat, type RetryOptions, retryPolicyOf, withRetries } from '../retry.ts';
import { readBaseUrl, type WireOptions, wireOf } from '../wire.ts';

/**
 * A token, or where to find the one that is valid now. A function is asked at every call, and once more when
 * the service refuses its token: it is then given that token, and the call is repeated with another one, if there is any.
 */
export type TokenSource = string | ((refused?: string) => string | undefined | Promise<string | undefined>);

export type PorticoPortalOptions = WireOptions &
  RetryOptions & {
    /** With the base path, if there is one; in a browser it may be relative to the origin of the page. */
    baseUrl: string;
    accessToken?: TokenSource;
    turnstileToken?: TokenSource;
  };

type TokenKind = 'access' | 'turnstile';
type Tokens = { [Kind in TokenKind]?: string | undefined };

type Call = {
  method: string;
  path: string;
  repeat: Repeat;
  tokens: readonly TokenKind[];
  body?: object | FormData | undefined;
  send?: Send | undefined;
  /** Beside what every call may take. */
  extraMs?: number;
};

export type Caller = {
  call<Data>(call: Call, options: CallOptions): Answer<Data>;
  download(path: string, range: ByteRange | undefined, options: CallOptions): Promise<Download>;
};

const turnstileHeader = 'X-Turnstile-Token';

async function ask(source: TokenSource | undefined, refused?: string): Promise<string | undefined> {
  return typeof source === 'function' ? source(refused) : source;
}

function refusedToken(error: unknown): TokenKind | undefined {
  if (!(error instanceof PorticoError)) return undefined;
  if (error.code === '4010') return 'access';
  return error.fields.some(({ field }) => field === turnstileHeader) ? 'turnstile' : undefined;
}

function headersOf({ access, turnstile }: Tokens): Record<string, string> {
  return {
    ...(access === undefined ? {} : { Authorization: `Bearer ${access}` }),
    ...(turnstile === undefined ? {} : { [turnstileHeader]: turnstile }),
  };
}

/** A refusal of a token comes before anything happened, so what changes something may be repeated, too. */
async function withTokens<Data>(
  sources: { [Kind in TokenKind]: TokenSource | undefined },
  kinds: readonly TokenKind[],
  send: (headers: Record<string, string>) => Promise<Data>,
): Promise<Data> {
  const tokens: Tokens = {};
  for (const kind of kinds) tokens[kind] = await ask(sources[kind]);
  const renewed = new Set<TokenKind>();
  for (;;) {
    try {
      return await send(headersOf(tokens));
    } catch (error) {
      const kind = refusedToken(error);
      const refused = kind === undefined ? undefined : tokens[kind];
      if (kind === undefined || refused === undefined || renewed.has(kind)) throw error;
      renewed.add(kind);
      tokens[kind] = await ask(sources[kind], refused);
      if (tokens[kind] === undefined || tokens[kind] === refused) throw error;
    }
  }
}

const bodyIn = (body: object | FormData | undefined) =>
  body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) };

/** How every call is made. */
export function callerOf(options: PorticoPortalOptions): Caller {
  const baseUrl = readBaseUrl(options.baseUrl);
  const wire = wireOf(options);
  const policy = retryPolicyOf(options);
  const sources = { access: options.accessToken, turnstile: options.turnstileToken };
  return {
    call<Data>({ method, path, body, repeat, tokens, send, extraMs = 0 }: Call, options: CallOptions) {
      const { signal } = options;
      const own = repeat === 'keyed' ? idempotencyHeader(options) : {};
      const outgoing = { method, url: `${baseUrl}${path}`, signal, send, ...bodyIn(body) };
      const longer = { ...wire, timeoutMs: wire.timeoutMs + extraMs };
      const attempt = (headers: Record<string, string>) =>
        exchange<Data>(longer, { ...outgoing, headers: { ...headers, ...own } });
      return dataOf(withRetries(policy, repeat, () => withTokens(sources, tokens, attempt), signal));
    },
    async download(path, range, { signal }) {
      const own = rangeHeader(range);
      const attempt = (headers: Record<string, string>) =>
        receive(wire, { method: 'GET', url: `${baseUrl}${path}`, headers: { ...headers, ...own }, signal });
      return withRetries(policy, 'read', () => withTokens(sources, ['access'], attempt), signal);
    },
  };
}
