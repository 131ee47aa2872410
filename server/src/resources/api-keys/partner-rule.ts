import type { Mode } from '../../auth/signed/api-key-lookup.ts';
import type { PortalKind } from '../../config/values.ts';
import { ApiError } from '../../contract/api-error.ts';

/** A TEST key may only be made, brought to work or allowed more on the portal that partners use. */
export function requirePartner(
  mode: Mode,
  { portal }: { portal: PortalKind | undefined },
  what: string,
): void {
  if (mode === 'TEST' && portal !== 'PARTNER')
    throw new ApiError('4033', `TEST keys may only be ${what} on a partner portal`);
}
