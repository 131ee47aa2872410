import { ownerOfWorkspace } from '../../auth/portal/roles.ts';
import { newSecret } from '../../auth/secrets/key-material.ts';
import type { Services } from '../../auth/services.ts';
import { secretOwner } from '../../auth/signed/api-key-lookup.ts';
import { keyStatus } from '../../auth/signed/key-status.ts';
import { ApiError } from '../../contract/api-error.ts';
import { aSecret } from '../../contract/changes.ts';
import { command } from '../../contract/command.ts';
import { lockedKey, recordOf } from './locked-key.ts';
import { requirePartner } from './partner-rule.ts';
import { insertSecret, retireSecret } from './queries.ts';
import { ApiKeyPath, graceSecondsDefault, RotatedApiKey, Rotation } from './schema.ts';

/** The id stays, a new secret begins, and the old one works until the grace ends. */
export const rotateKey = ({ vault }: Services) =>
  command({
    path: ApiKeyPath,
    body: Rotation,
    answer: RotatedApiKey,
    status: 200,
    place: ownerOfWorkspace,
    action: 'api-key.rotated',
    errors: ['4033', '4040', '4091', '4092'],
    secrets: ['secret'],
    async run(step) {
      const { tx, nowMs, input } = step;
      const key = await lockedKey(step);
      requirePartner(key.mode, step.caller, 'rotated');
      const status = keyStatus(key, nowMs);
      if (status === 'REVOKED') throw new ApiError('4091', 'a key that is REVOKED cannot be rotated');
      if (key.previousSecretExpiresAt !== null)
        throw new ApiError('4092', 'the previous secret of this key is still working: close its grace first');
      const { apiKeyId, name, mode, scopes, ipWhitelist, createdAt, secretVersion } = key;
      const secret = newSecret(mode === 'LIVE' ? 'live' : 'test');
      const version = secretVersion + 1;
      const graceEndsMs = nowMs + (input.graceSeconds ?? graceSecondsDefault) * 1000;
      await retireSecret(tx, key, graceEndsMs);
      await insertSecret(tx, apiKeyId, version, vault.seal(secret, secretOwner(apiKeyId, version)));
      return {
        answer: { apiKeyId, secret, name, status, mode, scopes, ipWhitelist, createdAt },
        subject: apiKeyId,
        changes: {
          secret: { from: aSecret, to: aSecret },
          secretVersion: { from: secretVersion, to: version },
          previousSecretExpiresAt: { from: null, to: new Date(graceEndsMs).toISOString() },
        },
        event: { mode, data: await recordOf(step) },
      };
    },
  });
