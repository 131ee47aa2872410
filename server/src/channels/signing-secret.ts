import { randomBytes } from 'node:crypto';
import type { ChannelSecrets } from './secrets.ts';

const prefix = 'whsec_';
const bytesMin = 24;
const bytesMax = 64;
const newBytes = 32;
/** How long a receiver has to take over a new secret. */
const overlapMs = 24 * 3_600_000;

export const newSigningSecret = () => prefix + randomBytes(newBytes).toString('base64');

/** What is wrong with one that was sent, or nothing. */
export function refuseSigningSecret(secret: string): string | undefined {
  const text = secret.slice(prefix.length);
  const bytes = Buffer.from(text, 'base64');
  const isExact = secret.startsWith(prefix) && bytes.toString('base64') === text;
  return isExact && bytes.length >= bytesMin && bytes.length <= bytesMax
    ? undefined
    : `must be ${prefix} and ${bytesMin} to ${bytesMax} bytes in base64`;
}

type Signing = NonNullable<ChannelSecrets['signing']>;

/** The next one signs at once, and the one before it beside it for a while. */
export const rotated = ({ current }: Signing, next: string, nowMs: number) => ({
  current: next,
  previous: { secret: current, untilMs: nowMs + overlapMs },
});
