import type { PorticoPortal } from '@portico/sdk/portal';
import { isRefusal } from './errors.ts';
import { Failure, wrongUsage } from './failure.ts';
import { portalAt } from './portal-at.ts';
import { type Profile, profileName, type StoredTokens, updateProfile } from './profile.ts';
import { findAccess, readAccess, readUrl, urlOf } from './settings.ts';

type IssuedTokens = { accessToken: string; expiresIn: number; refreshToken?: string };

/** Renewed this much before the end, so that a token does not expire on its way. */
const marginMs = 30_000;

function tokensOf({ accessToken, expiresIn, refreshToken = '' }: IssuedTokens): StoredTokens {
  return { accessToken, refreshToken, expiresAt: new Date(Date.now() + expiresIn * 1000).toISOString() };
}

/** A key in the profile stays with the server that it was saved for. */
export function checkRoomForSignIn(profile: Profile, url: string): void {
  if (profile.apiKeyId === undefined || urlOf(profile) === url) return;
  throw wrongUsage(
    `the profile ${profileName()} holds a key of ${urlOf(profile)}: choose another profile with --profile`,
  );
}

export function storeSignIn(url: string, issued: IssuedTokens): void {
  updateProfile((profile) => {
    checkRoomForSignIn(profile, url);
    return { ...profile, url, tokens: tokensOf(issued) };
  });
}

/** In the place of those they came of, and of no others: someone may have signed out meanwhile, or in as someone else. */
function storeRenewed({ refreshToken }: StoredTokens, issued: IssuedTokens): void {
  updateProfile((profile) =>
    profile.tokens?.refreshToken === refreshToken ? { ...profile, tokens: tokensOf(issued) } : profile,
  );
}

export class SignInEnded extends Failure {
  constructor() {
    super('the sign-in has ended: run portico login', 'refused');
  }
}

const isNearEnd = ({ expiresAt }: StoredTokens) => Date.parse(expiresAt) < Date.now() + marginMs;

/** Another process may have renewed them meanwhile: an old refresh token would end the sign-in. */
function newest(tokens: StoredTokens): StoredTokens {
  const access = findAccess();
  return access !== undefined && 'tokens' in access ? access.tokens : tokens;
}

async function renew(url: string, known: StoredTokens): Promise<string> {
  const tokens = newest(known);
  if (tokens.accessToken !== known.accessToken && !isNearEnd(tokens)) return tokens.accessToken;
  try {
    const issued = await portalAt(url).refresh({ refreshToken: tokens.refreshToken });
    storeRenewed(tokens, issued);
    return issued.accessToken;
  } catch (error) {
    throw isRefusal(error, '4010') ? new SignInEnded() : error;
  }
}

/** A portal call as whoever is signed in; an access token that ran out is renewed on the way. */
export async function withPortal<Result>(work: (portal: PorticoPortal) => Promise<Result>): Promise<Result> {
  const url = readUrl();
  const access = readAccess();
  const run = (accessToken: string) => work(portalAt(url, { accessToken }));
  if ('token' in access) return run(access.token);
  const { tokens } = access;
  if (isNearEnd(tokens)) return run(await renew(url, tokens));
  try {
    return await run(tokens.accessToken);
  } catch (error) {
    // Refused before its time: the clocks differ, or the server's keys changed.
    if (!isRefusal(error, '4010')) throw error;
    return run(await renew(url, tokens));
  }
}
