import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { headerValues } from '../../contract/peer.ts';
import { type Cookie, clearCookie, readCookie, writeCookie } from './cookies.ts';

const cookie: Cookie = { name: 'portico_refresh', path: '/web/v1/auth', sameSite: 'Strict' };

const ownNames = ['127.0.0.1', 'localhost', '[::1]'];
const anyAddress = ['0.0.0.0', '[::]'];

/** This machine goes by several names, and people type the one they like. */
function isOwnOrigin(publicUrl: string, origin: string): boolean {
  if (origin === publicUrl) return true;
  const own = new URL(publicUrl);
  if (![...ownNames, ...anyAddress].includes(own.hostname)) return false;
  return ownNames.some((name) => {
    own.hostname = name;
    return own.origin === origin;
  });
}

/** No other site may spend the cookie: the browser itself must say the request is same-origin. */
function isSameOrigin(config: Config, request: FastifyRequest): boolean {
  const [origin, ...more] = headerValues(request.raw, 'origin');
  if (origin !== undefined) return more.length === 0 && isOwnOrigin(config.publicUrl, origin);
  return request.headers['sec-fetch-site'] === 'same-origin';
}

export function readRefreshCookie(config: Config, request: FastifyRequest): string | undefined {
  return isSameOrigin(config, request) ? readCookie(config, request, cookie) : undefined;
}

export function writeRefreshCookie(
  config: Config,
  reply: FastifyReply,
  token: string,
  maxAgeSeconds: number,
): void {
  writeCookie(config, reply, cookie, token, maxAgeSeconds);
}

export function clearRefreshCookie(config: Config, reply: FastifyReply): void {
  clearCookie(config, reply, cookie);
}
