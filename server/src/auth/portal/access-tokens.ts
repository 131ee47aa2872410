import { type KeyObject, randomUUID, sign } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, errors, type JWK, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { isStorable } from '../../contract/validate.ts';
import { StoreUnavailable } from '../../db/unavailable.ts';
import { createMemory } from '../../limits/memory.ts';
import { restrained } from '../../limits/restrained.ts';
import type { OutsideKeys } from './outside-issuers.ts';
import { type SigningKeys, signingAlgorithm } from './signing-keys.ts';
import { hasSaneTimes, leewaySeconds } from './token-times.ts';

const accessTokenSeconds = 900;
const audience = 'portico-portal';
/** Of outside tokens, which nobody can call back: as long as common issuers make them by default. */
const outsideTokenSecondsMax = 86_400;
const verifiedMax = 10_000;
/** Another instance may have made a newer key; it is not looked for more often than this. */
const reloadEveryMs = 5000;

/** Who a token speaks for: an account of our own, or what an outside issuer calls the person. */
export type Subject = {
  issuer: 'portico' | { outside: string };
  value: string;
  /** The sign-in that it ends with; null: that of an outside issuer, which we know nothing of. */
  signIn: string | null;
};

/** What an access token is made of. It ends with its sign-in, or sooner. */
type Grant = { accountBizId: string; signInId: string; endsAtMs: number };

export type AccessTokens = {
  issue(grant: Grant): { token: string; expiresIn: number };
  /** Undefined for anything that is not a valid token. */
  verify(token: string): Promise<Subject | undefined>;
  jwks(): Promise<{ keys: JWK[] }>;
  /** Keeps the key that signs young, however long the process runs. */
  renewKeys(): Promise<void>;
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

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** At once: it takes less of the event loop than handing it to another thread, and nobody waits for a turn of it. */
function signedToken(header: object, claims: object, key: KeyObject): string {
  const signed = `${base64url(header)}.${base64url(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

export function createAccessTokens(
  keys: SigningKeys,
  outside: OutsideKeys,
  issuer: string,
  now: () => number,
): AccessTokens {
  const reload = restrained(reloadEveryMs, now, keys.reload);
  const isKnownKey = (kid: unknown) => keys.jwks().keys.some((key) => key.kid === kid);
  const ownKey: JWTVerifyGetKey = async (header, token) => {
    if (!isKnownKey(header.kid)) await reload();
    return keys.find(header, token);
  };
  const common = () => ({
    currentDate: new Date(now()),
    clockTolerance: leewaySeconds,
    requiredClaims: ['exp', 'iat'],
  });
  /** Tokens of our own whose signature was right, until they expire or their key is gone. */
  const verified = createMemory<{ kid: string; subject: Subject }>(verifiedMax);
  const verifyOwn = async (token: string, kid: string): Promise<Subject | undefined> => {
    const { payload } = await jwtVerify(token, ownKey, {
      ...common(),
      issuer,
      audience,
      algorithms: [signingAlgorithm],
    });
    const { sub, exp, sid } = payload;
    if (sub === undefined || exp === undefined || typeof sid !== 'string') return undefined;
    if (!hasSaneTimes(payload, now(), accessTokenSeconds)) return undefined;
    const subject: Subject = { issuer: 'portico', value: sub, signIn: sid };
    verified.set(token, { kid, subject }, (exp + leewaySeconds) * 1000);
    return subject;
  };
  const verifyOutside = async (
    token: string,
    provider: NonNullable<ReturnType<OutsideKeys['find']>>,
  ): Promise<Subject | undefined> => {
    const { payload } = await jwtVerify(token, provider.key, { ...common(), ...provider.expectations });
    if (!hasSaneTimes(payload, now(), outsideTokenSecondsMax)) return undefined;
    const value = payload[provider.accountClaim];
    return typeof value === 'string' && value !== '' && isStorable(value)
      ? { issuer: { outside: provider.issuer }, value, signIn: null }
      : undefined;
  };
  const verifyAnew = (token: string) =>
    orUndefined(async () => {
      const { kid } = decodeProtectedHeader(token);
      if (typeof kid !== 'string') return undefined;
      const from = decodeJwt(token).iss;
      const provider = from === undefined || from === issuer ? undefined : outside.find(from);
      return provider === undefined ? verifyOwn(token, kid) : verifyOutside(token, provider);
    });
  return {
    renewKeys: keys.renew,
    async jwks() {
      await reload().catch(() => {}); // without the database, what is known serves
      return keys.jwks();
    },
    issue({ accountBizId, signInId, endsAtMs }) {
      const { kid, key } = keys.current();
      const seconds = Math.floor(now() / 1000);
      const expiresIn = Math.max(0, Math.min(accessTokenSeconds, Math.floor(endsAtMs / 1000) - seconds));
      const claims = {
        ...{ iss: issuer, aud: audience, sub: accountBizId, sid: signInId, jti: randomUUID() },
        ...{ iat: seconds, nbf: seconds, exp: seconds + expiresIn },
      };
      const token = signedToken({ alg: signingAlgorithm, kid, typ: 'JWT' }, claims, key);
      return { token, expiresIn };
    },
    verify: (token) => {
      const known = verified.get(token, now());
      return known !== undefined && isKnownKey(known.kid)
        ? Promise.resolve(known.subject)
        : verifyAnew(token);
    },
  };
}
