import { createHmac } from 'node:crypto';
import type { ChannelSecrets } from '../channels/secrets.ts';

const keyOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

/** The headers of Standard Webhooks. While a secret is being replaced both sign, so that a receiver may have either. */
export function webhookHeaders(
  { id, body, nowMs }: { id: string; body: string; nowMs: number },
  signing: NonNullable<ChannelSecrets['signing']>,
): { [name: string]: string } {
  const { current, previous } = signing;
  const timestamp = String(Math.floor(nowMs / 1000));
  const secrets = previous !== undefined && previous.untilMs > nowMs ? [current, previous.secret] : [current];
  const sign = (secret: string) =>
    `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  };
}
