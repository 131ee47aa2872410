import type { Static } from 'typebox';
import { isWithin, parseNetwork } from '../../contract/address.ts';
import { epochMsOf } from '../../contract/date-time.ts';
import type { LockedKey } from './queries.ts';
import type { ApiKeyChange } from './schema.ts';

/** Each new network must lie within one old network: that several cover it together is not looked for. */
function hasMoreAddresses(old: readonly string[], wanted: readonly string[]): boolean {
  if (old.length === 0) return false;
  if (wanted.length === 0) return true;
  const read = (list: readonly string[]) => list.map(parseNetwork).filter((network) => network !== undefined);
  const allowed = read(old);
  return read(wanted).some((network) => !allowed.some((outer) => isWithin(network, outer)));
}

function endsLater(old: string | null, wanted: string | null): boolean {
  return old !== null && (wanted === null || epochMsOf(wanted) > Date.parse(old));
}

/** Whether a change lets a key do anything that it may not do now. */
export function allowsMore(
  key: Pick<LockedKey, 'scopes' | 'ipWhitelist' | 'expiresAt'>,
  { scopes, ipWhitelist, expiresAt }: Static<typeof ApiKeyChange>,
): boolean {
  return (
    (scopes ?? []).some((scope) => !key.scopes.includes(scope)) ||
    (ipWhitelist !== undefined && hasMoreAddresses(key.ipWhitelist, ipWhitelist)) ||
    (expiresAt !== undefined && endsLater(key.expiresAt, expiresAt))
  );
}
