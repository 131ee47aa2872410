import { randomBytes } from 'node:crypto';
import { createTurns } from '../../limits/turns.ts';
import { createHashThreads, type HashThreads, type Job, parameters } from './hash-threads.ts';

/** As many at once as there are threads for it. An address with a long line has one: the other is for the rest. */
const shares = {
  atOnceMax: 2,
  atOnceEach: 2,
  atOnceLongest: 1,
  waitingMax: 200,
  waitingEach: 50,
  waitMs: 5000,
};

const base64 = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '');

/** Of a password nobody has: signing in to an account that does not exist costs the same as to one that does. */
function hashOfNobody(): string {
  const { memoryCost, timeCost, parallelism } = parameters;
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${base64(16)}$${base64(32)}`;
}

export type Passwords = {
  /** Addresses take turns, so that a flood from one does not keep the others waiting. */
  matches(stored: string | null, password: string, address: string): Promise<boolean>;
  /** What is stored of a new password. It waits in the same line. */
  hash(password: string, address: string): Promise<string>;
  close(): Promise<void>;
};

/** Who signs in while nobody waits is soon done; a flood takes from nobody. A thread cannot be told to give way less than it did. */
const shippedThreads = () => ({
  alone: createHashThreads({ niceness: 5 }),
  awaited: createHashThreads({ niceness: 10 }),
});

export function createPasswords(
  { alone, awaited }: Record<'alone' | 'awaited', HashThreads> = shippedThreads(),
): Passwords {
  const inTurn = createTurns('sign-ins', shares);
  const nobody = hashOfNobody();
  const run = (address: string, job: Job) =>
    inTurn(address, (isAwaited) => (isAwaited ? awaited : alone).run(job));
  return {
    async matches(stored, password, address) {
      const matches = await run(address, { password, stored: stored ?? nobody });
      return matches === true && stored !== null;
    },
    hash: async (password, address) => String(await run(address, { password })),
    close: async () => void (await Promise.all([alone.close(), awaited.close()])),
  };
}
