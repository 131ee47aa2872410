import {
  type CryptoKey,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';
import type { Queryable, Transaction, Transactor } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Vault } from '../secrets/vault.ts';

export const signingAlgorithm = 'ES256';

export type SigningKeys = {
  /** The newest key, which signs. */
  current(): { kid: string; key: CryptoKey };
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

async function insertSigningKey(tx: Transaction, vault: Vault): Promise<void> {
  const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const kid = crypto.randomUUID();
  const publicJwk = { ...(await exportJWK(publicKey)), kid, alg: signingAlgorithm, use: 'sig' };
  const sealed = vault.seal(JSON.stringify(await exportJWK(privateKey)), signingKeyOwner(kid));
  await tx.query(sql`
    insert into jwt_signing_keys (kid, public_jwk, private_jwk) values (${kid}, ${JSON.stringify(publicJwk)}::jsonb, ${sealed})`);
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
    await tx.query(sql`lock table jwt_signing_keys in share row exclusive mode`);
    if (!(await hasYoungKey(tx))) await insertSigningKey(tx, vault);
  });
}

async function selectSigningKeys(db: Queryable): Promise<Row[]> {
  return db.query<Row>(sql`
    select kid, public_jwk as "publicJwk", private_jwk as "privateJwk" from jwt_signing_keys
    where created_at > now() - make_interval(days => ${2 * keyLifeDays}) order by created_at desc`);
}

export async function openSigningKeys(db: Transactor, vault: Vault, background = db): Promise<SigningKeys> {
  const load = async (from: Transactor) => {
    const rows = await selectSigningKeys(from);
    const newest = rows[0];
    if (newest === undefined) throw new Error('no signing key');
    const jwk = JSON.parse(vault.open(newest.privateJwk, signingKeyOwner(newest.kid))) as JWK; // sealed by insertSigningKey
    const key = (await importJWK(jwk, signingAlgorithm)) as CryptoKey; // only symmetric keys import as bytes
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
