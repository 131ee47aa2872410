import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Asker, Executor } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import type { ApiError } from './api-error.ts';
import type { ErrorCode } from './catalogue.ts';
import { bagOf } from './page-values.ts';
import { queryOf, type RawQuery } from './query.ts';

/** What a request asks, as it came: nothing of it was judged yet. */
export type Asked = { params: object; query: RawQuery; body: object };

/** Where a caller may look. It is found out in the statement that reads. */
export type Place<Caller, Values extends object> = {
  /** Reads its values from who calls and what is asked; refuses what names no place at all. */
  at(caller: Caller, asked: Asked): Values;
  /** One row, joined as `place`; its column `missing` is null, or says why the caller may not look. */
  select: Sql;
  errors: readonly ErrorCode[];
  refusal(missing: string): ApiError;
  /** Whose share of what all use together a question takes. */
  asker(values: Values): string;
};

/** The router's and the body parser's own results: each lets nothing else pass. */
export function askedOf(request: FastifyRequest): Asked {
  const { params, body } = request;
  return { params: params as object, query: queryOf(request), body: body as object };
}

type Row = { missing: string | null };

/** What was found of a place; refuses a caller who may not be there. */
export function refuseMissing<Found extends Row>(
  place: { refusal(missing: string): ApiError },
  row: Found | undefined,
): Found {
  if (row === undefined || row.missing !== null) throw place.refusal(row?.missing ?? 'place');
  return row;
}

/** Asks for the place alone, where the statement that reads cannot be asked, or does not know it; and for more columns of it. */
export function createPlaceCheck<Values extends object, Told extends object = object>(
  place: Place<never, Values>,
  db: Executor,
  more = sql``,
) {
  const statement = db.prepare(sql`select missing${more} from (${place.select}) place`);
  return async (values: Values, asker: Asker): Promise<Told> => {
    const [row] = await db.execute<Row & Told>(statement, bagOf({ place: values }), asker);
    return refuseMissing(place, row);
  };
}

/** Aborted when the client has gone, or has its answer. */
export function leavingOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const leave = () => controller.abort('left'); // a reason of its own would be an error with its stack
  if (raw.destroyed) leave();
  else raw.once('close', leave);
  return controller.signal;
}
