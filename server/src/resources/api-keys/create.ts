import type { Static } from 'typebox';
import { newKeyId, newSecret } from '../../auth/secrets/key-material.ts';
import type { Services } from '../../auth/services.ts';
import { secretOwner } from '../../auth/signed/api-key-lookup.ts';
import { ApiError } from '../../contract/api-error.ts';
import { insertApiKey } from './queries.ts';
import {
  type CreatedApiKey,
  keyModes,
  keysPerWorkspaceMax,
  type ModeCode,
  type NewApiKey,
} from './schema.ts';

export async function createApiKey(
  { db, vault, now }: Services,
  workspaceId: number,
  wanted: Static<typeof NewApiKey>,
): Promise<Static<typeof CreatedApiKey>> {
  const mode = keyModes[(wanted.mode ?? 1) as ModeCode]; // the schema lets only these codes pass
  const kind = mode === 'LIVE' ? 'live' : 'test';
  const secret = newSecret(kind);
  const key = {
    apiKeyId: newKeyId(kind, now()),
    name: wanted.name,
    mode,
    scopes: [...new Set(wanted.scopes ?? [])],
    ipWhitelist: wanted.ipWhitelist ?? [],
    createdAt: new Date(now()).toISOString(),
  };
  const sealedSecret = vault.seal(secret, secretOwner(key.apiKeyId, 1));
  if (!(await insertApiKey(db, { ...key, workspaceId, sealedSecret }))) {
    throw new ApiError(
      '4093',
      `the workspace has ${keysPerWorkspaceMax} API keys that are not revoked, which is the limit`,
    );
  }
  return { ...key, secret, status: 'ACTIVE' };
}
