import type { RouteOptions } from 'fastify';
import type { TObject } from 'typebox';
import type { Database } from '../db/database.ts';
import { type AnyAnswer, type AnyGround, type Command, perform } from './command.ts';
import { type Described, describeRoute, type Texts } from './describe.ts';
import { type Access, readerOf } from './endpoint.ts';
import { Envelope, ok } from './envelope.ts';
import { IdempotencyHeaders, idempotencyErrors, readIdempotencyKey, replayHeaders } from './idempotency.ts';
import { askedOf } from './place.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is a command: everything that holds for writes holds for it. */
    isCommand?: true;
  }
}

/** Reads now and tells later: whether the caller may write is judged before what it asks. */
function waiting<Value>(read: () => Value): () => Value {
  try {
    const value = read();
    return () => value;
  } catch (refusal) {
    return () => {
      throw refusal;
    };
  }
}

/** The route of a command. */
export function commandEndpoint<
  Caller,
  Values extends object,
  Ground extends AnyGround,
  Path extends TObject,
  Body extends TObject,
  Answer extends AnyAnswer,
  Ready,
>(
  command: Command<Caller, Values, Ground, Path, Body, Answer, Ready>,
  { access, ...route }: Texts & Pick<Described, 'method' | 'url'> & { access: Access<Caller> },
  { db, now }: { db: Pick<Database, 'shareOf'>; now(): number },
): RouteOptions {
  const { path, body, answer, status, place, errors } = command;
  const { method, url } = route;
  const readPath = readerOf(path);
  const readBody = readerOf(body);
  const isKeyed = method === 'POST';
  return {
    ...describeRoute({
      ...route,
      config: { ...access.config, isCommand: true },
      path,
      body,
      success: Envelope(answer),
      status,
      ...(isKeyed ? { requestHeaders: IdempotencyHeaders, headers: replayHeaders } : {}),
      errors: [...errors, ...place.errors, ...(isKeyed ? idempotencyErrors : [])],
    }),
    async handler(request, reply) {
      const caller = access.callerOf(request);
      const asked = askedOf(request);
      const values = place.at(caller, asked);
      const input = waiting(() => ({
        path: readPath(asked.params),
        body: readBody(asked.body),
        sent: isKeyed ? readIdempotencyKey(request) : undefined,
      }));
      const own = { db: db.shareOf(place.asker(values)), now };
      const done = await perform(command, own, { caller, values, input, route: `${method} ${url}` });
      if (done.isReplayed) reply.header('idempotent-replayed', 'true');
      reply.code(status);
      return ok(done.answer, done.atMs);
    },
  };
}
