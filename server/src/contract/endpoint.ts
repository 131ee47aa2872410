import type { FastifyContextConfig, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Database, Executor, Transactor } from '../db/database.ts';
import type { ErrorCode } from './catalogue.ts';
import { type Described, describeRoute, type Texts } from './describe.ts';
import { Envelope, ok } from './envelope.ts';
import { askedOf, createPlaceCheck, leavingOf, type Place } from './place.ts';
import { reader, typedQuery } from './validate.ts';

/** Who may call, and how a handler is told who does. */
export type Access<Caller> = {
  config: FastifyContextConfig;
  callerOf(request: FastifyRequest): Caller;
  /** Refuses a caller who is gone; a place asks that itself. */
  confirm(caller: Caller): Promise<unknown>;
  /** Whose share of the connections its questions take. Of nobody who is known: they have bounds of their own. */
  askerOf?(caller: Caller): string | undefined;
};

type Nothing = TObject<Record<never, never>>;

/** What a declaration leaves out is nothing. */
export function readerOf<Schema extends TObject>(
  schema: Schema | undefined,
): (input: object) => Static<Schema> {
  return reader(schema ?? (Type.Object({}) as unknown as Schema)); // left out, its type is Nothing
}

/** An endpoint that is neither a collection nor a command, declared once. */
export type Endpoint<
  Caller,
  Values extends object,
  Path extends TObject,
  Body extends TObject,
  Answer extends TSchema,
  Query extends TObject = Nothing,
> = Texts &
  Pick<Described, 'method' | 'url'> & {
    access: Access<Caller>;
    place?: Place<Caller, Values>;
    path?: Path;
    query?: Query;
    body?: Body;
    answer: Answer;
    /** 202: what was asked is done later, if at all. */
    status?: 202;
    errors?: readonly ErrorCode[];
    handle(asked: {
      caller: Caller;
      path: Static<Path>;
      query: Static<Query>;
      body: Static<Body>;
      /** The caller's share of the connections. */
      db: Transactor;
      request: FastifyRequest;
      reply: FastifyReply;
    }): Promise<Static<Answer>>;
  };

type Services = { db: Executor & Transactor & Pick<Database, 'shareOf'>; now(): number };

/** Who calls and whether they may is judged before what they ask. */
export function endpoint<
  Caller,
  Answer extends TSchema,
  Values extends object = object,
  Path extends TObject = Nothing,
  Body extends TObject = Nothing,
  Query extends TObject = Nothing,
>(declared: Endpoint<Caller, Values, Path, Body, Answer, Query>, { db, now }: Services): RouteOptions {
  const { access, place, path, query, body, answer, status, errors = [], handle } = declared;
  const readPath = readerOf(path);
  const readQuery = readerOf(query);
  const readBody = readerOf(body);
  const check = place && createPlaceCheck(place, db);
  const { config } = access;
  return {
    ...describeRoute({
      ...declared,
      config,
      success: Envelope(answer),
      errors: [...errors, ...(place?.errors ?? [])],
    }),
    async handler(request, reply) {
      const caller = access.callerOf(request);
      const asked = askedOf(request);
      if (place === undefined || check === undefined) await access.confirm(caller);
      else {
        const values = place.at(caller, asked);
        await check(values, { id: place.asker(values), leaving: () => leavingOf(reply) });
      }
      const input = {
        path: readPath(asked.params),
        query: readQuery(query === undefined ? {} : typedQuery(query, asked.query)),
        body: readBody(asked.body),
      };
      if (status !== undefined) reply.code(status);
      const asker = access.askerOf?.(caller);
      const own = asker === undefined ? db : db.shareOf(asker);
      return ok(await handle({ caller, ...input, db: own, request, reply }), now());
    },
  };
}
