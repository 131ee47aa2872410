import { NoPath, ownAccount } from '../../auth/portal/own-account.ts';
import { changesOf } from '../../contract/changes.ts';
import { command } from '../../contract/command.ts';
import { updateAccount } from './queries.ts';
import { selectAccount } from './record.ts';
import { AccountChange, AccountRecord } from './schema.ts';

export const changeAccount = command({
  path: NoPath,
  body: AccountChange,
  answer: AccountRecord,
  status: 200,
  place: ownAccount,
  action: 'account.changed',
  errors: [],
  async run({ tx, nowMs, caller, place, input }) {
    const { accountId } = place;
    const before = { name: place.accountName, locale: place.locale };
    const after = { name: input.name ?? before.name, locale: input.locale ?? before.locale };
    const [, answer] = await Promise.all([
      updateAccount(tx, accountId, after),
      selectAccount(tx, accountId, nowMs),
    ]);
    return { answer, subject: caller.bizId, changes: changesOf(before, after) };
  },
});
