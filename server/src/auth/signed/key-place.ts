import { ApiError } from '../../contract/api-error.ts';
import type { WritePlace } from '../../contract/command.ts';
import { sql } from '../../db/sql.ts';
import type { KeyCaller } from '../identity.ts';
import { workspaceOfKey } from '../portal/roles.ts';
import type { Mode } from './api-key-lookup.ts';
import type { Scope } from './scopes.ts';

/** What a command of a key stands on. */
export type KeyGround = { workspaceId: number; institutionId: number; mode: Mode; keyName: string };

/**
 * The workspace and mode of an API key that has a scope, to write. A key that is disabled or loses the scope meanwhile either has
 * written or does not write; noting that it was used goes on.
 */
export const keyWith = (
  scope: Scope,
): WritePlace<KeyCaller, { apiKeyId: string; workspaceId: number; mode: Mode }, KeyGround> => ({
  ...workspaceOfKey,
  at: ({ apiKeyId, workspaceId, mode }) => ({ apiKeyId, workspaceId, mode }),
  lock: ({ apiKeyId }) => sql`
    select k.workspace_id as "workspaceId", k.institution_id as "institutionId", k.mode::text as mode, k.name as "keyName",
      case when k.id is null then 'key' when not ${scope} = any (k.scopes) then 'scope' end as missing
    from (values (1)) asked left join lateral (
      select k.id, k.workspace_id, w.institution_id, k.mode, k.name, k.scopes
      from api_keys k join workspaces w on w.id = k.workspace_id
      where k.id = ${apiKeyId} and k.status = 'ACTIVE' for key share of k
    ) k on true`,
  errors: ['4012', '4015', '4031'],
  refusal: (missing) => {
    if (missing === 'scope') return new ApiError('4031', `the API key does not have the scope ${scope}`);
    if (missing === 'key') return new ApiError('4015', 'the API key is disabled or revoked');
    return workspaceOfKey.refusal(missing);
  },
  actor: ({ apiKeyId, address, requestId }, { keyName }) => ({
    type: 'API_KEY',
    id: apiKeyId,
    name: keyName,
    address,
    requestId,
  }),
});
