import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Account } from '../../auth/portal/accounts.ts';
import type { Services } from '../../auth/services.ts';
import { addressGroup } from '../../contract/address.ts';
import { ApiError } from '../../contract/api-error.ts';
import { refuseIfLimited } from '../../limits/limits.ts';
import { createTurns } from '../../limits/turns.ts';
import { findCredentials } from './queries.ts';
import type { Login } from './schema.ts';

/** Longest an attempt is held back when an account is tried from many addresses. */
const slowMsMax = 3000;

/** One after another for an account and address, so that attempts made at once do not use up each other's chances. */
const lineShares = {
  atOnceMax: Number.POSITIVE_INFINITY,
  atOnceEach: 1,
  waitingMax: 2000,
  waitingEach: 19,
  waitMs: 5000,
};

/** Attempts that are held back, by account. They cost little but their place, and wait for nobody. */
const slowedShares = { atOnceMax: 1000, atOnceEach: 100, waitingMax: 0, waitingEach: 0, waitMs: 0 };

/** The same for an account that does not exist, was disabled, or has another password. */
export const wrongCredentials = () =>
  new ApiError('4017', 'the e-mail address or the password is wrong', {
    headers: { 'www-authenticate': 'Bearer realm="portico"' },
  });

/** The same answer, at the same cost, for an account that does not exist and for a wrong password. */
export function createPasswordCheck({ config, db, failedSignIns, limits, passwords, peers }: Services) {
  const inLine = createTurns('sign-ins', lineShares);
  const amongSlowed = createTurns('sign-ins to one account', slowedShares);
  const find = async ({ email, password }: Static<typeof Login>, address: string) => {
    const credentials = await findCredentials(db, email);
    const matches = await passwords.matches(credentials?.passwordHash ?? null, password, address);
    return { credentials, matches };
  };
  const holdBack = async (account: string, retryAfterMs: number) => {
    if (retryAfterMs === 0) return;
    const holdMs = Math.min(retryAfterMs, slowMsMax);
    await amongSlowed(account, () => sleep(holdMs));
  };
  const attempt = async (
    login: Static<typeof Login>,
    account: string,
    address: string,
    from: { address: string | null; requestId: string },
  ): Promise<Account> => {
    const pair = `${account}:${address}`;
    refuseIfLimited(await limits.take('signIn', pair), 'failed sign-ins');
    const { allowed: isTaken, retryAfterMs } = await limits.take('account', account);
    const forgive = async () => {
      await limits.giveBack('signIn', pair);
      if (isTaken) await limits.giveBack('account', account);
    };
    const judge = async () => {
      await holdBack(account, retryAfterMs);
      return find(login, address);
    };
    const { credentials, matches } = await judge().catch(async (error: unknown) => {
      await forgive();
      throw error;
    });
    if (credentials === undefined || !matches) {
      await failedSignIns.note({ ...from, group: address, accountBizId: credentials?.bizId });
      throw wrongCredentials();
    }
    await forgive();
    return credentials;
  };
  return (request: FastifyRequest, login: Static<typeof Login>): Promise<Account> => {
    const account = login.email.toLowerCase();
    const client = peers.clientAddress(request.raw);
    const address = addressGroup(client);
    const from = { address: client ?? null, requestId: request.id };
    const work = () => attempt(login, account, address, from);
    if (config.limits.signIn === 'off') return work();
    return inLine(`${account}:${address}`, work);
  };
}
