import { type Sql, sql, trusted } from '../db/sql.ts';

/** More series than these, and whatever looks for each of them is no brief work. A caller can make any number, by keys that are revoked. */
const seriesFew = 500;

/**
 * The series of a workspace, or one more than are few. In the order of their index: however many others there are in the table, no
 * plan reads these.
 */
export const firstSeries = (workspaceId: Sql): Sql => sql`(
  select * from request_series where workspace_id = ${workspaceId}
  order by workspace_id, api_key_id, mode, code limit ${trusted(String(seriesFew + 1))})`;

/** Whether so many are more than few. */
export const areMany = (count: Sql): Sql => sql`${count} > ${trusted(String(seriesFew))}`;
