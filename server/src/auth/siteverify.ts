import { dummySecrets } from '../config/dummy-secrets.ts';
import type { Config } from '../config.ts';
import { ApiError } from '../contract/api-error.ts';

const cloudflareUrl = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';
const timeoutMs = 2000;
const attempts = 2;
const answerBytesMax = 64 * 1024;

export type Solved = { isSolved: true; challengedAtMs: number } | { isSolved: false; isSpent: boolean };
export type Siteverify = {
  /** Dummy secrets answer the same to everyone, so there is nothing to remember. */
  isDummy: boolean;
  verify(token: string, remoteAddress: string | undefined): Promise<Solved>;
};

type Answer = { success: boolean; hostname?: unknown; challenge_ts?: unknown; 'error-codes'?: unknown };

/** The client's fault. Every other error code is ours or the provider's. */
const tokenErrors = ['missing-input-response', 'invalid-input-response', 'timeout-or-duplicate'];

const providerAway = () =>
  new ApiError('5031', 'the Turnstile verification is not available; try again', {
    headers: { 'retry-after': '5' },
  });

async function readAnswer(response: Response): Promise<Answer | undefined> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length > answerBytesMax) return undefined;
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  const isAnswer =
    typeof value === 'object' && value !== null && 'success' in value && typeof value.success === 'boolean';
  return isAnswer ? (value as Answer) : undefined; // success was checked, the rest is read as unknown
}

async function ask(url: string, form: Record<string, string>): Promise<Answer | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(form),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return await readAnswer(response);
  } catch {
    return undefined;
  }
}

function judge(answer: Answer, hostnames: readonly string[] | undefined, nowMs: number): Solved | undefined {
  if (answer.success) {
    const isOurs = hostnames === undefined || hostnames.includes(String(answer.hostname));
    if (!isOurs) return { isSolved: false, isSpent: false };
    const at = Date.parse(String(answer.challenge_ts));
    return { isSolved: true, challengedAtMs: Number.isNaN(at) ? nowMs : Math.min(at, nowMs) };
  }
  const codes = Array.isArray(answer['error-codes']) ? answer['error-codes'].map(String) : [];
  if (codes.length === 0 || !codes.every((code) => tokenErrors.includes(code))) return undefined;
  return { isSolved: false, isSpent: codes.includes('timeout-or-duplicate') };
}

/** Fails closed: without a clear answer from the provider nobody passes. */
function askingSiteverify(config: Config, secret: string, now: () => number): Siteverify['verify'] {
  const isDummy = Object.values<string>(dummySecrets).includes(secret);
  const hostnames = isDummy ? undefined : config.turnstileHostnames;
  return async (token, remoteAddress) => {
    const form = {
      secret,
      response: token,
      idempotency_key: crypto.randomUUID(),
      ...(remoteAddress === undefined ? {} : { remoteip: remoteAddress }),
    };
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const answer = await ask(config.turnstileVerifyUrl ?? cloudflareUrl, form);
      const verdict = answer === undefined ? undefined : judge(answer, hostnames, now());
      if (verdict !== undefined) return verdict;
    }
    throw providerAway();
  };
}

export function createSiteverify(config: Config, now: () => number): Siteverify {
  const secret = config.turnstileSecret;
  if (secret === undefined) {
    return { isDummy: false, verify: () => Promise.reject(providerAway()) };
  }
  const isLocal =
    config.turnstileVerifyUrl === undefined && Object.values<string>(dummySecrets).includes(secret);
  if (!isLocal) return { isDummy: false, verify: askingSiteverify(config, secret, now) };
  return {
    isDummy: true,
    verify: async () =>
      secret === dummySecrets.passes
        ? { isSolved: true, challengedAtMs: now() }
        : { isSolved: false, isSpent: secret === dummySecrets.spent },
  };
}
