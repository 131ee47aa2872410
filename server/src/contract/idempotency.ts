import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Queryable, Transaction } from '../db/database.ts';
import { instant, named, sql } from '../db/sql.ts';
import { ApiError, invalidFields } from './api-error.ts';
import { bodyHashOf } from './body.ts';
import type { ErrorCode } from './catalogue.ts';
import { headerValues } from './peer.ts';

const header = 'Idempotency-Key';
const charactersMax = 255;
const shape = new RegExp(`^[!-~]{1,${charactersMax}}$`);
const keptMs = 24 * 3600 * 1000;
const sweepBatch = 500;

export const idempotencyErrors: readonly ErrorCode[] = ['4090', '4220'];

export const IdempotencyHeaders = Type.Object({
  [header]: Type.Optional(
    Type.String({
      pattern: '^[!-~]+$',
      maxLength: charactersMax,
      description:
        'Names this attempt. Sent again within 24 hours with the same body, it is answered as the first time, without its secret, and nothing is changed. Only successes are kept.',
      examples: ['5f0c9c1e-7a55-4d1b-9d55-8f2f6f0a4b7e'],
    }),
  ),
});

export const replayHeaders = {
  'Idempotent-Replayed': Type.String({
    description: 'true: the answer is that of an earlier request with the same Idempotency-Key.',
    examples: ['true'],
  }),
};

/** A key as it was sent, and what it was sent with. */
export type SentKey = { key: string; bodyHash: Buffer };

/** The key alone, of a request whose body is not there yet. */
export function readKey(request: FastifyRequest): string | undefined {
  const [key, ...more] = headerValues(request.raw, header.toLowerCase());
  if (key === undefined) return undefined;
  const refuse = (message: string) => invalidFields('4000', [{ field: header, message }]);
  if (more.length > 0) throw refuse('must be sent once');
  if (!shape.test(key)) throw refuse(`must have 1 to ${charactersMax} characters from ! to ~`);
  return key;
}

export function readIdempotencyKey(request: FastifyRequest): SentKey | undefined {
  const key = readKey(request);
  return key === undefined ? undefined : { key, bodyHash: bodyHashOf(request) };
}

/** What a key belongs to: who called, the route and the values of its path. */
export type KeyScope = { actor: { type: string; id: string }; route: string; path: object };

export type Answered = { answer: unknown; atMs: number };

/** One key of one caller on one route, inside the transaction of its command. */
export function createKeyring(tx: Transaction, { actor, route, path }: KeyScope, { key, bodyHash }: SentKey) {
  const parts = JSON.stringify([actor.type, actor.id, route, path, key]);
  const id = createHash('sha256').update(parts).digest();
  return {
    /** The first answer, if there is one. Whoever else is at it now is not waited for. */
    async claim(nowMs: number): Promise<Answered | undefined> {
      // Two statements: the second sees all that whoever had the lock before has committed.
      const [[lock], [row]] = await Promise.all([
        tx.query<{ isFree: boolean }>(
          named('take_key', sql`select pg_try_advisory_xact_lock(${id.readBigInt64BE(0)}) as "isFree"`),
        ),
        tx.query<Answered & { isSame: boolean }>(
          named(
            'find_answer',
            sql`
              select body_hash = ${bodyHash} as "isSame", answer, extract(epoch from answered_at)::float8 * 1000 as "atMs"
              from idempotency_keys where id = ${id}`,
          ),
        ),
      ]);
      if (!lock?.isFree)
        throw new ApiError('4090', 'a request with the same Idempotency-Key is under way; try again in 1 s', {
          headers: { 'retry-after': '1' },
        });
      if (row === undefined || row.atMs <= nowMs - keptMs) return undefined;
      if (!row.isSame) throw new ApiError('4220', 'the Idempotency-Key was used before with another body');
      return row;
    },
    /** Kept with the change itself, or not at all. */
    keep(answer: unknown, nowMs: number): void {
      const now = instant(nowMs);
      const statement = sql`
        insert into idempotency_keys (id, body_hash, answer, answered_at)
        values (${id}, ${bodyHash}, ${JSON.stringify(answer)}::json, ${now})
        on conflict (id) do update set body_hash = excluded.body_hash, answer = excluded.answer, answered_at = excluded.answered_at`;
      tx.last(named('keep_answer', statement));
    },
  };
}

/** Deletes a batch of answers that are no longer given again; true when there may be more. */
export async function sweepIdempotencyKeys(db: Queryable, nowMs: number): Promise<boolean> {
  const rows = await db.query(sql`
    delete from idempotency_keys where id in (
      select id from idempotency_keys where answered_at <= ${instant(nowMs - keptMs)}
      order by answered_at limit ${sweepBatch} for update skip locked)
    returning 1`);
  return rows.length === sweepBatch;
}
