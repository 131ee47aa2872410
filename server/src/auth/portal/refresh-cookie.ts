import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { headerValues } from '../../contract/peer.ts';

const name = 'portico_refresh';

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
  if (!isSameOrigin(config, request)) return undefined;
  const pairs = headerValues(request.raw, 'cookie').flatMap((value) => value.split(';'));
  const [value, ...more] = pairs
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  // We set one alone: of two, one was set by someone else, and nothing tells which.
  return more.length > 0 ? undefined : value || undefined;
}

function setCookie(config: Config, reply: FastifyReply, value: string, maxAgeSeconds: number): void {
  const secure = config.publicUrl.startsWith('https:') ? '; Secure' : '';
  const path = `${config.basePath}/web/v1/auth`;
  reply.header(
    'set-cookie',
    `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`,
  );
}

export function writeRefreshCookie(
  config: Config,
  reply: FastifyReply,
  token: string,
  maxAgeSeconds: number,
): void {
  setCookie(config, reply, token, maxAgeSeconds);
}

export function clearRefreshCookie(config: Config, reply: FastifyReply): void {
  setCookie(config, reply, '', 0);
}
