import { Portico, type PorticoEvent } from '@portico/sdk';
import { deepestText } from './errors.ts';
import { wrongUsage } from './failure.ts';
import { userAgent } from './version.ts';

/** As long as the service waits, unless a channel says otherwise. */
const timeoutMs = 10_000;

export type Forwarded = {
  /** Null: there was no answer. */
  status: number | null;
  durationMs: number;
  error: string | null;
};

export function readForwardTarget(text: string | undefined): URL {
  if (text === undefined) throw wrongUsage('--forward-to is missing, as in http://localhost:3000/hooks');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw wrongUsage('--forward-to must be an http or https address, as in http://localhost:3000/hooks');
  if (url.username !== '' || url.password !== '') throw wrongUsage('--forward-to must not carry a password');
  return url;
}

/** One of its own, or the one that is given, once it can sign. */
export async function readWebhookSecret(given: string | undefined): Promise<string> {
  if (given === undefined) return Portico.webhooks.newSecret();
  try {
    await Portico.webhooks.sign('', given, { id: 'EVT_0' });
    return given;
  } catch (error) {
    throw error instanceof TypeError ? wrongUsage(`--secret: ${error.message}`) : error;
  }
}

/** As the service posts it to a WEBHOOK channel. A server that is away is no failure. */
export async function forward(
  target: URL,
  secret: string,
  event: PorticoEvent,
  signal: AbortSignal,
): Promise<Forwarded> {
  const body = JSON.stringify(event);
  const signed = await Portico.webhooks.sign(body, secret, { id: event.eventId });
  const headers = { ...signed, 'content-type': 'application/json', 'user-agent': userAgent() };
  const controller = new AbortController();
  const end = () => controller.abort();
  const timer = setTimeout(end, timeoutMs);
  signal.addEventListener('abort', end);
  const startedAt = performance.now();
  const outcome = (status: number | null, error: string | null) => ({
    status,
    durationMs: Math.round(performance.now() - startedAt),
    error,
  });
  try {
    const init = { method: 'POST', body, headers, redirect: 'manual', signal: controller.signal } as const;
    const response = await fetch(target, init);
    await response.body?.cancel();
    return outcome(response.status, null);
  } catch (error) {
    signal.throwIfAborted();
    return outcome(
      null,
      controller.signal.aborted ? `none within ${timeoutMs / 1000} s` : (deepestText(error) ?? 'unknown'),
    );
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}
