import { ownerOfWorkspace } from '../../auth/portal/roles.ts';
import { ApiError } from '../../contract/api-error.ts';
import { changesOf } from '../../contract/changes.ts';
import { command } from '../../contract/command.ts';
import { epochMsOf } from '../../contract/date-time.ts';
import { allowsMore } from './allows-more.ts';
import { lockedKey, recordOf } from './locked-key.ts';
import { requirePartner } from './partner-rule.ts';
import { updateApiKey } from './queries.ts';
import { ApiKeyChange, ApiKeyPath, ApiKeyRecord } from './schema.ts';

export const changeKey = command({
  path: ApiKeyPath,
  body: ApiKeyChange,
  answer: ApiKeyRecord,
  status: 200,
  place: ownerOfWorkspace,
  action: 'api-key.changed',
  errors: ['4033', '4040', '4091'],
  async run(step) {
    const { apiKeyId, ...wanted } = step.input;
    const key = await lockedKey(step);
    if (allowsMore(key, wanted)) requirePartner(key.mode, step.caller, 'allowed more');
    if (key.status === 'REVOKED') throw new ApiError('4091', 'a key that is REVOKED cannot be changed');
    const { name, scopes, ipWhitelist, expiresAt } = wanted;
    const end = (text: string | null) => (text === null ? null : new Date(epochMsOf(text)).toISOString());
    const before = {
      name: key.name,
      scopes: key.scopes,
      ipWhitelist: key.ipWhitelist,
      expiresAt: end(key.expiresAt),
    };
    const after = {
      name: name ?? before.name,
      scopes: scopes === undefined ? before.scopes : [...new Set(scopes)],
      ipWhitelist: ipWhitelist ?? before.ipWhitelist,
      expiresAt: expiresAt === undefined ? before.expiresAt : end(expiresAt),
    };
    await updateApiKey(step.tx, apiKeyId, after);
    return { answer: await recordOf(step), subject: apiKeyId, changes: changesOf(before, after) };
  },
});
