import { loopback, type Network, parseAddress, parseNetwork } from '../contract/address.ts';

/** How one variable is read. A reader throws what the value must be, without repeating the value. */
export type Variable<Value> = { read(text: string): Value; description: string; fallback: string };

export function variable<Value>(
  read: (value: string) => Value,
  fallback: string,
  description: string,
): Variable<Value> {
  return { read, fallback, description };
}

export const portalKinds = ['PARTNER', 'INSTITUTION', 'ADMIN'] as const;
export type PortalKind = (typeof portalKinds)[number];
export type Limit = { rate: number; burst: number } | 'off';
export type OutsideIssuer = { issuer: string; jwksUri: string; audience: string; accountClaim: string };
export type OpenIdConnect = { issuer: string; clientId: string; clientSecret: string; label: string };

export const text = (value: string): string => value;

export function count(least: number, most: number) {
  return (value: string): number => {
    const number = Number(value);
    if (!/^\d{1,9}$/.test(value) || number < least || number > most)
      throw new Error(`must be an integer from ${least} to ${most}`);
    return number;
  };
}

/** Of bytes: as many as a number counts exactly. */
export function bytes(least: number) {
  return (value: string): number => {
    if (!/^\d{1,15}$/.test(value) || Number(value) < least)
      throw new Error(`must be a number of bytes of at least ${least}, in digits`);
    return Number(value);
  };
}

export const optional =
  <Value>(read: (value: string) => Value) =>
  (value: string) =>
    value === '' ? undefined : read(value);

export const port = count(0, 65535);

export function flag(value: string): boolean {
  if (value !== '0' && value !== '1') throw new Error('must be 0 or 1');
  return value === '1';
}

export function oneOf<Choice extends string>(choices: readonly Choice[]) {
  return (value: string): Choice => {
    const choice = choices.find((name) => name === value);
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return choice;
  };
}

/** `redis:h` can be parsed too, with a path and no host. */
const isOf = (protocol: string, value: string) => value.toLowerCase().startsWith(`${protocol}//`);

export function url(...protocols: string[]) {
  return (value: string): string => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (parsed === undefined || !protocols.some((each) => isOf(each, value))) {
      throw new Error(
        `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
      );
    }
    return value;
  };
}

export function origin(value: string): string {
  const parsed = new URL(url('http:', 'https:')(value));
  if (value.replace(/\/$/, '') !== parsed.origin)
    throw new Error('must be an origin: scheme, host and port, without a path');
  return parsed.origin;
}

export function isLoopbackHost(host: string): boolean {
  const address = parseAddress(host.replace(/^\[(.*)\]$/, '$1'));
  return host === 'localhost' || (address !== undefined && loopback.has(address));
}

/** Whether what is sent to a URL could be read or changed on its way. */
export function isExposed(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  return protocol === 'http:' && !isLoopbackHost(hostname);
}

/** Where browsers find a service that nobody has named. */
export function localOrigin(host: string, port: number): string {
  const bare = host.replace(/%.*$/, ''); // a zone is of one machine, and stands in no URL
  return `http://${bare.includes(':') ? `[${bare}]` : bare}:${port}`;
}

/** They stand beside every base path. */
const probes = ['/healthz', '/readyz', '/metrics'];

export function basePath(value: string): string {
  const path = value.replace(/\/$/, '');
  if (!/^(\/(?!\.+(\/|$))[A-Za-z0-9._~-]+)*$/.test(path))
    throw new Error('must be a path such as /portico, without a slash at its end');
  if (probes.includes(path)) throw new Error(`must not be the path of a probe: ${probes.join(', ')}`);
  return path;
}

/** Sent in a header, where nothing else can be. */
export function token(value: string): string {
  if (!/^[!-~]+$/.test(value)) throw new Error('must be printable ASCII without spaces');
  return value;
}

export function list(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

export function networks(value: string): Network[] {
  return list(value).map((item) => {
    const network = parseNetwork(item);
    if (network === undefined) throw new Error('must be comma-separated IP addresses or CIDR blocks');
    return network;
  });
}

export function key32(value: string): Buffer {
  const key = Buffer.from(value, 'base64');
  if (key.length !== 32 || key.toString('base64') !== value)
    throw new Error('must be the base64 of exactly 32 bytes');
  return key;
}

export function limit(value: string): Limit {
  if (value === 'off') return 'off';
  const [, rate, burst] = /^(\d+(?:\.\d+)?)\/(\d+)$/.exec(value) ?? [];
  const isFrom = (least: number, text = '') => Number(text) >= least && Number(text) <= 1_000_000;
  // Less would be no limit but an end.
  if (!isFrom(0.001, rate) || !isFrom(1, burst))
    throw new Error('must be rate/burst, from 0.001 and 1 to 1000000, or off');
  return { rate: Number(rate), burst: Number(burst) };
}

export function json(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw new Error('must be valid JSON');
  }
}

export function portals(value: string): Map<string, PortalKind> {
  const parsed = json(value);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new Error('must be a JSON object of access codes and portal kinds');
  }
  return new Map(
    Object.entries<unknown>({ ...parsed }).map(([code, kind]) => [
      code,
      oneOf(portalKinds)(typeof kind === 'string' ? kind : ''),
    ]),
  );
}

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export function issuers(value: string): OutsideIssuer[] {
  const parsed = json(value);
  if (!Array.isArray(parsed)) throw new Error('must be a JSON array');
  const names = parsed.map((item: Partial<OutsideIssuer> | null) => item?.issuer);
  if (new Set(names).size < names.length) throw new Error('must list each issuer once');
  return parsed.map((item: Partial<OutsideIssuer> | null) => {
    const { issuer, jwksUri, audience, accountClaim } = item ?? {};
    if (!isText(issuer) || !isText(jwksUri) || !isText(audience) || !isText(accountClaim)) {
      throw new Error('must be a JSON array of objects with issuer, jwksUri, audience and accountClaim');
    }
    return { issuer, jwksUri: url('https:', 'http:')(jwksUri), audience, accountClaim };
  });
}

const oneLine = (text: string, charactersMax: number) =>
  text.length <= charactersMax && text.isWellFormed() && !/\p{Cc}/u.test(text);

/** An issuer is compared letter by letter, so it must be written as the provider writes it. */
function openIdIssuer(issuer: string): string {
  if (!URL.canParse(issuer) || !/^https?:\/\//.test(issuer)) throw new Error('issuer must be a URL');
  const { username, password, search, hash } = new URL(issuer);
  if (isExposed(issuer)) throw new Error('issuer must be https, unless its host is loopback');
  if (username + password + search + hash !== '' || issuer.includes('/.well-known/') || !oneLine(issuer, 512))
    throw new Error(
      'issuer must be as the provider writes it: without name, password, query and /.well-known/',
    );
  return issuer;
}

export function openIdConnect(value: string): OpenIdConnect {
  const { issuer, clientId, clientSecret, label } = (json(value) ?? {}) as Partial<OpenIdConnect>; // looked at below
  if (!isText(issuer) || !isText(clientId) || !isText(clientSecret) || !isText(label))
    throw new Error('must be a JSON object with issuer, clientId, clientSecret and label');
  if (!/^[ -~]{1,512}$/.test(clientId) || !/^[ -~]{1,512}$/.test(clientSecret))
    throw new Error('clientId and clientSecret must be printable ASCII of at most 512 characters');
  if (label.trim() === '' || !oneLine(label, 64))
    throw new Error('label must be one line of at most 64 characters');
  return { issuer: openIdIssuer(issuer), clientId, clientSecret, label };
}
