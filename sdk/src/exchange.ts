import type { Envelope } from './envelope.ts';
import { errorOf } from './error-of.ts';
import { NetworkError } from './errors.ts';

export type Wire = { fetch: typeof fetch; timeoutMs: number };

export type Outgoing = {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal | undefined;
};

/** Longer timers fire at once. */
const timeoutMsMax = 2 ** 31 - 1;

export function wireOf(options: { fetch?: typeof fetch; timeoutMs?: number }): Wire {
  const { timeoutMs = 10_000 } = options;
  if (!(timeoutMs > 0 && timeoutMs <= timeoutMsMax))
    throw new TypeError(`timeoutMs must be above 0 and at most ${timeoutMsMax}`);
  // Browsers refuse a fetch that is called as a method of anything but the window.
  return { fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)), timeoutMs };
}

/** Without a slash at its end. In a browser it may be relative to the origin of the page. */
export function readBaseUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text, globalThis.location?.origin);
  } catch {
    throw new TypeError('baseUrl must be a URL');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError('baseUrl must begin with http:// or https://');
  if (url.username !== '' || url.password !== '') throw new TypeError('baseUrl must not carry a password');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Parameters that are absent are left out; a list is a repeated parameter. */
export function queryString(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((each) => each !== undefined && each !== null)
      .map((each) => [name, String(each)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

function readHeaders({ headers, body }: Outgoing): Headers {
  const accept = 'application/json, application/problem+json';
  const media = body === undefined ? {} : { 'Content-Type': 'application/json' };
  try {
    return new Headers({ Accept: accept, ...media, ...headers });
  } catch {
    // The platform's own error would repeat the value, which may be a token.
    throw new TypeError(
      'a header cannot be sent: key id, nonce and tokens must be printable and without line breaks',
    );
  }
}

/** The timer covers the body too. AbortSignal.timeout would not: on Node 20 it can be collected meanwhile. */
async function send(wire: Wire, outgoing: Outgoing): Promise<{ response: Response; text: string }> {
  const headers = readHeaders(outgoing);
  outgoing.signal?.throwIfAborted();
  const controller = new AbortController();
  const end = () => controller.abort();
  const timer = setTimeout(end, wire.timeoutMs);
  outgoing.signal?.addEventListener('abort', end);
  try {
    const response = await wire.fetch(outgoing.url, {
      method: outgoing.method,
      headers,
      ...(outgoing.body === undefined ? {} : { body: outgoing.body }),
      // Followed, a redirect would carry signature and token to wherever it leads.
      redirect: 'manual',
      signal: controller.signal,
    });
    return { response, text: await response.text() };
  } catch (cause) {
    outgoing.signal?.throwIfAborted();
    const message = controller.signal.aborted
      ? `no answer within ${wire.timeoutMs} ms`
      : 'no answer: the connection failed or broke off';
    throw new NetworkError(message, { cause });
  } finally {
    clearTimeout(timer);
    outgoing.signal?.removeEventListener('abort', end);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEnvelope(body: unknown): body is Envelope<unknown> {
  return (
    typeof body === 'object' && body !== null && 'data' in body && 'code' in body && body.code === '2000'
  );
}

/** One request and its answer; everything but a success is thrown. */
export async function exchange<Data>(wire: Wire, outgoing: Outgoing): Promise<Envelope<Data>> {
  const { response, text } = await send(wire, outgoing);
  const body = parse(text);
  if (response.ok && isEnvelope(body)) return body as Envelope<Data>; // the service's schemas hold, and tests hold these types to them
  throw errorOf(response, body);
}
