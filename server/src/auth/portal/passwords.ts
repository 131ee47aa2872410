import { hash, verify } from '@node-rs/argon2';
import { createTurns } from '../../limits/turns.ts';

/** Argon2id with the parameters OWASP recommends; the library's default algorithm is argon2id. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashing takes a thread of the four that token signing, files and names are worked on with: two stay free. One address has one. */
const shares = { atOnceMax: 2, atOnceEach: 1, waitingMax: 200, waitingEach: 50, waitMs: 5000 };

/** Of a password nobody has: signing in to an account that does not exist costs the same as to one that does. */
const nobody = hash('no account has this password', parameters);

export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters);
}

export type Passwords = {
  /** Addresses take turns, so that a flood from one does not keep the others waiting. */
  matches(stored: string | null, password: string, address: string): Promise<boolean>;
};

export function createPasswords(): Passwords {
  const inTurn = createTurns('sign-ins', shares);
  return {
    matches: (stored, password, address) =>
      inTurn(address, async () => {
        const matches = await verify(stored ?? (await nobody), password);
        return matches && stored !== null;
      }),
  };
}
