import type { ApiKeyRecord } from '@portico/sdk/portal';

/** As long before its end as the service begins to warn of it. */
const soonMs = 14 * 86_400_000;

/** Whether a key that works will stop by itself before long. */
export function isEndingSoon({ status, expiresAt }: ApiKeyRecord, nowMs: number): boolean {
  return status === 'ACTIVE' && expiresAt !== null && Date.parse(expiresAt) - nowMs < soonMs;
}
