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

/** The same answer, at the same cost, for an account that does not exist and for a wrong password. */
export async function checkPassword(
  services: Services,
  request: FastifyRequest,
  { email, password }: Static<typeof Login>,
): Promise<Account> {
  const { db, limits, peers } = services;
  const account = email.toLowerCase();
  const pair = `${account}:${addressGroup(peers.clientAddress(request.raw))}`;
  refuseIfLimited(await limits.take('signIn', pair), 'failed sign-ins');
  const { retryAfterMs } = await limits.take('account', account);
  if (retryAfterMs > 0) await sleep(Math.min(retryAfterMs, slowMsMax));
  const credentials = await findCredentials(db, email);
  if (!(await passwordMatches(credentials?.passwordHash ?? null, password)) || credentials === undefined) {
    throw new ApiError('4017', 'the e-mail address or the password is wrong');
  }
  await Promise.all([limits.giveBack('signIn', pair), limits.giveBack('account', account)]);
  return credentials;
}
