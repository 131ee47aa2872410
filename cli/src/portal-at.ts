import { PorticoPortal, type PorticoPortalOptions } from '@portico/sdk/portal';
import { version } from './version.ts';

/** Sign-ins are listed by it in the portal. */
const namedFetch: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('User-Agent', `portico/${version()}`);
  return fetch(input, { ...init, headers });
};

export function portalAt(
  url: string,
  tokens: Pick<PorticoPortalOptions, 'accessToken' | 'turnstileToken'> = {},
): PorticoPortal {
  return new PorticoPortal({ baseUrl: url, fetch: namedFetch, ...tokens });
}
