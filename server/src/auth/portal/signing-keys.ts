import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWK, type JWTVerifyGetKey } from 'jose';
import { ConfigError } from '../../config.ts';
import type { Queryable, Transaction, Transactor } from '../../db/database.ts';
import { isoTime, sql } from '../../db/sql.ts';
import { anotherMasterKey, UnknownMasterKey, type Vault } from '../secrets/vault.ts';

export const signingAlgorithm = 'ES256';

export type SigningKeys = {
  /** The newest key, which signs. */
  current(): { kid: string; key: KeyObject };
  /** Public keys, newest first. */
  jwks(): { keys: JWK[] };
  find: JWTVerifyGetKey;
  /** Another instance may have made a newer key. */
  reload(): Promise<void>;
  /** Makes a new key when the newest has grown old. */
  renew(): Promise<void>;
};

type Row = { kid: string; publicJwk: JWK; privateJwk: Buffer };

export const signingKeyOwner = (kid: string) => `jwt-signing-key:${kid}`;
const keyLifeDays = 90;

/** Two are never made at once: one who waits sees what the other made, and the later one is the newer one. */
export async function lockSigningKeys(tx: Transaction): Promise<void> {
  await tx.query(sql`lock table jwt_signing_keys in share row exclusive mode`);
}

export async function insertSigningKey(tx: Transaction, vault: Vault): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const kid = crypto.randomUUID();
  const publicJwk = { ...(await exportJWK(publicKey)), kid, alg: signingAlgorithm, use: 'sig' };
  const sealed = vault.seal(JSON.stringify(await exportJWK(privateKey)), signingKeyOwner(kid));
  await tx.query(sql`
    insert into jwt_signing_keys (kid, public_jwk, private_jwk, created_at)
    values (${kid}, ${JSON.stringify(publicJwk)}::jsonb, ${sealed}, clock_timestamp())`);
  return kid;
}

async function hasYoungKey(db: Queryable): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from jwt_signing_keys where created_at > now() - make_interval(days => ${keyLifeDays}) limit 1`);
  return rows.length > 0;
}

/** One key in any number of instances that start together; a new one when the newest has grown old. */
async function ensureSigningKey(db: Transactor, vault: Vault): Promise<void> {
  if (await hasYoungKey(db)) return;
  await db.transaction(async (tx) => {
    await lockSigningKeys(tx);
    if (!(await hasYoungKey(tx))) await insertSigningKey(tx, vault);
  });
}

async function selectSigningKeys(db: Queryable): Promise<Row[]> {
  return db.query<Row>(sql`
    select kid, public_jwk as "publicJwk", private_jwk as "privateJwk" from jwt_signing_keys
    where created_at > now() - make_interval(days => ${2 * keyLifeDays}) order by created_at desc`);
}

/** The newest key; refuses a master key that is not the one of the service, whose instances could not open what it seals. */
export async function requireSealedBy(db: Queryable, vault: Vault): Promise<string | null> {
  const [newest] = await selectSigningKeys(db);
  if (newest === undefined) return null;
  try {
    vault.open(newest.privateJwk, signingKeyOwner(newest.kid));
  } catch (error) {
    if (error instanceof UnknownMasterKey) throw new ConfigError(anotherMasterKey);
    throw error;
  }
  return newest.kid;
}

type KeyState = { kid: string; status: 'SIGNING' | 'VERIFYING' | 'RETIRED'; createdAt: string };

/** All keys, newest first: which signs, which tokens may still be of, and which tell old checkpoints alone. */
export async function selectKeyStates(db: Queryable): Promise<KeyState[]> {
  return db.query<KeyState>(sql`
    select kid, case when created_at <= now() - make_interval(days => ${2 * keyLifeDays}) then 'RETIRED'
        when row_number() over (order by created_at desc) = 1 then 'SIGNING' else 'VERIFYING' end as status,
      ${isoTime(sql`created_at`)} as "createdAt"
    from jwt_signing_keys order by created_at desc`);
}

export async function openSigningKeys(db: Transactor, vault: Vault, background = db): Promise<SigningKeys> {
  const load = async (from: Transactor) => {
    const rows = await selectSigningKeys(from);
    const newest = rows[0];
    if (newest === undefined) throw new Error('no signing key');
    const jwk = JSON.parse(vault.open(newest.privateJwk, signingKeyOwner(newest.kid))) as JsonWebKey; // sealed by insertSigningKey
    const key = createPrivateKey({ key: jwk, format: 'jwk' });
    const jwks = { keys: rows.map(({ publicJwk }) => publicJwk) };
    return { current: { kid: newest.kid, key }, jwks, find: createLocalJWKSet(jwks) };
  };
  await ensureSigningKey(background, vault);
  let loaded = await load(background);
  const reload = async () => {
    loaded = await load(db);
  };
  return {
    current: () => loaded.current,
    jwks: () => loaded.jwks,
    find: (header, token) => loaded.find(header, token),
    reload,
    async renew() {
      await ensureSigningKey(db, vault);
      await reload();
    },
  };
}
