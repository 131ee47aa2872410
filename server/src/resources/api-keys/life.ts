import type { Static } from 'typebox';
import { newSecret } from '../../auth/secrets/key-material.ts';
import type { Services } from '../../auth/services.ts';
import { secretOwner } from '../../auth/signed/api-key-lookup.ts';
import type { PortalKind } from '../../config/values.ts';
import { ApiError } from '../../contract/api-error.ts';
import { selectOne } from '../../contract/collection.ts';
import { epochMsOf } from '../../contract/date-time.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { allowsMore } from './allows-more.ts';
import { apiKeys } from './collection.ts';
import {
  endPreviousSecret,
  insertSecret,
  type LockedKey,
  lockApiKey,
  retireSecret,
  revokeApiKey,
  updateApiKey,
  updateStatus,
} from './queries.ts';
import type { ApiKeyChange, ApiKeyRecord, RotatedApiKey } from './schema.ts';

export type KeyPlace = { workspaceId: number; apiKeyId: string };

const noSuchKey = () => new ApiError('4040', 'the workspace has no such API key');

export async function getApiKey(
  db: Queryable,
  { workspaceId, apiKeyId }: KeyPlace,
): Promise<Static<typeof ApiKeyRecord>> {
  const record = await selectOne(db, apiKeys, [
    sql`k.workspace_id = ${workspaceId}`,
    sql`k.id = ${apiKeyId}`,
  ]);
  if (record === undefined) throw noSuchKey();
  return record;
}

/** Every change is made on the locked key, and answered with what it then is. */
async function change(
  { db, now }: Services,
  place: KeyPlace,
  work: (tx: Transaction, key: LockedKey) => Promise<void>,
): Promise<Static<typeof ApiKeyRecord>> {
  return db.transaction(async (tx) => {
    const key = await lockApiKey(tx, place.workspaceId, place.apiKeyId, now());
    if (key === undefined) throw noSuchKey();
    await work(tx, key);
    return getApiKey(tx, place);
  });
}

const transitions = {
  disable: { from: ['ACTIVE'], to: 'DISABLED', done: 'disabled' },
  enable: { from: ['DISABLED'], to: 'ACTIVE', done: 'enabled' },
  revoke: { from: ['ACTIVE', 'DISABLED'], to: 'REVOKED', done: 'revoked' },
} as const;

export type Transition = keyof typeof transitions;
export const transitionNames = Object.keys(transitions) as Transition[]; // Object.keys forgets the literal keys

/** A TEST key may only be brought to work, or allowed more, on the portal that may make one. */
function checkPortal({ mode }: LockedKey, portal: PortalKind | undefined, what: string): void {
  if (mode === 'TEST' && portal !== 'PARTNER')
    throw new ApiError('4033', `TEST keys may only be ${what} on a partner portal`);
}

export function transit(
  services: Services,
  place: KeyPlace,
  name: Transition,
  portal: PortalKind | undefined,
) {
  const { from, to, done } = transitions[name];
  return change(services, place, async (tx, key) => {
    if (name === 'enable') checkPortal(key, portal, done);
    if (!from.some((status) => status === key.status)) {
      throw new ApiError('4091', `a key that is ${key.status} cannot be ${done}`);
    }
    if (to === 'REVOKED') await revokeApiKey(tx, place, services.now());
    else await updateStatus(tx, key.apiKeyId, to);
  });
}

export function patchApiKey(
  services: Services,
  place: KeyPlace,
  wanted: Static<typeof ApiKeyChange>,
  portal: PortalKind | undefined,
) {
  const { expiresAt, scopes, ...rest } = wanted;
  return change(services, place, async (tx, key) => {
    if (allowsMore(key, wanted)) checkPortal(key, portal, 'allowed more');
    if (key.status === 'REVOKED') throw new ApiError('4091', 'a key that is REVOKED cannot be changed');
    await updateApiKey(tx, key.apiKeyId, {
      ...rest,
      ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)] }),
      ...(expiresAt === undefined ? {} : { expiresAtMs: expiresAt === null ? null : epochMsOf(expiresAt) }),
    });
  });
}

export function closeGrace(services: Services, place: KeyPlace) {
  return change(services, place, async (tx, { apiKeyId, isRotating }) => {
    if (!isRotating) throw new ApiError('4091', 'no previous secret of this key is working');
    await endPreviousSecret(tx, apiKeyId, services.now());
  });
}

/** The id stays, a new secret begins, and the old one works until the grace ends. */
export async function rotateApiKey(
  services: Services,
  { workspaceId, apiKeyId }: KeyPlace,
  graceSeconds: number,
  portal: PortalKind | undefined,
): Promise<Static<typeof RotatedApiKey>> {
  const { db, vault, now } = services;
  return db.transaction(async (tx) => {
    const key = await lockApiKey(tx, workspaceId, apiKeyId, now());
    if (key === undefined) throw noSuchKey();
    checkPortal(key, portal, 'rotated');
    if (key.status === 'REVOKED') throw new ApiError('4091', 'a key that is REVOKED cannot be rotated');
    if (key.isRotating)
      throw new ApiError('4092', 'the previous secret of this key is still working: close its grace first');
    const secret = newSecret(key.mode === 'LIVE' ? 'live' : 'test');
    const version = key.secretVersion + 1;
    await retireSecret(tx, key, now() + graceSeconds * 1000);
    await insertSecret(tx, apiKeyId, version, vault.seal(secret, secretOwner(apiKeyId, version)));
    const { name, mode, scopes, ipWhitelist, createdAt, expiresAt } = key;
    const isExpired = key.status === 'ACTIVE' && expiresAt !== null && Date.parse(expiresAt) <= now();
    const status = isExpired ? 'EXPIRED' : key.status;
    return { apiKeyId, secret, name, status, mode, scopes, ipWhitelist, createdAt };
  });
}
