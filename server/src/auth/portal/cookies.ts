import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { headerValues } from '../../contract/peer.ts';

export type Cookie = { name: string; path: string; sameSite: 'Strict' | 'Lax' };

/** Browsers take a name with this prefix over https alone: nobody who can only speak plain http for our host sets it. */
const nameOf = (config: Config, { name }: Cookie) => `${config.isHttps ? '__Secure-' : ''}${name}`;

export function readCookie(config: Config, request: FastifyRequest, cookie: Cookie): string | undefined {
  // In one pass over each: cut into pairs first, a header of semicolons alone would cost the time of several requests.
  const pair = new RegExp(`(?:^|;)\\s*${nameOf(config, cookie)}=([^;]*)`, 'g');
  const [value, ...more] = headerValues(request.raw, 'cookie')
    .flatMap((sent) => [...sent.matchAll(pair)])
    .map(([, sent = '']) => sent.trim());
  // We set one alone: of two, one was set by someone else, and nothing tells which.
  return more.length > 0 ? undefined : value || undefined;
}

export function writeCookie(
  config: Config,
  reply: FastifyReply,
  cookie: Cookie,
  value: string,
  maxAgeSeconds: number,
): void {
  const path = `${config.basePath}${cookie.path}`;
  const secure = config.isHttps ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${nameOf(config, cookie)}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${cookie.sameSite}${secure}`,
  );
}

export function clearCookie(config: Config, reply: FastifyReply, cookie: Cookie): void {
  writeCookie(config, reply, cookie, '', 0);
}
