import { ApiError } from '../../contract/api-error.ts';
import { StoreUnavailable } from '../../db/unavailable.ts';
import { refuseIfLimited, type Verdict } from '../../limits/limits.ts';
import { createMemory } from '../../limits/memory.ts';
import type { Services } from '../services.ts';
import type { KeyFacts } from './api-key-lookup.ts';
import { checkKey, type KeyUse } from './key-checks.ts';
import type { createVerifier, Disproof, Proof, Signed } from './verify-signature.ts';

type Admitted = Proof & { address: string; verdict: Verdict };

type Asking = Signed & { expiresAtMs: number; use: KeyUse };

const spentMax = 100_000;
/** A key would have to be changed as often while one request is judged. */
const triesMax = 5;

const limitOf = ({ mode }: KeyFacts) => (mode === 'LIVE' ? 'live' : 'test');

/** The address, or why the key may not be used so. */
function judge(key: KeyFacts, use: KeyUse, nowMs: number): string | ApiError {
  try {
    return checkKey(key, use, nowMs);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/**
 * What follows a signature that holds: status, address and scope, nonce, rate. A nonce is claimed only for a request that all
 * the others let pass, so that what a key may not do leaves no row behind.
 */
export function createAdmission(
  { limits, nonces, now }: Services,
  { recall, prove }: ReturnType<typeof createVerifier>,
  refuseKey: (refusal: ApiError, asking: Asking) => Promise<ApiError>,
) {
  /** Nonces that were seen here: a request sent again holds no part of the rate while it is refused. */
  const spent = createMemory<true>(spentMax);

  /** Undefined when the key is no longer what was judged. */
  const claim = async (
    { key, version }: Proof,
    { parts, expiresAtMs, from }: Asking,
  ): Promise<Verdict | undefined> => {
    const name = `${key.apiKeyId}:${parts.nonce.toLowerCase()}`;
    const asked = { key, version, nonce: parts.nonce, expiresAtMs, nowMs: now(), from };
    const seen = spent.get(name, now()) ? await nonces.look(asked) : 'fresh';
    const verdict = seen === 'fresh' ? await limits.take(limitOf(key), key.apiKeyId) : undefined;
    const judgeNonce = () => (verdict?.allowed ? nonces.claim(asked) : nonces.look(asked));
    const state = verdict === undefined ? seen : await judgeNonce();
    if (state !== 'fresh' && verdict?.allowed) await limits.giveBack(limitOf(key), key.apiKeyId);
    if (state === 'changed') return undefined;
    if (state === 'spent' || verdict?.allowed) spent.set(name, true, expiresAtMs);
    if (state === 'spent' || verdict === undefined)
      throw new ApiError('4014', 'X-Nonce was used before with this API key');
    refuseIfLimited(verdict, 'requests');
    return verdict;
  };

  return async (asking: Asking): Promise<Admitted | Disproof> => {
    let known = recall(asking);
    for (let tries = 0; tries < triesMax; tries += 1) {
      const proof = known ?? (await prove(asking));
      if ('refused' in proof) return proof;
      const address = judge(proof.key, asking.use, now());
      const isRefused = address instanceof ApiError;
      if (isRefused && known === undefined) throw await refuseKey(address, asking);
      known = undefined; // if it is asked for again, then as it is now
      const verdict = isRefused ? undefined : await claim(proof, asking);
      if (verdict !== undefined && !isRefused) return { ...proof, address, verdict };
    }
    throw new StoreUnavailable('the API key is being changed');
  };
}
