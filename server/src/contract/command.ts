import type { Static, TNull, TObject } from 'typebox';
import type { Transaction, Transactor } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import { StoreUnavailable } from '../db/unavailable.ts';
import type { AuditAction } from '../log/actions.ts';
import type { Actor } from '../log/actor.ts';
import { appendRecords, type RecordEvent } from '../log/append.ts';
import type { ApiError } from './api-error.ts';
import type { ErrorCode } from './catalogue.ts';
import type { Changes } from './changes.ts';
import { createKeyring, type SentKey } from './idempotency.ts';
import { type Place, refuseMissing } from './place.ts';

/** A write that takes longer is not kept. */
export const writeSecondsMax = 30;
/** How much later a commit may end than it was sent, and how far the clocks of instances may be apart. */
const marginSeconds = 30;
/** A row is seen at most this long after the time that it says it was written. */
export const lookBackSeconds = writeSecondsMax + marginSeconds;

/** Whoever follows changes by their time would miss one that is seen too late. */
export function requireInTime(sinceMs: number, nowMs: number): void {
  if (nowMs - sinceMs > writeSecondsMax * 1000)
    throw new StoreUnavailable(`the write took longer than ${writeSecondsMax} s`);
}

/** What a write stands on: where it is, by ids of the database, and whatever else its place tells. */
export type AnyGround = { workspaceId: number | null; institutionId: number | null };

/** What a write stands on, and who it is that writes. */
export type Footing<Caller, Values extends object, Ground extends AnyGround> = {
  /**
   * The first statement of the transaction: one row, as of a place to look, and no change. What it relied on stays as it is until
   * the end, so that a role taken away meanwhile either counts or waits.
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
  /** Where it is, if that is what this very write made or found. */
  made?: AnyGround;
  /** What others are told, where the action is one that they are told of. */
  event?: RecordEvent;
  /** One of several that the action may turn out to be. */
  action?: AuditAction;
};

/** A record, or nothing but that it is done. */
export type AnyAnswer = TObject | TNull;

/** An answer, when it was first given, and whether that was now. */
export type Done<Answer> = { answer: Answer; atMs: number; isReplayed: boolean };

type Question<Caller, Ground, Input> = { nowMs: number; caller: Caller; place: Ground; input: Input };

export type Step<Caller, Ground, Input, Ready = undefined> = Question<Caller, Ground, Input> & {
  tx: Transaction;
  /** What was done before. */
  ready: Ready;
};

/** What a write takes, wherever it is asked for. */
export type Act<
  Caller,
  Values extends object,
  Ground extends AnyGround,
  Path extends TObject,
  Body extends TObject,
  Answer extends AnyAnswer,
  Ready = undefined,
> = {
  path: Path;
  body?: Body;
  answer: Answer;
  place: Footing<Caller, Values, Ground>;
  /** What the log calls it. */
  action: AuditAction;
  /** Fields of the answer that are shown once. */
  secrets?: readonly (keyof Static<Answer> & string)[];
  /**
   * What has no place in a transaction: it takes long, or is kept though the write is refused. The place, the input and the
   * idempotency key were looked at by then, and are once more with the write.
   */
  before?(asked: Question<Caller, Ground, Static<Path> & Static<Body>>): Promise<Ready>;
  run(step: Step<Caller, Ground, Static<Path> & Static<Body>, Ready>): Promise<Outcome<Static<Answer>>>;
};

/** A write that has a route, declared once. */
export type Command<
  Caller,
  Values extends object,
  Ground extends AnyGround,
  Path extends TObject,
  Body extends TObject,
  Answer extends AnyAnswer,
  Ready = undefined,
> = Act<Caller, Values, Ground, Path, Body, Answer, Ready> & {
  status: 200 | 201;
  place: WritePlace<Caller, Values, Ground>;
  errors: readonly ErrorCode[];
};

export function command<
  Caller,
  Values extends object,
  Ground extends AnyGround,
  Path extends TObject,
  Answer extends AnyAnswer,
  Body extends TObject = TObject<Record<never, never>>,
  Ready = undefined,
>(
  declaration: Command<Caller, Values, Ground, Path, Body, Answer, Ready>,
): Command<Caller, Values, Ground, Path, Body, Answer, Ready> {
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
function withoutSecrets(answer: object | null, secrets: readonly string[] = []): object | null {
  return answer && { ...answer, ...Object.fromEntries(secrets.map((field) => [field, null])) };
}

/** The steps up to the work: the place (403), the refusal of the input that waited (400), the idempotency key. */
async function enter<
  Caller,
  Values extends object,
  Ground extends AnyGround,
  Path extends object,
  Body extends object,
>(
  tx: Transaction,
  place: Footing<Caller, Values, Ground>,
  nowMs: number,
  { caller, values, input, route }: Call<Caller, Values, { path: Path; body: Body }>,
) {
  const [found] = await tx.look<Ground & { missing: string | null }>(place.lock(values));
  const ground = refuseMissing(place, found);
  const { path, body, sent } = input();
  const actor = place.actor(caller, ground);
  const key = sent && createKeyring(tx, { actor, route, path }, sent);
  const first = await key?.claim(nowMs);
  return { nowMs, ground, path, body, actor, key, first };
}

/** The steps of every write, in their order: those up to the work, the work, the record. What fails anywhere leaves nothing. */
export async function perform<
  Caller,
  Values extends object,
  Ground extends AnyGround,
  Path extends TObject,
  Body extends TObject,
  Answer extends AnyAnswer,
  Ready,
>(
  { place, before, run, action, secrets }: Act<Caller, Values, Ground, Path, Body, Answer, Ready>,
  { db, now }: { db: Transactor; now(): number },
  call: Call<Caller, Values, { path: Static<Path>; body: Static<Body> }>,
): Promise<Done<Static<Answer>>> {
  const { caller } = call;
  const begin = async (tx: Transaction) => {
    const { ground, path, body, first, ...more } = await enter(tx, place, now(), call);
    const asked = { nowMs: more.nowMs, caller, place: ground, input: { ...body, ...path } };
    const answered = first && { answer: first.answer as Static<Answer>, atMs: first.atMs, isReplayed: true }; // kept below
    return { ...more, asked, answered };
  };
  const work = async (tx: Transaction, ready: Ready) => {
    const { asked, answered, actor, key, nowMs } = await begin(tx);
    if (answered !== undefined) return answered;
    const {
      answer,
      subject,
      changes,
      made,
      event,
      action: done = action,
    } = await run({ ...asked, tx, ready });
    if (subject === '') throw new Error(`${done} ended without a record`);
    const { workspaceId, institutionId } = made ?? asked.place;
    const where = { workspaceId, institutionId, subjectId: subject };
    key?.keep(withoutSecrets(answer as object | null, secrets), nowMs); // as AnyAnswer says
    appendRecords(tx, [{ action: done, actor, ...where, changes, occurredAtMs: nowMs, event }]);
    requireInTime(nowMs, now());
    return { answer, atMs: nowMs, isReplayed: false };
  };
  if (before === undefined) return db.transaction((tx) => work(tx, undefined as Ready)); // nothing is made ready then
  const { asked, answered } = await db.transaction(begin);
  if (answered !== undefined) return answered;
  const ready = await before(asked);
  return db.transaction((tx) => work(tx, ready));
}
