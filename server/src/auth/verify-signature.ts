import { ApiError } from '../contract/api-error.ts';
import {
  findApiKey,
  findLiveSecrets,
  liveSecretsMax,
  type StoredKey,
  secretOwner,
} from './api-key-lookup.ts';
import { newSecret } from './key-material.ts';
import type { Services } from './services.ts';
import { type SignedParts, signatureMatches, stringToSign } from './signature.ts';
import { findMistake } from './signing-mistakes.ts';

export type Verified = { key: StoredKey; version: number };

/** Larger bodies are not hashed again and again to find a mistake. */
const explainedBytesMax = 64 * 1024;

const isWorking = (expiresAt: string | null, nowMs: number) =>
  expiresAt === null || Date.parse(expiresAt) > nowMs;

/** Nobody knows this secret: a key that does not exist is verified against it, and so costs what a wrong signature costs. */
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
  const { db, vault, now, config } = services;
  const nobody = createNobody(services);
  const open = (apiKeyId: string, { version, sealed }: { version: number; sealed: Buffer }) =>
    vault.open(sealed, secretOwner(apiKeyId, version));

  /** Does the same work for every TEST key id, whether or not there is such a key. */
  const explain = async (key: StoredKey, parts: SignedParts, given: string): Promise<string | undefined> => {
    const live = (await findLiveSecrets(db, key.workspaceId)).map(({ apiKeyId, ...secret }) =>
      open(apiKeyId, secret),
    );
    const [current, ...former] = key.secrets.map((secret) => open(key.apiKeyId, secret));
    return findMistake(
      {
        parts,
        basePath: config.basePath,
        secret: current ?? nobody.secret(),
        formerSecrets: padded(former, 1, nobody.secret),
        liveSecrets: padded(live, liveSecretsMax, nobody.secret),
      },
      given,
    );
  };

  return {
    async verify(parts: SignedParts, given: string): Promise<Verified | StoredKey> {
      const found = await findApiKey(db, parts.apiKeyId);
      const key = found ?? nobody.key;
      const text = stringToSign(parts);
      const [match] = key.secrets
        .filter(({ expiresAt }) => isWorking(expiresAt, now()))
        .filter((secret) => signatureMatches(open(key.apiKeyId, secret), text, given));
      return match !== undefined && found !== undefined ? { key, version: match.version } : key;
    },

    /** The refusal of a signature that did not match. Of LIVE keys nothing is said but that. */
    async refusal(key: StoredKey, parts: SignedParts, given: string, mayExplain: boolean): Promise<ApiError> {
      const unexplained = 'the API key is unknown or the signature does not match';
      if (!parts.apiKeyId.startsWith('ak_test_') || parts.body.length > explainedBytesMax || !mayExplain) {
        return new ApiError('4012', unexplained);
      }
      const mistake = await explain(key, parts, given);
      const members = { stringToSign: stringToSign(parts) };
      return mistake === undefined
        ? new ApiError('4012', `${unexplained}, and no known mistake explains it`, { members })
        : new ApiError('4012', `the signature does not match: ${mistake}`, { members });
    },
  };
}
