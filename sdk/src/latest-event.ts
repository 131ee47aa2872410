import type { EventPage } from './event-records.ts';

type Ask = (after: string | undefined) => PromiseLike<EventPage>;

const prefix = 'EVT_';
const numberOf = (eventId: string) => Number(eventId.slice(prefix.length));

/**
 * Found by asking ever further ahead, and then ever less far: the service tells what comes after a place, and ids are numbers that
 * rise, with gaps. Some ten questions where reading all would be a hundred thousand. Nothing came after it when the last one was answered.
 */
export async function latestEvent(ask: Ask): Promise<string | undefined> {
  let page = await ask(undefined);
  let seen = page.events.at(-1)?.eventId;
  let isPastEnd = false;
  for (let ahead = 1000; seen !== undefined && (page.hasMore || page.events.length === 0); ) {
    page = await ask(`${prefix}${numberOf(seen) + ahead}`);
    const last = page.events.at(-1)?.eventId;
    if (last === undefined && ahead === 0) return seen;
    isPastEnd ||= last === undefined;
    seen = last ?? seen;
    ahead = isPastEnd ? Math.floor(ahead / 2) : ahead * 2;
  }
  return seen;
}
