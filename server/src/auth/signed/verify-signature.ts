import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { ApiError } from '../../contract/api-error.ts';
import { createMemory } from '../../limits/memory.ts';
import { createFairQueue } from '../../queue/fair-queue.ts';
import type { Services } from '../services.ts';
import {
  findKeyOrDecoy,
  findLiveSecrets,
  isWorking,
  type KeyFacts,
  liveSecretsMax,
  type StoredKey,
} from './api-key-lookup.ts';
import { createKeySecrets, type OpenSecret } from './key-secrets.ts';
import { type SignedParts, signatureMatches } from './signature.ts';
import { findMistake } from './signing-mistakes.ts';

/** A request, the text that its caller should have signed, and the signature that was given. */
export type Signed = {
  parts: SignedParts;
  text: string;
  given: string;
  /** Who shares the database's time as one: the address it came from. */
  from: string;
};

/** A signature that holds: the key as it was when it was read, and which of its secrets signed. */
export type Proof = { key: KeyFacts; version: number };

/** A signature that does not hold, and the key it was judged by. */
export type Disproof = { refused: StoredKey };

/** Larger bodies and queries are not hashed and encoded again and again to find a mistake. */
export const explainedMax = { bodyBytes: 64 * 1024, queryBytes: 2048 };
/** One explanation at a time, in pieces with rests between them: they are worked on where every request is. */
const explainShares = { atOnceMax: 1, atOnceEach: 1, waitingMax: 40, waitingEach: 4, waitMs: 2000 };
const pieceMs = 1;
const restTimes = 9;
const unknownMistake = 'and no known mistake explains it';
const advice = '; with Accept: application/problem+json the answer has the text to sign';
const rememberedKeysMax = 10_000;

/** A rest of so many times what was done since the last, once that is a whole piece. */
function createRest(): () => Promise<void> {
  let sinceMs = performance.now();
  return async () => {
    const workedMs = performance.now() - sinceMs;
    if (workedMs < pieceMs) return;
    await sleep(workedMs * restTimes, undefined, { ref: false });
    sinceMs = performance.now();
  };
}

function padded(secrets: string[], length: number, filler: () => string): string[] {
  return [...secrets, ...Array.from({ length: Math.max(0, length - secrets.length) }, filler)];
}

export function createVerifier(services: Services, log: FastifyBaseLogger) {
  const { db, now, config } = services;
  const { nobody, open } = createKeySecrets(services, log);
  const nobodySecrets = [{ version: 1, secret: nobody.secret() }];
  /** Keys that signed before. A version of a secret never changes; whether the rest still holds is asked each time. */
  const memory = createMemory<{ key: KeyFacts; secrets: OpenSecret[] }>(rememberedKeysMax);
  const matching = (secrets: OpenSecret[], text: string, given: string) =>
    secrets.filter(({ secret }) => signatureMatches(secret, text, given))[0];

  const explaining = createFairQueue(explainShares);

  /** Does the same work for every TEST key id, whether or not there is such a key. */
  const explain = async (
    key: StoredKey,
    { parts, given, from }: Signed,
    host: string,
  ): Promise<string | undefined> => {
    const live = await findLiveSecrets(db.shareOf(from, parts.apiKeyId), key.workspaceId);
    const liveSecrets = live.map(({ apiKeyId, ...secret }) => open(apiKeyId, secret).secret);
    const [current, ...former] = key.secrets.map((secret) => open(key.apiKeyId, secret).secret);
    const rest = createRest();
    const mistake = await findMistake(
      {
        parts,
        basePath: config.basePath,
        origins: [config.publicUrl, `https://${host}`, `http://${host}`],
        secret: current ?? nobody.secret(),
        formerSecrets: padded(former, 1, nobody.secret),
        liveSecrets: padded(liveSecrets, liveSecretsMax, nobody.secret),
      },
      given,
      rest,
    );
    await rest();
    return mistake;
  };

  return {
    /** Proves a signature by what is remembered of its key. */
    recall({ parts, text, given }: Signed): Proof | undefined {
      const known = memory.get(parts.apiKeyId, now());
      const match = matching(known?.secrets ?? nobodySecrets, text, given);
      return known === undefined || match === undefined
        ? undefined
        : { key: known.key, version: match.version };
    },

    /** Proves it by the key as it is now. */
    async prove({ parts, text, given, from }: Signed): Promise<Proof | Disproof> {
      const { key, isFound } = (await findKeyOrDecoy(db.shareOf(from, parts.apiKeyId), parts.apiKeyId)) ?? {
        key: nobody.key,
        isFound: false,
      };
      const working = key.secrets.filter((secret) => isWorking(secret, now()));
      const secrets = working.map((secret) => open(key.apiKeyId, secret));
      const match = matching(secrets, text, given);
      if (!isFound) return { refused: nobody.key };
      if (match === undefined) return { refused: key };
      const { secrets: _sealed, ...facts } = key;
      memory.set(
        key.apiKeyId,
        { key: facts, secrets: secrets.filter(({ isReadable }) => isReadable) },
        Number.POSITIVE_INFINITY,
      );
      return { key: facts, version: match.version };
    },

    /** The refusal of a signature that did not match. Of LIVE keys nothing is said but that. */
    async refusal(
      key: StoredKey,
      signed: Signed,
      { host, mayExplain }: { host: string; mayExplain: boolean },
    ): Promise<ApiError> {
      const { parts, text } = signed;
      const unexplained = 'the API key is unknown or the signature does not match';
      const isTest = parts.apiKeyId.startsWith('ak_test_');
      const isLarge =
        parts.body.length > explainedMax.bodyBytes || parts.query.length > explainedMax.queryBytes;
      if (!isTest || isLarge || !mayExplain) return new ApiError('4012', unexplained);
      const leave = await explaining.enter(signed.from).catch(() => undefined);
      if (leave === undefined) return new ApiError('4012', unexplained);
      const mistake = await explain(key, signed, host).finally(leave);
      const members = { stringToSign: text };
      return mistake === undefined
        ? new ApiError('4012', `${unexplained}, ${unknownMistake}`, { members, advice })
        : new ApiError('4012', `the signature does not match: ${mistake}`, { members });
    },
  };
}
