import type { Static } from 'typebox';
import type { Mode } from '../../auth/signed/api-key-lookup.ts';
import { recordAtHand } from '../../contract/page-statement.ts';
import { bagOf } from '../../contract/page-values.ts';
import type { Transaction, Transactor } from '../../db/database.ts';
import { filled, instant, type Sql, sql } from '../../db/sql.ts';
import { service } from '../../log/actor.ts';
import { type AuditRecord, appendRecords } from '../../log/append.ts';
import { apiKeys } from './collection.ts';
import { tellDays } from './queries.ts';
import type { ApiKeyRecord } from './schema.ts';

/** Keys that are told of in one transaction. */
const batch = 100;

type Told = {
  record: Static<typeof ApiKeyRecord>;
  mode: Mode;
  workspaceId: number;
  institutionId: number;
  /** The nearest to the end of those that have passed: of several, the others are told of no more. */
  days: number;
  hasEnded: boolean;
};

const beforeEnd = (end: Sql) => sql`
  (select d.days, ${end} - make_interval(days => d.days) as at from unnest(${tellDays}::int[]) d(days)) telling`;

/** What nobody else is at: each telling is taken by one instance, with the commit that tells it. */
async function takeDue(tx: Transaction, nowMs: number): Promise<Told[]> {
  const now = instant(nowMs);
  const statement = sql`
    with due as materialized (
      select k.id from api_keys k where k.status = 'ACTIVE' and k.expiry_tells_at <= ${now}
      order by k.expiry_tells_at limit ${batch} for no key update skip locked
    )
    update api_keys k set expiry_tells_at = (select min(at) from ${beforeEnd(sql`k.expires_at`)} where at > ${now})
    from due, workspaces w where k.id = due.id and w.id = k.workspace_id
    returning k.mode::text as mode, k.workspace_id as "workspaceId", w.institution_id as "institutionId",
      (select min(days) from ${beforeEnd(sql`k.expires_at`)} where at <= ${now}) as days,
      k.expires_at <= ${now} as "hasEnded", ${recordAtHand(apiKeys)} as record`;
  return tx.query<Told>(filled(statement, bagOf({ clock: { nowMs } })));
}

const recordOf = ({ record, mode, days, ...ground }: Told, occurredAtMs: number): AuditRecord => ({
  action: 'api-key.expiring',
  actor: service,
  workspaceId: ground.workspaceId,
  institutionId: ground.institutionId,
  subjectId: record.apiKeyId,
  changes: { expiresInDays: { from: null, to: days } },
  occurredAtMs,
  event: { mode, data: record },
});

/** Tells of keys that end soon; of one that has ended meanwhile there is nothing left to tell. True: there may be more. */
export function tellExpiring(db: Transactor, nowMs: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const due = await takeDue(tx, nowMs);
    const ahead = due.filter(({ hasEnded }) => !hasEnded);
    await appendRecords(
      tx,
      ahead.map((each) => recordOf(each, nowMs)),
    );
    return due.length === batch;
  });
}
