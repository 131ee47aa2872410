import { randomBytes } from 'node:crypto';

const cloudflare = 'https://challenges.cloudflare.com';

/** Cloudflare's documented site keys for testing: the portal stands in for their widget. */
const isDummySiteKey = (key: string) => /^[123]x0{20}[A-F]{2}$/.test(key);

/** Scripts and styles of this server alone; only a real Turnstile widget needs Cloudflare's script, in a frame of Cloudflare's. */
export function contentSecurityPolicy(nonce: string, turnstileSiteKey: string | undefined): string {
  const isReal = turnstileSiteKey !== undefined && !isDummySiteKey(turnstileSiteKey);
  const challenge = isReal ? ` ${cloudflare}` : '';
  return [
    "default-src 'none'",
    `script-src 'self'${challenge}`,
    // Mantine writes the theme's variables into a style element.
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    `frame-src ${isReal ? cloudflare : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export const createNonce = (): string => randomBytes(16).toString('base64url');

/** The build knows neither where the portal is served nor the nonce of a page. */
export function pageOf(template: string, basePath: string): (nonce: string) => string {
  const parts = template.replaceAll('="./', `="${basePath}/`).split('%nonce%');
  return (nonce) => parts.join(nonce);
}
