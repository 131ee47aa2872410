import type { Static } from 'typebox';
import type { Mode } from '../../auth/signed/api-key-lookup.ts';
import { bagOf } from '../../contract/page-values.ts';
import { createPlaceCheck, refuseMissing } from '../../contract/place.ts';
import type { RawQuery } from '../../contract/query.ts';
import { reader, typedQuery } from '../../contract/validate.ts';
import type { Asker, Executor } from '../../db/database.ts';
import { type EventRow, eventIdOf, renderEvent } from '../../events/render.ts';
import { eventsOfKey, type PulledRow, pulledAll, pulledSome } from './queries.ts';
import { EventQuery, limitDefault, typesOf } from './schema.ts';

type Asked = Static<typeof EventQuery>;

const readQuery = reader(EventQuery);

const isEvent = (row: PulledRow): row is PulledRow & EventRow => row.sequence !== null;

/** As text: the number of an id may have more digits than a number keeps. */
const numberOf = (eventId = eventIdOf(0)) => eventId.slice(eventIdOf(0).length - 1);

/** The page as JSON. One row more than was asked for tells that there are more. */
function pageText(rows: readonly EventRow[], { after }: Asked, limit: number): string {
  const events = rows.slice(0, limit);
  const last = events.at(-1);
  const nextAfter = last === undefined ? (after ?? null) : eventIdOf(last.sequence);
  const rest = JSON.stringify({ nextAfter, hasMore: rows.length > limit });
  return `{"events":[${events.map(renderEvent).join(',')}],${rest.slice(1)}`;
}

/** Reads a page of events, or refuses. */
export function createPull({ db }: { db: Executor }) {
  const checkPlace = createPlaceCheck(eventsOfKey, db);
  const [ofAll, ofSome] = [db.prepare(pulledAll), db.prepare(pulledSome)];
  return async (values: { workspaceId: number; mode: Mode }, query: RawQuery, asker: Asker) => {
    let asked: Asked;
    try {
      asked = readQuery(typedQuery(EventQuery, query));
    } catch (refusal) {
      await checkPlace(values, asker); // whether the caller may look is judged before what it asks
      throw refusal;
    }
    const { after, types, limit = limitDefault } = asked;
    const filter = {
      after: numberOf(after),
      limit: limit + 1,
      ...(types && { types: typesOf(types) }),
    };
    const bag = bagOf({ place: values, filter });
    const rows = await db.execute<PulledRow>(types === undefined ? ofAll : ofSome, bag, asker);
    refuseMissing(eventsOfKey, rows[0]);
    return pageText(rows.filter(isEvent), asked, limit);
  };
}
