import { addressGroup } from '../../contract/address.ts';
import { ApiError } from '../../contract/api-error.ts';
import { createTurns } from '../../limits/turns.ts';
import type { Services } from '../services.ts';
import { type Credentials, findCredentials } from './credentials.ts';
import { accountName, takeGuess } from './guessing.ts';

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

type Login = { email: string; password: string };
type From = { address: string | null; requestId: string };

/** What else must hold of the account, known or not, before its password is looked at. */
type Meet = (accountId: number | undefined) => Promise<void>;

/** A password that was right, as it is stored: whatever relies on it can find out that it still is. */
type Proven = Credentials & { passwordHash: string };

const isProven = (credentials: Credentials | undefined, matches: boolean): credentials is Proven =>
  matches && credentials !== undefined && credentials.passwordHash !== null;

/** The same answer, at the same cost, for an account that does not exist and for a wrong password. */
export function createPasswordCheck(services: Services) {
  const { config, db, failedSignIns, passwords } = services;
  const inLine = createTurns('sign-ins', lineShares);
  const find = async ({ email, password }: Login, group: string, meet: Meet) => {
    const credentials = await findCredentials(db, email);
    await meet(credentials?.id);
    const matches = await passwords.matches(credentials?.passwordHash ?? null, password, group);
    return { credentials, matches };
  };
  const attempt = async (login: Login, from: From, group: string, meet: Meet): Promise<Proven> => {
    const { address, requestId } = from;
    const forgive = await takeGuess(services, { email: login.email, address: address ?? undefined });
    const { credentials, matches } = await find(login, group, meet).catch(async (error: unknown) => {
      await forgive();
      throw error;
    });
    if (!isProven(credentials, matches)) {
      await failedSignIns.note({ address, requestId, group, accountBizId: credentials?.bizId });
      throw wrongCredentials();
    }
    await forgive();
    return credentials;
  };
  return (from: From, login: Login, meet: Meet = async () => {}): Promise<Proven> => {
    const group = addressGroup(from.address ?? undefined);
    const work = () => attempt(login, from, group, meet);
    if (config.limits.signIn === 'off') return work();
    return inLine(`${accountName(login.email)}:${group}`, work);
  };
}
