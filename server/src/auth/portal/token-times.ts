import type { JWTPayload } from 'jose';

/** By how much clocks may differ. */
export const leewaySeconds = 30;

/**
 * What is left to judge of a token whose times were compared with the clock: a comparison also holds for 1e400, which JSON
 * reads as infinite and which never comes.
 */
export function hasSaneTimes(
  { exp, iat, nbf = 0 }: JWTPayload,
  nowMs: number,
  lifetimeSecondsMax: number,
): boolean {
  if (exp === undefined || iat === undefined) return false;
  const areMoments = [exp, iat, nbf].every((time) => Number.isFinite(time) && time >= 0);
  return areMoments && iat <= nowMs / 1000 + leewaySeconds && exp - iat <= lifetimeSecondsMax;
}
