import { type Answered, responseInfoOf } from './answer.ts';
import { type Content, streamOf } from './content.ts';
import { Deadline } from './deadline.ts';
import { type Download, downloadOf } from './download.ts';
import type { Envelope } from './envelope.ts';
import { errorOf } from './error-of.ts';
import { PorticoError } from './errors.ts';
import type { Wire } from './wire.ts';

/** As fetch does; who can tell that something is under way calls `extend`. */
export type Send = (url: string, init: RequestInit, extend: () => void) => Promise<Response>;

export type Outgoing = {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** A text is JSON. */
  body?: string | Content | FormData;
  signal?: AbortSignal | undefined;
  /** In the place of fetch. */
  send?: Send | undefined;
};

/** A form names its own type, with what parts it. */
function mediaOf(body: Outgoing['body']): Record<string, string> {
  if (body === undefined || body instanceof FormData) return {};
  if (typeof body === 'string') return { 'Content-Type': 'application/json' };
  return { 'Content-Type': 'application/octet-stream', 'Content-Length': String(body.size) };
}

function bodyOf(body: Outgoing['body'], deadline: Deadline): RequestInit {
  if (body === undefined) return {};
  if (typeof body === 'string' || body instanceof FormData) return { body };
  // Node wants to be told that it need not read an answer before all is sent; the types of browsers do not know it yet.
  return { body: streamOf(body, () => deadline.extend()), duplex: 'half' } as RequestInit;
}

function readHeaders(wire: Wire, { headers, body }: Outgoing): Headers {
  const accept = 'application/json, application/problem+json';
  const media = mediaOf(body);
  try {
    return new Headers({ Accept: accept, ...media, ...wire.headers, ...headers });
  } catch {
    // The platform's own error would repeat the value, which may be a token.
    throw new TypeError(
      'a header cannot be sent: key id, nonce and tokens must be printable and without line breaks',
    );
  }
}

/** One request, and what is made of its answer. Whoever makes something of it closes the deadline; a failure closes it here. */
async function attempt<Result>(
  wire: Wire,
  outgoing: Outgoing,
  take: (response: Response, deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  const { method, url, body, signal, send = wire.fetch } = outgoing;
  const headers = readHeaders(wire, outgoing);
  signal?.throwIfAborted();
  const deadline = new Deadline(wire.timeoutMs, signal);
  const startedAt = performance.now();
  let response: Response | undefined;
  const tell = (error: unknown) => {
    const requestId = response?.headers.get('x-request-id') ?? undefined;
    const durationMs = performance.now() - startedAt;
    wire.onResponse({ method, url, status: response?.status, requestId, durationMs, error });
  };
  wire.onRequest({ method, url });
  try {
    // Followed, a redirect would carry signature and token to wherever it leads.
    const init: RequestInit = { method, headers, redirect: 'manual', signal: deadline.signal };
    response = await send(url, { ...init, ...bodyOf(body, deadline) }, () => deadline.extend());
    const result = await take(response, deadline);
    tell(undefined);
    return result;
  } catch (cause) {
    deadline.close();
    const error = failureOf(deadline, cause);
    tell(error);
    throw error;
  }
}

function failureOf(deadline: Deadline, cause: unknown): unknown {
  try {
    return cause instanceof PorticoError ? cause : deadline.errorOf(cause);
  } catch (reason) {
    return reason;
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
export function exchange<Data>(wire: Wire, outgoing: Outgoing): Promise<Answered<Envelope<Data>>> {
  return attempt(wire, outgoing, async (response, deadline) => {
    const body = parse(await response.text());
    deadline.close();
    if (!response.ok || !isEnvelope(body)) throw errorOf(response, body);
    return { data: body as Envelope<Data>, response: responseInfoOf(response) }; // the service's schemas hold, and tests hold these types to them
  });
}

/** The answer up to its first byte; the rest comes as it is taken. */
export function receive(wire: Wire, outgoing: Outgoing): Promise<Download> {
  return attempt(wire, outgoing, async (response, deadline) => {
    if (response.status !== 200 && response.status !== 206)
      throw errorOf(response, parse(await response.text()));
    return downloadOf(response, deadline);
  });
}
