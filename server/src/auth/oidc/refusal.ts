import { AuthorizationResponseError } from 'openid-client';
import { NoAnswer } from '../../outbound/outbound.ts';
import { KeysAway } from '../portal/outside-issuers.ts';

/** Why nobody was signed in, as the sign-in page is told: no more than it can say to anyone. */
export type Reason = 'cancelled' | 'failed' | 'invitation' | 'unavailable' | 'unknown';

export class Refused extends Error {
  readonly reason: Reason;
  /** Whose sign-in it would have been, where that is known. */
  readonly accountBizId: string | undefined;

  constructor(reason: Reason, message: string, accountBizId?: string) {
    super(message);
    this.reason = reason;
    this.accountBizId = accountBizId;
  }
}

const outages = ['server_error', 'temporarily_unavailable'];

/** Libraries wrap what they were thrown. */
function* causesOf(error: unknown): Generator<unknown> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause;
}

function reasonOf(error: unknown): Reason {
  if (error instanceof AuthorizationResponseError) {
    if (error.error === 'access_denied') return 'cancelled';
    return outages.includes(error.error) ? 'unavailable' : 'failed';
  }
  const isAway = [...causesOf(error)].some((cause) => cause instanceof NoAnswer || cause instanceof KeysAway);
  return isAway ? 'unavailable' : 'failed';
}

/** For the log: causes hold tokens and claims, so of each only its message, and what kind of error the provider told. */
function wordsOf(error: unknown): string {
  const told = [...causesOf(error)].flatMap((cause) => {
    const { message, error: code } = cause as Error & { error?: unknown }; // some classes of the library have it
    return typeof code === 'string' ? [message, code.replace(/[^ -~]/g, '').slice(0, 100)] : [message];
  });
  return told.join(': ');
}

export function refusalOf(error: unknown): Refused {
  if (error instanceof Refused) return error;
  return new Refused(reasonOf(error), wordsOf(error));
}
