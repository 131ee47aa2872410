import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { refuseIfLimited } from '../../auth/limits.ts';
import { passwordMatches } from '../../auth/passwords.ts';
import type { Account } from '../../auth/roles.ts';
import type { Services } from '../../auth/services.ts';
import { addressGroup } from '../../contract/address.ts';
import { ApiError } from '../../contract/api-error.ts';
import { findCredentials } from './queries.ts';
import type { Login } from './schema.ts';

/** Longest an attempt is held back when an account is tried from many addresses. */
const slowMsMax = 3000;

const wrong = () =>
  new ApiError('4017', 'the e-mail address or the password is wrong', {
    headers: { 'www-authenticate': 'Bearer realm="portico"' },
  });

/** One after another for each key, so that attempts made at once do not use up each other's chances. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return <Value>(key: string, work: () => Promise<Value>): Promise<Value> => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, turn);
    const leave = () => {
      if (last.get(key) === turn) last.delete(key);
    };
    turn.then(leave, leave);
    return turn;
  };
}

/** The same answer, at the same cost, for an account that does not exist and for a wrong password. */
export function createPasswordCheck({ db, limits, peers }: Services) {
  const inTurn = createTurns();
  const find = async ({ email, password }: Static<typeof Login>): Promise<Account | undefined> => {
    const credentials = await findCredentials(db, email);
    const matches = await passwordMatches(credentials?.passwordHash ?? null, password);
    return matches ? credentials : undefined;
  };
  return (request: FastifyRequest, login: Static<typeof Login>): Promise<Account> => {
    const account = login.email.toLowerCase();
    const pair = `${account}:${addressGroup(peers.clientAddress(request.raw))}`;
    return inTurn(pair, async () => {
      refuseIfLimited(await limits.take('signIn', pair), 'failed sign-ins');
      const { retryAfterMs } = await limits.take('account', account);
      if (retryAfterMs > 0) await sleep(Math.min(retryAfterMs, slowMsMax));
      const forgive = () =>
        Promise.all([limits.giveBack('signIn', pair), limits.giveBack('account', account)]);
      const found = await find(login).catch(async (error: unknown) => {
        await forgive();
        throw error;
      });
      if (found === undefined) throw wrong();
      await forgive();
      return found;
    });
  };
}
