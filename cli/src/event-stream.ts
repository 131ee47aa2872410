import type { FollowedEvent, Portico, PorticoError, PulledType, WhoAmI } from '@portico/sdk';
import { reportOf } from './errors.ts';
import { wrongUsage } from './failure.ts';
import { note } from './output/terminal.ts';

/** The service numbers what happened within a second. */
const everyMs = 1000;

export async function requireTest(client: Portico, what: string, signal: AbortSignal): Promise<WhoAmI> {
  const caller = await client.whoami({ signal });
  if (caller.mode !== 'TEST') throw wrongUsage(`${caller.apiKeyId} is a LIVE key: ${what}`);
  return caller;
}

/** Until Ctrl-C, which is no failure. A service that goes away meanwhile is waited for. */
export async function takeEvents(
  client: Portico,
  query: { after: string | undefined; types: PulledType[] | undefined },
  signal: AbortSignal,
  take: (followed: FollowedEvent) => Promise<void> | void,
): Promise<void> {
  const onAway = (error: PorticoError) => note(`${reportOf(error).line}; asking on`);
  try {
    for await (const followed of client.events.follow({ ...query, everyMs, onAway }, { signal }))
      await take(followed);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
