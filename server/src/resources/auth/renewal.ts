import { findSignIn } from '../../auth/portal/refresh-tokens.ts';
import type { Origin } from '../../auth/portal/sign-in-records.ts';
import type { OpenSignIn } from '../../auth/portal/sign-ins.ts';
import type { Services } from '../../auth/services.ts';
import { addressGroup } from '../../contract/address.ts';
import { refuseIfLimited } from '../../limits/limits.ts';
import { createTurns } from '../../limits/turns.ts';
import { renew } from './renew.ts';

const what = 'renewals of a sign-in';

/** A renewal is several statements and a commit: one at a time of an address and forty a second, so that a burst leaves room for the rest. */
const shares = {
  ...{ atOnceMax: 3, atOnceEach: 1, pauseMs: 20 },
  ...{ waitingMax: 500, waitingEach: 50, waitMs: 2000 },
};

/** Limited by address, whatever token is sent, and by sign-in: each renewal is written down. */
export function createRenewal({ db, limits, now, vault }: Services) {
  const inTurn = createTurns(what, shares);
  return async (origin: Origin, token: string): Promise<OpenSignIn | undefined> => {
    const address = addressGroup(origin.address ?? undefined);
    refuseIfLimited(await limits.take('renewalAddress', address), what);
    const signIn = await findSignIn(db, token);
    if (signIn === undefined) return undefined;
    refuseIfLimited(await limits.take('renewal', signIn), what);
    return inTurn(address, () => renew(db, vault, token, origin, now()));
  };
}
