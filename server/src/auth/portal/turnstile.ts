import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressGroup } from '../../contract/address.ts';
import { ApiError } from '../../contract/api-error.ts';
import { headerValues } from '../../contract/peer.ts';
import { countsOfAddress, giveBackAll, type Limits, takeAll } from '../../limits/limits.ts';
import { createMemory } from '../../limits/memory.ts';
import { createTurns } from '../../limits/turns.ts';
import type { Siteverify, Solved } from './siteverify.ts';

const tokenCharactersMax = 2048;
const passSeconds = 300;
const passesMax = 10_000;
/** No account has this number. */
const unknownId = 0;
/** Verifications under way. An address must not use up its limit of failures with those that will succeed. */
const shares = { atOnceMax: 100, atOnceEach: 20, waitingMax: 500, waitingEach: 100, waitMs: 3000 };
/** When a spent token is looked up again: another instance may have verified it, and be about to remember it. */
const spentLooksAfterMs = [0, 100, 200];

/** Remembers which account solved which challenge, until the token would have expired anyway. */
export type PassStore = {
  /** When the pass ends; undefined when there is none. */
  find(accountId: number, tokenHash: Buffer, nowMs: number): Promise<number | undefined>;
  remember(accountId: number, tokenHash: Buffer, expiresAtMs: number): Promise<void>;
};

/** Passes are kept by account, and remembered by its name, which is known without asking for it. */
type PassHolder = { bizId: string; account(): Promise<{ id: number }> };

export type SolvedChallenge = { remember(accountId: number): Promise<void> };

/** Of someone who may come back with the token of a first attempt, to add what was missing. */
export type SignInChallenge = SolvedChallenge & {
  /** Refuses a token that was used before, unless for this account, if any. Before anything about the account is told. */
  requireFor(accountId: number | undefined): Promise<void>;
};

export type Turnstile = {
  /** For a caller who is known: a token once solved serves that account, and nobody else, until it expires. */
  requirePass(caller: PassHolder, token: string, remoteAddress: string | undefined): Promise<void>;
  /** For someone who is not known: always verifies; an account that is known only afterwards is told by remember(). */
  requireSolved(token: string, remoteAddress: string | undefined): Promise<SolvedChallenge>;
  /** The same for a sign-in, which may take two attempts: a token that is spent waits to be asked whose it was. */
  requireSolvedOrOwn(token: string, remoteAddress: string | undefined): Promise<SignInChallenge>;
};

const field = 'X-Turnstile-Token';

/** Named as a field, it tells a client that another challenge would help, which is so of no other 4030. */
const failed = (message: string) =>
  new ApiError('4030', `Turnstile verification failed: ${field} ${message}`, {
    fields: [{ field, message }],
  });

export function turnstileToken(request: IncomingMessage): string {
  const own = headerValues(request, 'x-turnstile-token');
  const given = own.length > 0 ? own : headerValues(request, 'cf-turnstile-response');
  const [token] = given;
  if (token === undefined || token === '') throw failed('is missing');
  if (given.length > 1) throw failed('must be sent once');
  if (token.length > tokenCharactersMax) throw failed(`must have at most ${tokenCharactersMax} characters`);
  return token;
}

function refuseUnsolved(verdict: Solved): asserts verdict is Solved & { isSolved: true } {
  if (!verdict.isSolved) throw failed(verdict.isSpent ? 'has expired or was used before' : 'is not valid');
}

/** Asks the provider, unless too many challenges from the address failed. */
function createAsking(siteverify: Siteverify, limits: Limits) {
  const inTurn = createTurns('Turnstile verifications', shares);
  const forgive = (address: string | undefined) => giveBackAll(limits, countsOfAddress('challenge', address));
  const judge = async (token: string, address: string | undefined) => {
    await takeAll(limits, countsOfAddress('challenge', address), 'failed Turnstile verifications');
    const verdict = await siteverify.verify(token, address).catch(async (error: unknown) => {
      await forgive(address);
      throw error;
    });
    if (verdict.isSolved) await forgive(address);
    return verdict;
  };
  return {
    forgive,
    ask: (token: string, address: string | undefined) =>
      siteverify.isDummy
        ? siteverify.verify(token, address)
        : inTurn(addressGroup(address), () => judge(token, address)),
  };
}

export function createTurnstile(
  siteverify: Siteverify,
  passes: PassStore,
  limits: Limits,
  now: () => number,
): Turnstile {
  const { ask, forgive } = createAsking(siteverify, limits);
  const underway = new Map<string, Promise<void>>();
  /** A pass is never taken back, so one that was found holds until it ends. */
  const seen = createMemory<true>(passesMax);
  const hashOf = (token: string) => createHash('sha256').update(token).digest();
  const endOf = (challengedAtMs: number) => challengedAtMs + passSeconds * 1000;
  const rememberFor = async (accountId: number, token: string, challengedAtMs: number) => {
    if (!siteverify.isDummy) await passes.remember(accountId, hashOf(token), endOf(challengedAtMs));
  };
  const judgePass = async (
    key: string,
    accountId: number,
    token: string,
    remoteAddress: string | undefined,
  ): Promise<void> => {
    const isKnown = async () => {
      const endsAtMs = await passes.find(accountId, hashOf(token), now());
      if (endsAtMs !== undefined) seen.set(key, true, endsAtMs);
      return endsAtMs !== undefined;
    };
    if (await isKnown()) return;
    const verdict = await ask(token, remoteAddress);
    for (const afterMs of !verdict.isSolved && verdict.isSpent ? spentLooksAfterMs : []) {
      await sleep(afterMs);
      if (await isKnown()) return forgive(remoteAddress);
    }
    refuseUnsolved(verdict);
    await rememberFor(accountId, token, verdict.challengedAtMs);
    seen.set(key, true, endOf(verdict.challengedAtMs));
  };
  /** A page that loads twice at once sends one fresh token twice; the provider would call the second one spent. */
  const judgeOnce = (key: string, judge: () => Promise<void>): Promise<void> => {
    const judged = underway.get(key) ?? judge().finally(() => underway.delete(key));
    underway.set(key, judged);
    return judged;
  };
  return {
    async requirePass(caller, token, remoteAddress) {
      if (siteverify.isDummy) return refuseUnsolved(await ask(token, remoteAddress));
      const key = `${caller.bizId}\n${token}`; // no header holds a line break
      if (seen.get(key, now())) return;
      const { id } = await caller.account();
      // Whoever was first with it may have been answered meanwhile.
      if (!seen.get(key, now())) await judgeOnce(key, () => judgePass(key, id, token, remoteAddress));
    },
    async requireSolved(token, remoteAddress) {
      const verdict = await ask(token, remoteAddress);
      refuseUnsolved(verdict);
      return { remember: (accountId) => rememberFor(accountId, token, verdict.challengedAtMs) };
    },
    async requireSolvedOrOwn(token, remoteAddress) {
      const verdict = await ask(token, remoteAddress);
      if (!verdict.isSolved && !verdict.isSpent) refuseUnsolved(verdict);
      return {
        remember: async (accountId) => {
          if (verdict.isSolved) await rememberFor(accountId, token, verdict.challengedAtMs);
        },
        async requireFor(accountId = unknownId) {
          if (verdict.isSolved) return;
          if (siteverify.isDummy || !(await passes.find(accountId, hashOf(token), now())))
            refuseUnsolved(verdict);
          await forgive(remoteAddress);
        },
      };
    },
  };
}
