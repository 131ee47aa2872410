import { version } from './version.ts';

/** A request as it is about to be sent: neither headers nor body, which hold secrets. */
export type SentRequest = { method: string; url: string };

/** How one went: with the status of an answer, or without any. */
export type RequestOutcome = SentRequest & {
  status: number | undefined;
  requestId: string | undefined;
  durationMs: number;
  /** What went wrong, if anything; another attempt may follow. */
  error: unknown;
};

export type WireOptions = {
  fetch?: typeof fetch;
  /** For each attempt, the body included; of files, for each piece of them. Default 10000. */
  timeoutMs?: number;
  /** The program's own name, before that of the SDK in the User-Agent; browsers send theirs. */
  userAgent?: string;
  /** Before each attempt. For logs: what it throws is ignored. */
  onRequest?: (request: SentRequest) => void;
  /** After each attempt. For logs: what it throws is ignored. */
  onResponse?: (outcome: RequestOutcome) => void;
};

export type Wire = {
  fetch: typeof fetch;
  timeoutMs: number;
  headers: Record<string, string>;
  onRequest: (request: SentRequest) => void;
  onResponse: (outcome: RequestOutcome) => void;
};

/** Longer timers fire at once. */
const timeoutMsMax = 2 ** 31 - 1;

function readTimeout(timeoutMs = 10_000): number {
  if (!(timeoutMs > 0 && timeoutMs <= timeoutMsMax))
    throw new TypeError(`timeoutMs must be above 0 and at most ${timeoutMsMax}`);
  return timeoutMs;
}

/** A browser has a name of its own, and asks a service of another origin before it sends one that is not. */
function ownHeaders(userAgent: string | undefined): Record<string, string> {
  if (globalThis.location !== undefined) return {};
  if (userAgent !== undefined && !/^[\x20-\x7e]+$/.test(userAgent))
    throw new TypeError('userAgent must be printable ASCII');
  return { 'User-Agent': `${userAgent === undefined ? '' : `${userAgent} `}portico-sdk/${version}` };
}

/** A log that fails must not fail the call, whether at once or later. */
function harmless<Event>(hook: ((event: Event) => unknown) | undefined): (event: Event) => void {
  return (event) => {
    try {
      Promise.resolve(hook?.(event)).catch(() => {});
    } catch {}
  };
}

export function wireOf(options: WireOptions): Wire {
  return {
    // Browsers refuse a fetch that is called as a method of anything but the window.
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    timeoutMs: readTimeout(options.timeoutMs),
    headers: ownHeaders(options.userAgent),
    onRequest: harmless(options.onRequest),
    onResponse: harmless(options.onResponse),
  };
}

/**
 * Without a slash at its end, and without the beginning of the paths, which many copy along. In a browser it may be relative to
 * the origin of the page.
 */
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
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/+(api|web)\/v1$/, '')}`;
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
