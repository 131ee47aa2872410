import type { RouteOptions } from 'fastify';
import type { Static, TObject } from 'typebox';
import type { Executor } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import { ApiError } from './api-error.ts';
import type { AnyCollection, Collection } from './collection.ts';
import { type Described, describeRoute, type Texts } from './describe.ts';
import type { Access } from './endpoint.ts';
import { Envelope, ok } from './envelope.ts';
import { placedRecordStatement } from './page-statement.ts';
import { bagOf, given } from './page-values.ts';
import { askedOf, createPlaceCheck, leavingOf, refuseMissing } from './place.ts';
import { reader } from './validate.ts';

type One<Caller, Path extends TObject> = Texts &
  Pick<Described, 'url'> & {
    access: Access<Caller>;
    path: Path;
    /** The value of the path that names the record, and the column that has it. */
    by: { name: string & keyof Static<Path>; column: Sql };
    /** What is said of a record that is not there. */
    none: string;
  };

/** The route of one record of a collection: one statement tells whether the caller may look, and the record. */
export function recordEndpoint<
  Record extends TObject,
  Filters extends TObject,
  Caller,
  Values extends object,
  Path extends TObject,
>(
  collection: Collection<Record, Filters, Caller, Values>,
  { access, by, none, ...route }: One<Caller, Path>,
  { db, now }: { db: Executor; now(): number },
): RouteOptions {
  const { record, place } = collection;
  const declared = collection as unknown as AnyCollection; // who calls and the values of the place are only handed on
  const where = [...collection.within, sql`${by.column} = ${given('filter', by.name)}`];
  const statement = db.prepare(placedRecordStatement(declared, place.select, where));
  const readPath = reader(route.path);
  const checkPlace = createPlaceCheck(place, db);
  const success = Envelope(record);
  const errors = [...place.errors, '4040' as const];
  return {
    ...describeRoute({ ...route, method: 'GET', config: access.config, success, errors }),
    async handler(request, reply) {
      const asked = askedOf(request);
      const values = place.at(access.callerOf(request), asked);
      const asker = { id: place.asker(values), leaving: () => leavingOf(reply) };
      let path: Static<Path>;
      try {
        path = readPath(asked.params);
      } catch (refusal) {
        await checkPlace(values, asker); // whether the caller may look is judged before what it asks
        throw refusal;
      }
      const bag = bagOf({ place: values, filter: { [by.name]: path[by.name] }, clock: { nowMs: now() } });
      const [row] = await db.execute<{ missing: string | null; record: unknown }>(statement, bag, asker);
      const { record: found } = refuseMissing(place, row);
      if (found === null) throw new ApiError('4040', none);
      return ok(found, now());
    },
  };
}
