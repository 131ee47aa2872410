import { Type } from 'typebox';
import { changesOf } from '../contract/changes.ts';
import { deleteMails } from '../mail/queries.ts';
import { operatorTask } from './operator.ts';
import { anywhere } from './places.ts';

/** What waits to be sent, whoever it is for: they are sealed, so there is nothing to choose by. */
export const discardMails = operatorTask({
  input: Type.Object({}),
  answer: Type.Object({ discarded: Type.Integer() }),
  place: anywhere,
  action: 'mail.discarded',
  async run({ tx }) {
    const discarded = await deleteMails(tx);
    return {
      answer: { discarded },
      subject: 'ALL',
      changes: changesOf({ waiting: discarded }, { waiting: 0 }),
    };
  },
});
