import type { Static } from 'typebox';
import type { WorkspaceGround } from '../../auth/portal/roles.ts';
import { ApiError } from '../../contract/api-error.ts';
import { selectOne } from '../../contract/collection.ts';
import type { Step } from '../../contract/command.ts';
import { sql } from '../../db/sql.ts';
import { apiKeys } from './collection.ts';
import { type LockedKey, lockApiKey } from './queries.ts';
import type { ApiKeyPath, ApiKeyRecord } from './schema.ts';

type OfKey = Pick<
  Step<unknown, WorkspaceGround, Static<typeof ApiKeyPath>>,
  'tx' | 'nowMs' | 'place' | 'input'
>;
type MadeKey = Pick<OfKey, 'tx' | 'nowMs'> & { input: { apiKeyId: string } };

export const noKey = 'the workspace has no such API key';

/** Every change is made on the locked key. */
export async function lockedKey({ tx, nowMs, place, input }: OfKey): Promise<LockedKey> {
  const key = await lockApiKey(tx, place.workspaceId, input.apiKeyId, nowMs);
  if (key === undefined) throw new ApiError('4040', noKey);
  return key;
}

export const findRecord = ({ tx, nowMs, input }: MadeKey) =>
  selectOne(tx, apiKeys, [sql`k.id = ${input.apiKeyId}`], nowMs, 'key_record');

/** And answered and told with what the key then is. */
export async function recordOf(key: MadeKey): Promise<Static<typeof ApiKeyRecord>> {
  const record = await findRecord(key);
  if (record === undefined) throw new Error('a locked key cannot be gone');
  return record;
}
