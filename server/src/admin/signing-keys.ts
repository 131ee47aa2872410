import { Type } from 'typebox';
import {
  insertSigningKey,
  lockSigningKeys,
  requireSealedBy,
  selectKeyStates,
} from '../auth/portal/signing-keys.ts';
import { changesOf } from '../contract/changes.ts';
import type { Queryable } from '../db/database.ts';
import { operatorTask } from './operator.ts';
import { anywhere } from './places.ts';
import type { Tools } from './tools.ts';

/** The next key. Tokens of those before it hold until they expire; instances sign with it within a minute. */
export const rotateSigningKey = (tools: Tools) => {
  const vault = tools.vault();
  return operatorTask({
    input: Type.Object({}),
    answer: Type.Object({ kid: Type.String(), previousKid: Type.Union([Type.String(), Type.Null()]) }),
    place: anywhere,
    action: 'signing-key.rotated',
    async run({ tx }) {
      await lockSigningKeys(tx);
      const previousKid = await requireSealedBy(tx, vault);
      const kid = await insertSigningKey(tx, vault);
      return {
        answer: { kid, previousKid },
        subject: kid,
        changes: changesOf({ kid: previousKid }, { kid }),
      };
    },
  });
};

export async function* listSigningKeys(db: Queryable) {
  yield await selectKeyStates(db);
}
