import { type CompactJWSHeaderParameters, CompactSign, compactVerify, errors, type JWK } from 'jose';
import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Checkpoint, SignCheckpoint } from '../../log/checkpoints.ts';
import type { ReadCheckpoint } from '../../log/verify.ts';
import { type SigningKeys, signingAlgorithm } from './signing-keys.ts';

/** What tells a checkpoint from a token of the same key. */
const typ = 'portico-checkpoint';

export function createCheckpointSigner(keys: SigningKeys): SignCheckpoint {
  return async (checkpoint) => {
    const { kid, key } = keys.current();
    return new CompactSign(Buffer.from(JSON.stringify(checkpoint)))
      .setProtectedHeader({ alg: signingAlgorithm, kid, typ })
      .sign(key);
  };
}

/** Keys that are too old for tokens still tell what they signed. */
async function selectPublicKey(db: Queryable, kid: string | undefined): Promise<JWK | undefined> {
  const [row] = await db.query<{ publicJwk: JWK }>(
    sql`select public_jwk as "publicJwk" from jwt_signing_keys where kid = ${kid ?? null}`,
  );
  return row?.publicJwk;
}

/** Reads checkpoints that the service of this database signed; undefined for anything else. */
export function createCheckpointReader(db: Queryable): ReadCheckpoint {
  const keys = new Map<string | undefined, JWK>();
  const keyOf = async ({ kid }: CompactJWSHeaderParameters): Promise<JWK> => {
    const jwk = keys.get(kid) ?? (await selectPublicKey(db, kid));
    if (jwk === undefined) throw new errors.JWKSNoMatchingKey();
    keys.set(kid, jwk);
    return jwk;
  };
  return async (jws) => {
    try {
      const { payload, protectedHeader } = await compactVerify(jws, keyOf, {
        algorithms: [signingAlgorithm],
      });
      if (protectedHeader.typ !== typ) return undefined;
      return JSON.parse(Buffer.from(payload).toString()) as Checkpoint; // nobody else signs with this key and type
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  };
}
