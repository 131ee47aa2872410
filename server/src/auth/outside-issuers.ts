import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import type { OutsideIssuer } from '../config/values.ts';

/** Asymmetric algorithms alone: a shared secret with an outside issuer could sign for it. */
const algorithms = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519'];
const fetchTimeoutMs = 2000;
const freshMs = 600_000;
const cooldownMs = 5000;
/** How long the last keys seen still serve while their issuer is down. */
const staleMs = 3_600_000;

type Provider = {
  issuer: string;
  accountClaim: string;
  key: JWTVerifyGetKey;
  expectations: { issuer: string; audience: string; algorithms: string[] };
};

export type OutsideKeys = { find(issuer: string): Provider | undefined };

/** Keys are fetched when an unknown one appears or the last answer has aged; an issuer that is down is bridged. */
function bridgedKeys(jwksUri: string, now: () => number): JWTVerifyGetKey {
  const remote = createRemoteJWKSet(new URL(jwksUri), {
    timeoutDuration: fetchTimeoutMs,
    cooldownDuration: cooldownMs,
    cacheMaxAge: freshMs,
  });
  let seenAtMs = Number.NEGATIVE_INFINITY;
  return async (header, token) => {
    try {
      const key = await remote(header, token);
      seenAtMs = remote.fresh ? now() : seenAtMs;
      return key;
    } catch (error) {
      const known = remote.jwks();
      const isAnswer =
        error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
      if (known === undefined || isAnswer || now() - seenAtMs > staleMs) throw error;
      return createLocalJWKSet(known)(header, token);
    }
  };
}

export function openOutsideIssuers(issuers: readonly OutsideIssuer[], now: () => number): OutsideKeys {
  const providers = new Map(
    issuers.map(({ issuer, jwksUri, audience, accountClaim }) => [
      issuer,
      {
        issuer,
        accountClaim,
        key: bridgedKeys(jwksUri, now),
        expectations: { issuer, audience, algorithms },
      },
    ]),
  );
  return { find: (issuer) => providers.get(issuer) };
}
