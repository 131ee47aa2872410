import type { Static, TObject } from 'typebox';
import type { Transaction, Transactor } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { AuditAction } from '../log/actions.ts';
import type { Actor } from '../log/actor.ts';
import { appendRecords } from '../log/append.ts';
import type { ApiError } from './api-error.ts';
import type { ErrorCode } from './catalogue.ts';
import type { Changes } from './changes.ts';
import { createKeyring, type SentKey } from './idempotency.ts';
import { type Place, refuseMissing } from './place.ts';

/** What a write stands on: where it is, by ids of the database, and whatever else its place tells. */
export type AnyGround = { workspaceId: number | null; institutionId: number | null };

/** What a write stands on, and who it is that writes. */
export type Footing<Caller, Values extends object, Ground extends AnyGround> = {
  /**
   * The first statement of the transaction: one row, as of a place to look. What it relied on stays as it is until the end, so
   * that a role taken away meanwhile either counts or waits.
   */
  lock(values: Values): Sql;
  /** Of a row that says what is missing. */
  refusal(missing: string): ApiError;
  /** Who writes. */
  actor(caller: Caller, ground: Ground): Actor;
};

/** A place to write in. */
export type WritePlace<Caller, Values extends object, Ground extends AnyGround> = Place<Caller, Values> &
  Footing<Caller, Values, Ground>;

type Outcome<Answer> = {
  answer: Answer;
  /** Public id of what was changed. */
  subject: string;
  changes: Changes;
  /** Where it is, if that was made by this very write. */
  made?: AnyGround;
};

/** An answer, when it was first given, and whether that was now. */
export type Done<Answer> = { answer: Answer; atMs: number; isReplayed: boolean };

export type Step<Caller, Ground, Input> = {
  tx: Transaction;
  nowMs: number;
  caller: Caller;
  place: Ground;
  input: Input;
};

/** What a write takes, wherever it is asked for. */
export type Act<
  Caller,
  Values extends object,
  Ground extends AnyGround,
  Path extends TObject,
  Body extends TObject,
  Answer extends TObject,
> = {
  path: Path;
  body?: Body;
  answer: Answer;
  place: Footing<Caller, Values, Ground>;
  /** What the log calls it. */
  action: AuditAction;
  /** Fields of the answer that are shown once. */
  secrets?: readonly (keyof Static<Answer> & string)[];
  run(step: Step<Caller, Ground, Static<Path> & Static<Body>>): Promise<Outcome<Static<Answer>>>;
};

/** A write that has a route, declared once. */
export type Command<
  Caller,
  Values extends object,
  Ground extends AnyGround,
  Path extends TObject,
  Body extends TObject,
  Answer extends TObject,
> = Act<Caller, Values, Ground, Path, Body, Answer> & {
  status: 200 | 201;
  place: WritePlace<Caller, Values, Ground>;
  errors: readonly ErrorCode[];
};

export function command<
  Caller,
  Values extends object,
  Ground extends AnyGround,
  Path extends TObject,
  Answer extends TObject,
  Body extends TObject = TObject<Record<never, never>>,
>(
  declaration: Command<Caller, Values, Ground, Path, Body, Answer>,
): Command<Caller, Values, Ground, Path, Body, Answer> {
  return declaration;
}

type Call<Caller, Values, Input> = {
  caller: Caller;
  values: Values;
  /** Gives the input, or throws what is wrong with it. */
  input(): Input & { sent?: SentKey | undefined };
  /** Names the route, for keys that were sent. */
  route: string;
};

/** Nothing that is shown once is kept. */
function withoutSecrets(answer: object, secrets: readonly string[] = []): object {
  return { ...answer, ...Object.fromEntries(secrets.map((field) => [field, null])) };
}

/**
 * The steps of every write, in their order: the place (403), the refusal of the input that waited (400), the idempotency key, the
 * work, the record. What fails anywhere leaves nothing.
 */
export function perform<
  Caller,
  Values extends object,
  Ground extends AnyGround,
  Path extends TObject,
  Body extends TObject,
  Answer extends TObject,
>(
  { place, run, action, secrets }: Act<Caller, Values, Ground, Path, Body, Answer>,
  { db, now }: { db: Transactor; now(): number },
  { caller, values, input, route }: Call<Caller, Values, { path: Static<Path>; body: Static<Body> }>,
): Promise<Done<Static<Answer>>> {
  return db.transaction(async (tx) => {
    const nowMs = now();
    const [found] = await tx.query<Ground & { missing: string | null }>(place.lock(values));
    const ground = refuseMissing(place, found);
    const { path, body, sent } = input();
    const actor = place.actor(caller, ground);
    const key = sent && createKeyring(tx, { actor, route, path }, sent);
    const first = await key?.claim(nowMs);
    if (first !== undefined)
      return { answer: first.answer as Static<Answer>, atMs: first.atMs, isReplayed: true }; // kept below
    const { answer, subject, changes, made } = await run({
      tx,
      nowMs,
      caller,
      place: ground,
      input: { ...body, ...path },
    });
    if (subject === '') throw new Error(`${action} ended without a record`);
    await key?.keep(withoutSecrets(answer, secrets), nowMs);
    const { workspaceId, institutionId } = made ?? ground;
    await appendRecords(tx, [
      { action, actor, workspaceId, institutionId, subjectId: subject, changes, occurredAtMs: nowMs },
    ]);
    return { answer, atMs: nowMs, isReplayed: false };
  });
}
