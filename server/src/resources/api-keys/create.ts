import { ownerOfWorkspace } from '../../auth/portal/roles.ts';
import { WorkspacePath } from '../../auth/portal/workspace-path.ts';
import { newKeyId, newSecret } from '../../auth/secrets/key-material.ts';
import type { Services } from '../../auth/services.ts';
import { secretOwner } from '../../auth/signed/api-key-lookup.ts';
import { ApiError, invalidFields } from '../../contract/api-error.ts';
import { changesOf } from '../../contract/changes.ts';
import { command } from '../../contract/command.ts';
import { epochMsOf } from '../../contract/date-time.ts';
import { findRecord } from './locked-key.ts';
import { requirePartner } from './partner-rule.ts';
import { insertApiKey } from './queries.ts';
import { CreatedApiKey, keyModes, keysPerWorkspaceMax, type ModeCode, NewApiKey } from './schema.ts';

/** A new key is active, so its end is still to come. */
function endOf(expiresAt: string | null | undefined, nowMs: number): string | null {
  if (expiresAt === null || expiresAt === undefined) return null;
  const endMs = epochMsOf(expiresAt);
  if (endMs <= nowMs) throw invalidFields('4000', [{ field: 'expiresAt', message: 'must be in the future' }]);
  return new Date(endMs).toISOString();
}

export const createKey = ({ vault }: Services) =>
  command({
    path: WorkspacePath,
    body: NewApiKey,
    answer: CreatedApiKey,
    status: 201,
    place: ownerOfWorkspace,
    action: 'api-key.created',
    errors: ['4033', '4093'],
    secrets: ['secret'],
    async run({ tx, nowMs, caller, place, input }) {
      const mode = keyModes[(input.mode ?? 1) as ModeCode]; // the schema lets only these codes pass
      requirePartner(mode, caller, 'created');
      const kind = mode === 'LIVE' ? 'live' : 'test';
      const secret = newSecret(kind);
      const key = {
        apiKeyId: newKeyId(kind, nowMs),
        name: input.name,
        mode,
        scopes: [...new Set(input.scopes ?? [])],
        ipWhitelist: input.ipWhitelist ?? [],
        createdAt: new Date(nowMs).toISOString(),
      };
      const expiresAt = endOf(input.expiresAt, nowMs);
      const sealedSecret = vault.seal(secret, secretOwner(key.apiKeyId, 1));
      const { workspaceId } = place;
      const [, data] = await Promise.all([
        insertApiKey(tx, { ...key, expiresAt, workspaceId, sealedSecret }),
        findRecord({ tx, nowMs, input: key }),
      ]);
      if (data === undefined) {
        throw new ApiError(
          '4093',
          `the workspace has ${keysPerWorkspaceMax} API keys that are not revoked, which is the limit`,
        );
      }
      const { apiKeyId, createdAt: _createdAt, ...fields } = key;
      const changes = changesOf({}, { ...fields, expiresAt, status: 'ACTIVE' });
      return {
        answer: { ...key, secret, status: 'ACTIVE' },
        subject: apiKeyId,
        changes,
        event: { mode, data },
      };
    },
  });
