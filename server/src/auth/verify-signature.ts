import { ApiError } from '../contract/api-error.ts';
import {
  findKeyOrDecoy,
  findLiveSecrets,
  isWorking,
  type KeyFacts,
  liveSecretsMax,
  type StoredKey,
  secretOwner,
} from './api-key-lookup.ts';
import { newSecret } from './key-material.ts';
import { createMemory } from './memory.ts';
import type { Services } from './services.ts';
import { type SignedParts, signatureMatches, stringToSign } from './signature.ts';
import { findMistake } from './signing-mistakes.ts';

/** What became of a signature and its nonce. A refused one tells the key it was judged by. */
export type Admission =
  | { kind: 'admitted'; key: KeyFacts; version: number }
  | { kind: 'replayed' }
  | { kind: 'refused'; key: StoredKey };

type OpenSecret = { version: number; secret: string };

/** Larger bodies are not hashed again and again to find a mistake. */
const explainedBytesMax = 64 * 1024;
const unknownMistake =
  'and no known mistake explains it; with Accept: application/problem+json the answer has the text to sign';
const rememberedKeysMax = 10_000;

/** Nobody knows this secret. It stands in where there is no other, so that a key that does not exist costs what a wrong signature costs. */
function createNobody({ vault }: Services) {
  const sealed = vault.seal(newSecret('test'), secretOwner('nobody', 1));
  const key: StoredKey = {
    apiKeyId: 'nobody',
    workspaceId: 0,
    workspaceBizId: '',
    mode: 'TEST',
    status: 'REVOKED',
    scopes: [],
    ipWhitelist: [],
    expiresAt: null,
    secrets: [{ version: 1, sealed, expiresAt: null }],
  };
  return { key, secret: () => vault.open(sealed, secretOwner('nobody', 1)) };
}

function padded(secrets: string[], length: number, filler: () => string): string[] {
  return [...secrets, ...Array.from({ length: Math.max(0, length - secrets.length) }, filler)];
}

export function createVerifier(services: Services) {
  const { db, vault, now, config, nonces } = services;
  const nobody = createNobody(services);
  const nobodySecrets = [{ version: 1, secret: nobody.secret() }];
  /** Opened secrets of keys that signed before. They never change; whether they still work is asked each time. */
  const memory = createMemory<OpenSecret[]>(rememberedKeysMax);
  const open = (apiKeyId: string, { version, sealed }: { version: number; sealed: Buffer }) => ({
    version,
    secret: vault.open(sealed, secretOwner(apiKeyId, version)),
  });
  const matching = (secrets: OpenSecret[], text: string, given: string) =>
    secrets.filter(({ secret }) => signatureMatches(secret, text, given))[0];

  /** Verifies with a secret seen before, and asks for key and nonce in one round trip. */
  const admitKnown = async (
    parts: SignedParts,
    text: string,
    given: string,
    expiresAtMs: number,
  ): Promise<Admission | undefined> => {
    const known = memory.get(parts.apiKeyId, now());
    const match = matching(known ?? nobodySecrets, text, given);
    if (known === undefined || match === undefined) return undefined;
    const claim = await nonces.claimWithKey({ ...parts, version: match.version, expiresAtMs, nowMs: now() });
    if (claim === undefined) return undefined;
    return claim.isFirst
      ? { kind: 'admitted', key: claim.key, version: match.version }
      : { kind: 'replayed' };
  };

  const admitAny = async (
    parts: SignedParts,
    text: string,
    given: string,
    expiresAtMs: number,
  ): Promise<Admission> => {
    const { key, isFound } = (await findKeyOrDecoy(db, parts.apiKeyId)) ?? {
      key: nobody.key,
      isFound: false,
    };
    const working = key.secrets.filter((secret) => isWorking(secret, now()));
    const secrets = working.map((secret) => open(key.apiKeyId, secret));
    const match = matching(secrets, text, given);
    if (!isFound) return { kind: 'refused', key: nobody.key };
    if (match === undefined) return { kind: 'refused', key };
    memory.set(key.apiKeyId, secrets, Number.POSITIVE_INFINITY);
    const isFirst = await nonces.claim(key.apiKeyId, parts.nonce, expiresAtMs);
    return isFirst ? { kind: 'admitted', key, version: match.version } : { kind: 'replayed' };
  };

  /** Does the same work for every TEST key id, whether or not there is such a key. */
  const explain = async (
    key: StoredKey,
    parts: SignedParts,
    given: string,
    host: string,
  ): Promise<string | undefined> => {
    const live = await findLiveSecrets(db, key.workspaceId);
    const liveSecrets = live.map(({ apiKeyId, ...secret }) => open(apiKeyId, secret).secret);
    const [current, ...former] = key.secrets.map((secret) => open(key.apiKeyId, secret).secret);
    return findMistake(
      {
        parts,
        basePath: config.basePath,
        origins: [config.publicUrl, `https://${host}`, `http://${host}`],
        secret: current ?? nobody.secret(),
        formerSecrets: padded(former, 1, nobody.secret),
        liveSecrets: padded(liveSecrets, liveSecretsMax, nobody.secret),
      },
      given,
    );
  };

  return {
    /** Claims the nonce once the signature holds, and only then. */
    async admit(parts: SignedParts, given: string, expiresAtMs: number): Promise<Admission> {
      const text = stringToSign(parts);
      const admission = await admitKnown(parts, text, given, expiresAtMs);
      return admission ?? admitAny(parts, text, given, expiresAtMs);
    },

    /** The refusal of a signature that did not match. Of LIVE keys nothing is said but that. */
    async refusal(
      key: StoredKey,
      parts: SignedParts,
      given: string,
      { host, mayExplain }: { host: string; mayExplain: boolean },
    ): Promise<ApiError> {
      const unexplained = 'the API key is unknown or the signature does not match';
      const isTest = parts.apiKeyId.startsWith('ak_test_');
      if (!isTest || parts.body.length > explainedBytesMax || !mayExplain) {
        return new ApiError('4012', unexplained);
      }
      const mistake = await explain(key, parts, given, host);
      const members = { stringToSign: stringToSign(parts) };
      return mistake === undefined
        ? new ApiError('4012', `${unexplained}, ${unknownMistake}`, { members })
        : new ApiError('4012', `the signature does not match: ${mistake}`, { members });
    },
  };
}
