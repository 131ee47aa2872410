import { type Answer, dataOf } from './answer.ts';
import type { CallOptions } from './call-options.ts';
import { PorticoError } from './errors.ts';
import type { EventPage, EventQuery, PorticoEvent, PulledType } from './event-records.ts';
import { latestEvent } from './latest-event.ts';
import { pause } from './pause.ts';
import { isPassing } from './retry.ts';
import type { SignedCaller } from './signed-caller.ts';
import { queryString } from './wire.ts';

export type FollowQuery<Type extends PulledType = PulledType> = EventQuery<Type> & {
  /** Between two questions while there is nothing new; default 2000. */
  everyMs?: number | undefined;
  /** Told of each time that the service was asked in vain. It is asked on, once it had answered at all. */
  onAway?: ((error: PorticoError) => void) | undefined;
};

/** `nextAfter` is what to go on from once this event and those before it are kept. */
export type FollowedEvent<Type extends PulledType = PulledType> = {
  event: PorticoEvent<Type>;
  nextAfter: string;
};

export interface Events {
  list<Type extends PulledType = PulledType>(
    query?: EventQuery<Type>,
    options?: CallOptions,
  ): Answer<EventPage<Type>>;
  /** All there are after a place, oldest first, each once; ends with the last. */
  each<Type extends PulledType = PulledType>(
    query?: EventQuery<Type>,
    options?: CallOptions,
  ): AsyncIterableIterator<PorticoEvent<Type>>;
  /** The same, and then every new one, until the signal ends it. */
  follow<Type extends PulledType = PulledType>(
    query?: FollowQuery<Type>,
    options?: CallOptions,
  ): AsyncIterableIterator<FollowedEvent<Type>>;
  /** The id of the newest event, to follow from now on; undefined where there is none. */
  latest(options?: CallOptions): Promise<string | undefined>;
}

const limitMax = 100;
const everyMsDefault = 2000;
const awayMsMax = 30_000;

type Ask<Type extends PulledType> = (after: string | undefined) => PromiseLike<EventPage<Type>>;

async function* eachOf<Type extends PulledType>(
  ask: Ask<Type>,
  start: string | undefined,
): AsyncGenerator<PorticoEvent<Type>, void, undefined> {
  for (let after = start; ; ) {
    const { events, nextAfter, hasMore } = await ask(after);
    yield* events;
    if (!hasMore || events.length === 0) return;
    after = nextAfter ?? after;
  }
}

async function* followOf<Type extends PulledType>(
  ask: Ask<Type>,
  { after: start, everyMs = everyMsDefault, onAway }: FollowQuery<Type>,
  signal: AbortSignal | undefined,
): AsyncGenerator<FollowedEvent<Type>, void, undefined> {
  let after = start;
  let hasAnswered = false;
  for (let failures = 0; ; ) {
    try {
      const { events, nextAfter, hasMore } = await ask(after);
      [hasAnswered, failures] = [true, 0];
      for (const event of events) {
        signal?.throwIfAborted();
        yield { event, nextAfter: event.eventId };
      }
      after = nextAfter ?? after;
      if (!hasMore || events.length === 0) await pause(everyMs, signal);
    } catch (error) {
      if (!(error instanceof PorticoError && hasAnswered && isPassing(error))) throw error;
      onAway?.(error);
      const told = (error.retryAfterSeconds ?? 0) * 1000;
      await pause(Math.max(told, Math.min(awayMsMax, everyMs * 2 ** failures++)), signal);
    }
  }
}

/** The service takes a list as one text. */
const target = ({ after, types, limit }: EventQuery) =>
  `/api/v1/events${queryString({ after, types: types?.join(','), limit })}`;

export function eventsOf(caller: SignedCaller): Events {
  const list = <Type extends PulledType>(query: EventQuery<Type>, options: CallOptions) =>
    dataOf(caller.read<EventPage<Type>>(target(query), options));
  const asking =
    <Type extends PulledType>({ types, limit = limitMax }: EventQuery<Type>, options: CallOptions) =>
    (after: string | undefined) =>
      list({ after, types, limit }, options);
  return {
    list: (query = {}, options = {}) => list(query, options),
    each: (query = {}, options = {}) => eachOf(asking(query, options), query.after),
    follow: (query = {}, options = {}) => followOf(asking(query, options), query, options.signal),
    latest: (options = {}) => latestEvent(asking({}, options)),
  };
}
