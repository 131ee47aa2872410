import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

/** Sealed bytes: master key id (8), nonce (12), tag (16), ciphertext. */
const idBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;

export class UnknownMasterKey extends Error {}

/** For the operator. */
export const anotherMasterKey =
  'PORTICO_MASTER_KEY: the database holds secrets under another master key: set that one, or list it in PORTICO_MASTER_KEY_PREVIOUS';

/** Encrypts what must be read again but never be found: AES-256-GCM, bound to what the secret belongs to. */
export type Vault = {
  keyId: Buffer;
  seal(secret: string, owner: string): Buffer;
  open(sealed: Buffer, owner: string): string;
  /** Tells whether two texts are the same, and to nobody without the master key what they are. */
  mark(text: string): Buffer;
};

function idOf(key: Buffer): Buffer {
  return createHash('sha256').update('portico master key').update(key).digest().subarray(0, idBytes);
}

function associated(id: Buffer, owner: string): Buffer {
  return Buffer.concat([id, Buffer.from(owner)]);
}

export function createVault(masterKey: Buffer, previous: readonly Buffer[] = []): Vault {
  const keyId = idOf(masterKey);
  const markKey = createHmac('sha256', masterKey).update('portico marks').digest();
  const keys = new Map([...previous, masterKey].map((key) => [idOf(key).toString('hex'), key]));
  return {
    keyId,
    seal(secret, owner) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', masterKey, nonce).setAAD(associated(keyId, owner));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([keyId, nonce, cipher.getAuthTag(), text]);
    },
    open(sealed, owner) {
      const id = sealed.subarray(0, idBytes);
      const key = keys.get(id.toString('hex'));
      if (key === undefined) throw new UnknownMasterKey('sealed under a master key that is not configured');
      const tagAt = idBytes + nonceBytes;
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(idBytes, tagAt), {
        authTagLength: tagBytes,
      })
        .setAAD(associated(id, owner))
        .setAuthTag(sealed.subarray(tagAt, tagAt + tagBytes));
      return decipher.update(sealed.subarray(tagAt + tagBytes), undefined, 'utf8') + decipher.final('utf8');
    },
    mark: (text) => createHmac('sha256', markKey).update(text).digest(),
  };
}
