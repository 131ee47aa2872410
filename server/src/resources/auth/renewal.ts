import { findSignIn } from '../../auth/portal/refresh-tokens.ts';
import type { Origin } from '../../auth/portal/sign-in-records.ts';
import type { OpenSignIn } from '../../auth/portal/sign-ins.ts';
import type { Services } from '../../auth/services.ts';
import { addressGroup } from '../../contract/address.ts';
import { refuseIfLimited } from '../../limits/limits.ts';
import { createTurns } from '../../limits/turns.ts';
import { renew } from './renew.ts';

const what = 'renewals of a sign-in';

const waits = { waitingMax: 500, waitingEach: 50, waitMs: 2000 };
/** A renewal is several statements and a commit: a few at once, so that connections are left for the rest. */
const shares = { atOnceMax: 3, atOnceEach: 2, ...waits };
/** Of one address one at a time and forty a second: a burst leaves room for others. Its rest takes no place from them. */
const paced = { atOnceMax: 500, atOnceEach: 1, pauseMs: 20, ...waits };

/** Limited by address, whatever token is sent, and by sign-in: each renewal is written down. */
export function createRenewal({ db, limits, now, vault }: Services) {
  const [inTurn, inPace] = [createTurns(what, shares), createTurns(what, paced)];
  return async (origin: Origin, token: string): Promise<OpenSignIn | undefined> => {
    const address = addressGroup(origin.address ?? undefined);
    refuseIfLimited(await limits.take('renewalAddress', address), what);
    const signIn = await findSignIn(db, token);
    if (signIn === undefined) return undefined;
    refuseIfLimited(await limits.take('renewal', signIn), what);
    return inPace(address, () => inTurn(address, () => renew(db, vault, token, origin, now())));
  };
}
