import { workspaceOfKey } from '../../auth/portal/roles.ts';
import { given } from '../../contract/page-values.ts';
import { join, type Sql, sql } from '../../db/sql.ts';
import type { EventRow } from '../../events/render.ts';

/** The same place with the id that events have of it. */
export const eventsOfKey = {
  ...workspaceOfKey,
  select: sql`select place.*, w.biz_id as workspace_biz_id from (${workspaceOfKey.select}) place join workspaces w on w.id = place.workspace_id`,
};

const after = sql`${given('filter', 'after')}::int8`;
const limit = sql`${given('filter', 'limit')}::int`;
const types = sql`${given('filter', 'types')}::text[]`;

/**
 * Numbers along one index, from where to go on. What is equal is said as a range, from (value, after) to the end of the value: told
 * that it is a constant, the planner may take the primary key for the order, and read past the events of everybody else.
 */
const walk = (mode: { from: Sql; where: Sql }, order: Sql) => sql`
  (select e.sequence from events e
  where e.workspace_id = place.workspace_biz_id and e.channel_id is null and ${mode.where} and ${mode.from}
  order by ${order} limit ${limit})`;

const ofMode = [
  walk(
    { where: sql`e.mode <= place.mode`, from: sql`(e.mode, e.sequence) > (place.mode, ${after})` },
    sql`e.mode, e.sequence`,
  ),
  walk({ where: sql`e.mode is null`, from: sql`e.sequence > ${after}` }, sql`e.mode, e.sequence`),
];

const ofType = [sql`e.mode = place.mode`, sql`e.mode is null`].map((mode) =>
  walk(
    {
      where: sql`${mode} and e.type <= asked.type`,
      from: sql`(e.type, e.sequence) > (asked.type, ${after})`,
    },
    sql`e.mode, e.type, e.sequence`,
  ),
);

/** Each walk ends after as many as are asked for, so that a page costs the same however many events there are, and of whom. */
const pageOf = (from: Sql, walks: readonly Sql[]) => sql`
  with place as materialized (${eventsOfKey.select}), picked as materialized (
    select walked.sequence from ${from} cross join lateral (${join(walks, sql` union all `)}) walked
    order by walked.sequence limit ${limit}
  )
  select place.missing, e.* from place left join (
    select e.sequence, e.type, e.occurred_at as "occurredAt", e.mode::text as mode, e.workspace_id as "workspaceId", e.data
    from picked cross join lateral (select * from events e where e.sequence = picked.sequence limit 1) e
  ) e on true order by e.sequence`;

/** Of all types, and of some. */
export const pulledAll = pageOf(sql`place`, ofMode);
export const pulledSome = pageOf(sql`place cross join unnest(${types}) asked(type)`, ofType);

/** One row for each event; where there is none, one without. */
export type PulledRow = { missing: string | null } & (EventRow | { [Field in keyof EventRow]: null });
