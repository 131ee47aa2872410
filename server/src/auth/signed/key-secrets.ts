import type { FastifyBaseLogger } from 'fastify';
import { createMemory } from '../../limits/memory.ts';
import { newSecret } from '../secrets/key-material.ts';
import type { Services } from '../services.ts';
import { type StoredKey, secretOwner } from './api-key-lookup.ts';

export type OpenSecret = { version: number; secret: string };

const noticesMax = 1000;

/** Opens sealed secrets. Nobody's stands in where there is no other, so that what is missing costs what is there. */
export type KeySecrets = {
  nobody: { key: StoredKey; secret(): string };
  /** What matches nothing when the sealed text cannot be read, which is logged once for each key. */
  open(apiKeyId: string, sealed: { version: number; sealed: Buffer }): OpenSecret & { isReadable: boolean };
};

export function createKeySecrets({ vault }: Services, log: FastifyBaseLogger): KeySecrets {
  const sealed = vault.seal(newSecret('test'), secretOwner('nobody', 1));
  const key: StoredKey = {
    apiKeyId: 'nobody',
    workspaceId: 0,
    workspaceBizId: '',
    mode: 'TEST',
    status: 'REVOKED',
    scopes: [],
    ipWhitelist: [],
    expiresAt: null,
    secrets: [{ version: 1, sealed, expiresAt: null }],
  };
  const secret = () => vault.open(sealed, secretOwner('nobody', 1));
  const noticed = createMemory<true>(noticesMax);
  const notice = (apiKeyId: string, version: number, error: unknown) => {
    const name = `${apiKeyId}:${version}`;
    if (noticed.get(name, 0)) return;
    noticed.set(name, true, Number.POSITIVE_INFINITY);
    log.error(
      { apiKeyId, version, err: error },
      'the sealed secret of an API key cannot be read: it refuses every signature until it is rotated',
    );
  };
  return {
    nobody: { key, secret },
    open(apiKeyId, { version, sealed: text }) {
      try {
        return { version, secret: vault.open(text, secretOwner(apiKeyId, version)), isReadable: true };
      } catch (error) {
        notice(apiKeyId, version, error);
        return { version, secret: secret(), isReadable: false };
      }
    },
  };
}
