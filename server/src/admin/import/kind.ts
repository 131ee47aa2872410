import type { TObject } from 'typebox';
import { epochMsOf } from '../../contract/date-time.ts';
import type { Sql } from '../../db/sql.ts';
import type { AuditAction } from '../../log/actions.ts';
import type { WorkspaceGround } from '../places.ts';

/** How a line stands to what is there: new, the same, another, or why it cannot be taken. */
export type State = 'new' | 'same' | 'other' | 'elsewhere' | 'stored' | 'deleted';

/** A line as the statements take it. */
export type Row = { id: string; [column: string]: unknown };

/** The same, with its place among those of a batch. */
type PlacedRow = Row & { n: number };

/** A time as it is stored. */
export const isoOf = (text: string) => new Date(epochMsOf(text)).toISOString();

export type Place = Pick<WorkspaceGround, 'workspaceId' | 'institutionId'>;

/** What can be brought in. */
export type Kind = {
  noun: string;
  action: AuditAction;
  line: TObject;
  /** Of a line whose fields are right each for itself; refuses what is wrong between them. */
  rowOf(line: object): Row;
  /** For each row its state, in their order. */
  compare(rows: readonly PlacedRow[], place: Place): Sql;
  /** Adds and changes; for each row whether it was added. */
  store(rows: readonly Row[], place: Place, nowMs: number): Sql;
};
