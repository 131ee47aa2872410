import { jwtVerify } from 'jose';
import * as client from 'openid-client';
import type { OpenIdConnect } from '../../config/values.ts';
import type { Identity } from '../portal/accounts.ts';
import { algorithms } from '../portal/outside-issuers.ts';
import { leewaySeconds } from '../portal/token-times.ts';
import { type Profile, profileOf } from './profile.ts';
import { openProvider } from './provider.ts';
import { Refused, refusalOf } from './refusal.ts';

/** One sign-in at the provider: what comes back must answer to all three. */
export type Attempt = { state: string; nonce: string; verifier: string };

/** Who someone is, as the provider says. */
type Person = Identity & {
  /** What it tells of them beside. Asks once more where the token does not have it. */
  profile(): Promise<Profile>;
};

export type RelyingParty = {
  /** The address at the provider to which the browser goes. */
  begin(attempt: Attempt): Promise<string>;
  /** Who came back with this query. Asks the provider for the code once. */
  finish(attempt: Attempt, query: string): Promise<Person>;
};

/** What the standard allows, which is also what can be stored and shown. */
const subjectShape = /^[ -~]{1,255}$/;

export const newAttempt = (): Attempt => ({
  state: client.randomState(),
  nonce: client.randomNonce(),
  verifier: client.randomPKCECodeVerifier(),
});

const refusing = (error: unknown) => {
  throw refusalOf(error);
};

export function createRelyingParty(
  settings: OpenIdConnect,
  redirectUri: string,
  now: () => number,
): RelyingParty {
  const { issuer, clientId } = settings;
  const provider = openProvider(settings, now);
  const begin = async ({ state, nonce, verifier }: Attempt) => {
    const { configuration } = await provider.known();
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return url.href;
  };
  const exchange = async ({ state, nonce, verifier }: Attempt, query: string) => {
    const { configuration, key } = await provider.known();
    const tokens = await client.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${query}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    // The library trusts the connection to the provider; a signature holds also where that ends at a proxy.
    const { payload } = await jwtVerify(tokens.id_token ?? '', key, {
      issuer,
      audience: clientId,
      algorithms,
      clockTolerance: leewaySeconds,
      currentDate: new Date(now()),
      requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
    });
    return { payload, accessToken: tokens.access_token };
  };
  const identify = async (attempt: Attempt, query: string): Promise<Person> => {
    const { payload, accessToken } = await exchange(attempt, query);
    const { sub, azp = clientId } = payload;
    if (azp !== clientId) throw new Refused('failed', 'the token was issued to another client');
    if (typeof sub !== 'string' || !subjectShape.test(sub))
      throw new Refused('failed', 'the subject is misshaped');
    const profile = async () => {
      const { configuration } = await provider.known();
      const isWhole = payload['email'] !== undefined || !configuration.serverMetadata().userinfo_endpoint;
      return profileOf(isWhole ? payload : await client.fetchUserInfo(configuration, accessToken, sub));
    };
    return { issuer, subject: sub, profile: () => profile().catch(refusing) };
  };
  return {
    begin: (attempt) => begin(attempt).catch(refusing),
    finish: (attempt, query) => identify(attempt, query).catch(refusing),
  };
}
