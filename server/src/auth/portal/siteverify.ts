import { dummySecrets, isDummySecret } from '../../config/dummy-secrets.ts';
import type { Config } from '../../config.ts';
import { ApiError } from '../../contract/api-error.ts';
import { askService } from '../../outbound/outbound.ts';

const cloudflareUrl = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';
const patience = { timeoutMs: 2000, bytesMax: 64 * 1024 };
const attempts = 2;

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

function parseAnswer(text: string): Answer | undefined {
  const value: unknown = JSON.parse(text);
  const isAnswer =
    typeof value === 'object' && value !== null && 'success' in value && typeof value.success === 'boolean';
  return isAnswer ? (value as Answer) : undefined; // success was checked, the rest is read as unknown
}

async function ask(url: string, form: Record<string, string>): Promise<Answer | undefined> {
  const headers = { 'content-type': 'application/json' };
  try {
    const { status, text } = await askService(
      url,
      { method: 'POST', headers, body: JSON.stringify(form) },
      patience,
    );
    const answer = parseAnswer(text);
    return answer?.success && status !== 200 ? undefined : answer;
  } catch {
    return undefined;
  }
}

function judge(answer: Answer, hostnames: readonly string[] | undefined, nowMs: number): Solved | undefined {
  if (answer.success) {
    const from = typeof answer.hostname === 'string' ? answer.hostname.toLowerCase() : undefined;
    const isOurs = hostnames === undefined || hostnames.some((hostname) => hostname.toLowerCase() === from);
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
  const isDummy = isDummySecret(secret);
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
  const isLocal = config.turnstileVerifyUrl === undefined && isDummySecret(secret);
  if (!isLocal) return { isDummy: false, verify: askingSiteverify(config, secret, now) };
  return {
    isDummy: true,
    verify: async () =>
      secret === dummySecrets.passes
        ? { isSolved: true, challengedAtMs: now() }
        : { isSolved: false, isSpent: secret === dummySecrets.spent },
  };
}
