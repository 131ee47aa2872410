import { type Sql, sql } from '../../db/sql.ts';

/** The status that a person chose for a key. */
export type StoredStatus = 'ACTIVE' | 'DISABLED' | 'REVOKED';
export type KeyStatus = StoredStatus | 'EXPIRED';

// An active key past its end is expired, which is stored nowhere: a later end revives it. The rule stands here twice, for facts
// that were read and for rows, and a test holds the two to each other.

export function keyStatus(
  { status, expiresAt }: { status: StoredStatus; expiresAt: string | null },
  nowMs: number,
): KeyStatus {
  const isPast = expiresAt !== null && Date.parse(expiresAt) <= nowMs;
  return status === 'ACTIVE' && isPast ? 'EXPIRED' : status;
}

/** The same of `api_keys k`, as a text. */
export const keyStatusAt = (now: Sql): Sql =>
  sql`(case when k.status = 'ACTIVE' and k.expires_at <= ${now} then 'EXPIRED' else k.status::text end)`;
