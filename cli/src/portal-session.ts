import { PorticoPortal } from '@portico/sdk/portal';
import { isRefusal } from './errors.ts';
import { failedCheck } from './failure.ts';
import { type StoredTokens, updateProfile } from './profile.ts';
import { readAccess, readUrl } from './settings.ts';

type IssuedTokens = { accessToken: string; expiresIn: number; refreshToken?: string };

/** Renewed this much before the end, so that a token does not expire on its way. */
const marginMs = 30_000;

export function storeTokens(url: string, { accessToken, expiresIn, refreshToken = '' }: IssuedTokens): void {
  const expiresAt = new Date(Date.now() + expiresIn * 1000).toISOString();
  updateProfile((profile) => ({ ...profile, url, tokens: { accessToken, refreshToken, expiresAt } }));
}

async function renew(url: string, { refreshToken }: StoredTokens): Promise<string> {
  try {
    const issued = await new PorticoPortal({ baseUrl: url }).refresh({ refreshToken });
    storeTokens(url, issued);
    return issued.accessToken;
  } catch (error) {
    if (isRefusal(error, '4010')) throw failedCheck('the sign-in has ended: run portico login');
    throw error;
  }
}

/** A portal call as whoever is signed in; an access token that ran out is renewed on the way. */
export async function withPortal<Result>(work: (portal: PorticoPortal) => Promise<Result>): Promise<Result> {
  const url = readUrl();
  const access = readAccess();
  const run = (accessToken: string) => work(new PorticoPortal({ baseUrl: url, accessToken }));
  if ('token' in access) return run(access.token);
  const { tokens } = access;
  if (Date.parse(tokens.expiresAt) < Date.now() + marginMs) return run(await renew(url, tokens));
  try {
    return await run(tokens.accessToken);
  } catch (error) {
    // Refused before its time: the clocks differ, or the server's keys changed.
    if (!isRefusal(error, '4010')) throw error;
    return run(await renew(url, tokens));
  }
}
