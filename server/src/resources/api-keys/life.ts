import { ownerOfWorkspace } from '../../auth/portal/roles.ts';
import { ApiError } from '../../contract/api-error.ts';
import { changesOf } from '../../contract/changes.ts';
import { command } from '../../contract/command.ts';
import { lockedKey, recordOf } from './locked-key.ts';
import { requirePartner } from './partner-rule.ts';
import { endPreviousSecret, revokeApiKey, updateStatus } from './queries.ts';
import { ApiKeyPath, ApiKeyRecord } from './schema.ts';

const transitions = {
  disable: { from: ['ACTIVE'], to: 'DISABLED', action: 'api-key.disabled', done: 'disabled' },
  enable: { from: ['DISABLED'], to: 'ACTIVE', action: 'api-key.enabled', done: 'enabled' },
  revoke: { from: ['ACTIVE', 'DISABLED'], to: 'REVOKED', action: 'api-key.revoked', done: 'revoked' },
} as const;

const shared = { path: ApiKeyPath, answer: ApiKeyRecord, status: 200, place: ownerOfWorkspace } as const;

function transition(name: keyof typeof transitions) {
  const { from, to, action, done } = transitions[name];
  return command({
    ...shared,
    action,
    errors: ['4040', '4091', ...(name === 'enable' ? ['4033' as const] : [])],
    async run(step) {
      const { apiKeyId, status, mode } = await lockedKey(step);
      if (name === 'enable') requirePartner(mode, step.caller, done);
      if (!from.some((each) => each === status))
        throw new ApiError('4091', `a key that is ${status} cannot be ${done}`);
      if (to === 'REVOKED') await revokeApiKey(step.tx, step.place.workspaceId, apiKeyId, step.nowMs);
      else await updateStatus(step.tx, apiKeyId, to);
      const changes = changesOf({ status }, { status: to });
      const answer = await recordOf(step);
      return { answer, subject: apiKeyId, changes, event: { mode, data: answer } };
    },
  });
}

export const disableKey = transition('disable');
export const enableKey = transition('enable');
export const revokeKey = transition('revoke');

/** Closes the grace of a rotation early. */
export const endKeyPreviousSecret = command({
  ...shared,
  action: 'api-key.previous-secret-ended',
  errors: ['4040', '4091'],
  async run(step) {
    const { apiKeyId, previousSecretExpiresAt } = await lockedKey(step);
    if (previousSecretExpiresAt === null)
      throw new ApiError('4091', 'no previous secret of this key is working');
    await endPreviousSecret(step.tx, apiKeyId, step.nowMs);
    const changes = changesOf({ previousSecretExpiresAt }, { previousSecretExpiresAt: null });
    return { answer: await recordOf(step), subject: apiKeyId, changes };
  },
});
