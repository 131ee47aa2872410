import { requireInTime } from '../contract/command.ts';
import { recordAtHand } from '../contract/page-statement.ts';
import type { Transaction, Transactor } from '../db/database.ts';
import { instant, sql } from '../db/sql.ts';
import type { Actor } from '../log/actor.ts';
import { type AuditRecord, appendRecords } from '../log/append.ts';
import { ending, movedAt, nextMove } from './queries.ts';
import { type TransferRecord, transferRecords } from './record.ts';
import { type MovedStatus, moveActions, type TransferStatus } from './status.ts';

/** Each workspace is given its turn, so that many transfers of one do not keep those of another waiting. */
const workspacesEach = 20;
const transfersEach = 50;

const settlement: Actor = {
  type: 'SYSTEM',
  id: 'settlement',
  name: 'Settlement',
  address: null,
  requestId: null,
};
const failureReason = 'the amount of a TEST transfer that ends in 13 fails';

type Moved = {
  transferId: string;
  workspaceId: number;
  institutionId: number;
  from: TransferStatus;
  to: MovedStatus;
  record: TransferRecord;
};
type Turn = { last: number | null; moved: Moved[] };

/**
 * Moves what is due of the workspaces that come next. What someone else has locked is left to them: whoever cancels has it, and is
 * asked for again, with the status that it then has.
 */
async function moveNext(tx: Transaction, after: number, nowMs: number): Promise<Turn> {
  const [turn] = await tx.query<Turn>(sql`
    with recursive turn(workspace_id, nth) as (
      (select t.workspace_id, 1 from transfers t where t.moves_at is not null and t.workspace_id > ${after} order by t.workspace_id limit 1)
      union all
      select next.workspace_id, turn.nth + 1 from turn cross join lateral (
        select t.workspace_id from transfers t where t.moves_at is not null and t.workspace_id > turn.workspace_id order by t.workspace_id limit 1
      ) next where turn.nth < ${workspacesEach}
    ), due as materialized (
      select t.* from turn cross join lateral (
        select t.id, t.status, t.amount, case when t.status = 'PENDING' then 'PROCESSING' when ${ending(sql`t.amount`)} = 13 then 'FAILED' else 'COMPLETED' end as next
        from transfers t where t.workspace_id = turn.workspace_id and t.moves_at <= ${instant(nowMs)}
        order by t.moves_at, t.id limit ${transfersEach} for no key update skip locked
      ) t
    ), moved as (
      update transfers t set status = due.next::transfer_status, updated_at = ${movedAt(nowMs)},
        failure_reason = case when due.next = 'FAILED' then ${failureReason} end,
        moves_at = ${nextMove(sql`t.mode`, sql`due.next`, sql`t.amount`, nowMs)}
      from due, workspaces w where t.id = due.id and w.id = t.workspace_id
      returning t.biz_id as "transferId", t.workspace_id as "workspaceId", w.institution_id as "institutionId",
        due.status::text as "from", due.next as "to", ${recordAtHand(transferRecords)} as record
    )
    select (select workspace_id from turn where nth = ${workspacesEach}) as last,
      coalesce((select json_agg(moved) from moved), '[]') as moved`);
  return turn ?? { last: null, moved: [] };
}

const recordOf = (
  { transferId, workspaceId, institutionId, from, to, record }: Moved,
  occurredAtMs: number,
): AuditRecord => ({
  action: moveActions[to],
  actor: settlement,
  workspaceId,
  institutionId,
  subjectId: transferId,
  changes: {
    status: { from, to },
    ...(to === 'FAILED' ? { failureReason: { from: null, to: failureReason } } : {}),
  },
  occurredAtMs,
  event: { mode: 'TEST', data: record },
});

/** Takes TEST transfers a step further, in turns around all workspaces, until nothing is due. */
export function createSettler(db: Transactor, now: () => number): () => Promise<void> {
  const step = (after: number) =>
    db.transaction(async (tx) => {
      const nowMs = now();
      const turn = await moveNext(tx, after, nowMs);
      await appendRecords(
        tx,
        turn.moved.map((each) => recordOf(each, nowMs)),
      );
      requireInTime(nowMs, now());
      return { last: turn.last, count: turn.moved.length };
    });
  return async () => {
    for (let after = 0, inRound = 0; ; ) {
      const { last, count } = await step(after);
      inRound += count;
      if (last === null && inRound === 0) return;
      if (last === null) inRound = 0;
      after = last ?? 0;
    }
  };
}
