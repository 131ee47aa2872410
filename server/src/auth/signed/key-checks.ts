import { networkSet, parseAddress, parseNetwork } from '../../contract/address.ts';
import { ApiError } from '../../contract/api-error.ts';
import type { KeyFacts } from './api-key-lookup.ts';
import { keyStatus } from './key-status.ts';
import type { Scope } from './scopes.ts';

/** any: at least one scope, whichever. */
export type RequiredScope = Scope | 'any';

/** A signed endpoint; its path begins with /api/. */
export type SignedRoute = { method: string; path: string; scope: RequiredScope };

/** Where a key is used from, and what for. */
export type KeyUse = { client: string | undefined; scope: RequiredScope };

/** All that is judged of a key but its nonce and rate, in the order in which it is told. Gives the address as it is written. */
export function checkKey(key: KeyFacts, { client, scope }: KeyUse, nowMs: number): string {
  checkStatus(key, nowMs);
  const address = checkAddress(key, client);
  checkScope(key, scope);
  return address;
}

export function checkStatus(key: Pick<KeyFacts, 'status' | 'expiresAt'>, nowMs: number): void {
  const status = keyStatus(key, nowMs);
  if (status === 'EXPIRED') throw new ApiError('4016', 'the API key has expired');
  if (status !== 'ACTIVE') throw new ApiError('4015', `the API key is ${status.toLowerCase()}`);
}

export function checkAddress(
  { ipWhitelist }: Pick<KeyFacts, 'ipWhitelist'>,
  client: string | undefined,
): string {
  const address = client === undefined ? undefined : parseAddress(client);
  if (address === undefined) throw new ApiError('4032', 'the client address cannot be read');
  if (ipWhitelist.length === 0) return address.text;
  const networks = ipWhitelist.map(parseNetwork).filter((network) => network !== undefined);
  if (!networkSet(networks).has(address))
    throw new ApiError('4032', `the address ${address.text} is not on the IP whitelist of the API key`);
  return address.text;
}

export function checkScope({ scopes }: Pick<KeyFacts, 'scopes'>, scope: RequiredScope): void {
  if (scope === 'any') {
    if (scopes.length === 0) throw new ApiError('4031', 'the API key has no scope');
    return;
  }
  if (!scopes.includes(scope)) throw new ApiError('4031', `the API key does not have the scope ${scope}`);
}
