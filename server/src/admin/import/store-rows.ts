import { type Static, type TObject, Type } from 'typebox';
import { changesOf } from '../../contract/changes.ts';
import { type Act, perform } from '../../contract/command.ts';
import { Named } from '../fields.ts';
import type { Desk, Operator } from '../operator.ts';
import { theWorkspace, type WorkspaceGround } from '../places.ts';
import type { Kind, Row } from './kind.ts';

const Input = Type.Object({ workspace: Named });
const Stored = Type.Object({ added: Type.Integer(), changed: Type.Integer() });

/** One write of the operator: rows of a batch, and the record that tells of them. */
export async function storeRows(
  kind: Kind,
  desk: Desk,
  workspace: string,
  rows: readonly { number: number; row: Row }[],
): Promise<Static<typeof Stored>> {
  const act: Act<
    Operator,
    Static<typeof Input>,
    WorkspaceGround,
    typeof Input,
    TObject<Record<never, never>>,
    typeof Stored
  > = {
    path: Input,
    answer: Stored,
    place: theWorkspace,
    action: kind.action,
    async run({ tx, place, nowMs }) {
      const statement = kind.store(
        rows.map(({ row }) => row),
        place,
        nowMs,
      );
      const stored = await tx.query<{ isNew: boolean }>(statement);
      const added = stored.filter(({ isNew }) => isNew).length;
      const answer = { added, changed: stored.length - added };
      const lines = `${rows[0]?.number} to ${rows.at(-1)?.number}`;
      return { answer, subject: workspace, changes: changesOf({}, { lines, ...answer }) };
    },
  };
  const call = {
    caller: desk.operator,
    values: { workspace },
    input: () => ({ path: { workspace }, body: {} }),
    route: act.action,
  };
  return (await perform(act, desk, call)).answer;
}
