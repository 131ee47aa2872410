import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTVerifyGetKey,
  jwtVerify,
  SignJWT,
} from 'jose';
import { isStorable } from '../contract/validate.ts';
import { StoreUnavailable } from '../db/unavailable.ts';
import type { OutsideKeys } from './outside-issuers.ts';
import { type SigningKeys, signingAlgorithm } from './signing-keys.ts';

export const accessTokenSeconds = 900;
const audience = 'portico-portal';
const leewaySeconds = 30;
/** An unknown kid makes a verifier look for newer keys, but not more often than this. */
const reloadEveryMs = 5000;

/** Who a token speaks for: an account of our own, or what an outside issuer calls the person. */
export type Subject = { issuer: 'portico' | { outside: string }; value: string };

export type AccessTokens = {
  issue(accountBizId: string): Promise<string>;
  /** Undefined for anything that is not a valid token. */
  verify(token: string): Promise<Subject | undefined>;
  jwks: SigningKeys['jwks'];
};

/** Every way a token can be wrong, and an outside issuer that cannot be asked, is one answer: not valid. */
async function orUndefined<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

export function createAccessTokens(
  keys: SigningKeys,
  outside: OutsideKeys,
  issuer: string,
  now: () => number,
): AccessTokens {
  let reloadedAtMs = 0;
  const ownKey: JWTVerifyGetKey = async (header, token) => {
    const isKnown = keys.jwks().keys.some(({ kid }) => kid === header.kid);
    if (!isKnown && now() - reloadedAtMs > reloadEveryMs) {
      reloadedAtMs = now();
      await keys.reload();
    }
    return createLocalJWKSet(keys.jwks())(header, token);
  };
  const common = () => ({
    currentDate: new Date(now()),
    clockTolerance: leewaySeconds,
    requiredClaims: ['exp', 'iat'],
  });
  return {
    jwks: keys.jwks,
    async issue(accountBizId) {
      const { kid, key } = keys.current();
      const seconds = Math.floor(now() / 1000);
      return new SignJWT()
        .setProtectedHeader({ alg: signingAlgorithm, kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(accountBizId)
        .setJti(crypto.randomUUID())
        .setIssuedAt(seconds)
        .setNotBefore(seconds)
        .setExpirationTime(seconds + accessTokenSeconds)
        .sign(key);
    },
    verify: (token) =>
      orUndefined(async () => {
        if (decodeProtectedHeader(token).kid === undefined) return undefined;
        const from = decodeJwt(token).iss;
        const provider = from === undefined || from === issuer ? undefined : outside.find(from);
        if (provider === undefined) {
          const { payload } = await jwtVerify(token, ownKey, {
            ...common(),
            issuer,
            audience,
            algorithms: [signingAlgorithm],
          });
          return payload.sub === undefined ? undefined : { issuer: 'portico', value: payload.sub };
        }
        const { payload } = await jwtVerify(token, provider.key, { ...common(), ...provider.expectations });
        const value = payload[provider.accountClaim];
        return typeof value === 'string' && value !== '' && isStorable(value)
          ? { issuer: { outside: provider.issuer }, value }
          : undefined;
      }),
  };
}
