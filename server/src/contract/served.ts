import type { RouteHandlerMethod } from 'fastify';
import type { Sql } from '../db/sql.ts';
import type { Sort } from './page.ts';
import type { Selection } from './page-statement.ts';

/** What the statements of a collection follow from. */
export type Served = Selection & { place: { select: Sql }; defaultSort: Sort };

const declared = new WeakMap<RouteHandlerMethod, Served>();

/** Remembers which collection a handler serves, so that what holds for all of them can be asked of the app. */
export function serving(collection: Served, handler: RouteHandlerMethod): RouteHandlerMethod {
  declared.set(handler, collection);
  return handler;
}

export function collectionOf(handler: RouteHandlerMethod): Served | undefined {
  return declared.get(handler);
}
