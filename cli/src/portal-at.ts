import { PorticoPortal, type PorticoPortalOptions } from '@portico/sdk/portal';
import { userAgent } from './version.ts';

export function portalAt(
  url: string,
  tokens: Pick<PorticoPortalOptions, 'accessToken' | 'turnstileToken'> = {},
): PorticoPortal {
  return new PorticoPortal({ baseUrl: url, userAgent: userAgent(), ...tokens });
}
