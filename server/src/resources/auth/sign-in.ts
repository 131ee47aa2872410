import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Account } from '../../auth/portal/accounts.ts';
import { accountName, takeGuess } from '../../auth/portal/guessing.ts';
import type { Services } from '../../auth/services.ts';
import { addressGroup } from '../../contract/address.ts';
import { ApiError } from '../../contract/api-error.ts';
import { createTurns } from '../../limits/turns.ts';
import { findCredentials } from './queries.ts';
import type { Login } from './schema.ts';

/** One after another for an account and address, so that attempts made at once do not use up each other's chances. */
const lineShares = {
  atOnceMax: Number.POSITIVE_INFINITY,
  atOnceEach: 1,
  waitingMax: 2000,
  waitingEach: 19,
  waitMs: 5000,
};

/** The same for an account that does not exist, was disabled, or has another password. */
export const wrongCredentials = () =>
  new ApiError('4017', 'the e-mail address or the password is wrong', {
    headers: { 'www-authenticate': 'Bearer realm="portico"' },
  });

type From = { address: string | undefined; group: string; requestId: string };

/** The same answer, at the same cost, for an account that does not exist and for a wrong password. */
export function createPasswordCheck(services: Services) {
  const { config, db, failedSignIns, passwords, peers } = services;
  const inLine = createTurns('sign-ins', lineShares);
  const find = async ({ email, password }: Static<typeof Login>, group: string) => {
    const credentials = await findCredentials(db, email);
    const matches = await passwords.matches(credentials?.passwordHash ?? null, password, group);
    return { credentials, matches };
  };
  const attempt = async (login: Static<typeof Login>, from: From): Promise<Account> => {
    const { address, group, requestId } = from;
    const forgive = await takeGuess(services, { email: login.email, address });
    const { credentials, matches } = await find(login, group).catch(async (error: unknown) => {
      await forgive();
      throw error;
    });
    if (credentials === undefined || !matches) {
      const accountBizId = credentials?.bizId;
      await failedSignIns.note({ address: address ?? null, requestId, group, accountBizId });
      throw wrongCredentials();
    }
    await forgive();
    return credentials;
  };
  return (request: FastifyRequest, login: Static<typeof Login>): Promise<Account> => {
    const address = peers.clientAddress(request.raw);
    const group = addressGroup(address);
    const work = () => attempt(login, { address, group, requestId: request.id });
    if (config.limits.signIn === 'off') return work();
    return inLine(`${accountName(login.email)}:${group}`, work);
  };
}
