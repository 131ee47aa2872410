import { createHash } from 'node:crypto';
import { addressGroup } from '../../contract/address.ts';
import type { Queryable } from '../../db/database.ts';
import {
  type Count,
  countsOfAddress,
  giveBackAll,
  type Limits,
  refuseIfLimited,
  takeAll,
} from '../../limits/limits.ts';
import { hasSignedInFrom } from './sign-in-addresses.ts';

const what = 'failed sign-ins';

/** One attempt at the password of an account. */
type Guess = { email: string; address: string | undefined };

/**
 * What the database takes for one e-mail address is one here: it folds the letters of ASCII alone. A hash, so that a name is
 * short whatever was typed, which may have been a password.
 */
export function accountName(email: string): string {
  const folded = email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return createHash('sha256').update(folded).digest('base64url').slice(0, 22);
}

/**
 * Takes an attempt from the counts of account and address, of the address, and of the account. Once the last is used up, only who
 * comes from where the account has signed in is judged, by the other two: nobody can lock an owner out. What is refused here
 * stays taken, so that asking on and on costs little. Gives what forgives the attempt.
 */
export async function takeGuess(
  { db, limits, now }: { db: Queryable; limits: Limits; now(): number },
  { email, address }: Guess,
): Promise<() => Promise<void>> {
  const [account, group] = [accountName(email), addressGroup(address)];
  const own: Count[] = [['signIn', `${account}:${group}`], ...countsOfAddress('signInAddress', address)];
  await takeAll(limits, own, what);
  const common = await limits.take('account', account);
  if (common.allowed) return () => giveBackAll(limits, [...own, ['account', account]]);
  const forgive = () => giveBackAll(limits, own);
  const isKnown = await hasSignedInFrom(db, email, group, now()).catch(async (error: unknown) => {
    await forgive();
    throw error;
  });
  if (!isKnown) refuseIfLimited(common, what);
  return forgive;
}
