import { hash, verify } from '@node-rs/argon2';

/** Argon2id with the parameters OWASP recommends; the library's default algorithm is argon2id. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Of a password nobody has: signing in to an account that does not exist costs the same as to one that does. */
const nobody = hash('no account has this password', parameters);

export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters);
}

export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await nobody), password);
  return matches && stored !== null;
}
