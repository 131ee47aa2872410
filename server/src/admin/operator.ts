import type { Static, TObject } from 'typebox';
import { type Act, type AnyGround, perform } from '../contract/command.ts';
import { reader } from '../contract/validate.ts';
import type { Transaction, Transactor } from '../db/database.ts';
import type { Actor } from '../log/actor.ts';

/** Who works on the command line: the user of the system. */
export type Operator = { user: string };

/** What an operator writes with. */
export type Desk = { db: Transactor; now(): number; operator: Operator };

export const actorOf = ({ user }: Operator): Actor => ({
  type: 'OPERATOR',
  id: user,
  name: user,
  address: null,
  requestId: null,
});

/** What is read from the command line, and what then does it. */
export type Task<Answer> = (given: object) => (desk: Desk) => Promise<Answer>;

type OperatorAct<Ground extends AnyGround, Input extends TObject, Answer extends TObject> = Omit<
  Act<Operator, Static<Input>, Ground, Input, TObject<Record<never, never>>, Answer>,
  'path' | 'body'
> & { input: Input };

/** A write of the operator. What is wrong with its input is told before a database is asked. */
export function operatorTask<Ground extends AnyGround, Input extends TObject, Answer extends TObject>({
  input,
  ...act
}: OperatorAct<Ground, Input, Answer>): Task<Static<Answer>> {
  const read = reader(input);
  return (given) => {
    const values = read(given);
    return async ({ db, now, operator }) => {
      const call = {
        caller: operator,
        values,
        input: () => ({ path: values, body: {} }),
        route: act.action,
      };
      return (await perform({ ...act, path: input }, { db, now }, call)).answer;
    };
  };
}

/** Inside a transaction that is open: what is done here is kept with all the rest of it. */
export function within(tx: Transaction, desk: Desk): Desk {
  return { ...desk, db: { query: (statement) => tx.query(statement), transaction: (work) => work(tx) } };
}
