import {
  CompactSign,
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
} from 'jose';
import { type Answer, answerJson, listenOnLoopback } from './loopback.ts';

/** Of any type, as a hostile token may hold anything; undefined leaves a claim out. */
type Claims = Record<string, unknown>;

export type Issuer = {
  issuer: string;
  jwksUri: string;
  audience: string;
  /** How often the keys were asked for. */
  fetches(): number;
  /** Makes a key and publishes it. */
  addKey(kid: string, alg?: string): Promise<void>;
  removeKey(kid: string): void;
  publicJwk(kid: string): JWK;
  publicPem(kid: string): Promise<string>;
  /** A token as the issuer would make it now; claims and header can be made wrong. */
  sign(claims: Claims, header?: Partial<JWTHeaderParameters>): Promise<string>;
  /** A token of any text, also of one that nothing would write. */
  signText(payload: string, header?: Partial<JWTHeaderParameters>): Promise<string>;
  /** Instead of the keys; undefined gives the keys again. */
  answerWith(answer: Answer | undefined): void;
  stop(): Promise<void>;
  start(): Promise<void>;
};

type Key = { alg: string; privateKey: CryptoKey; publicKey: CryptoKey; jwk: JWK };

export const audience = 'portico-test';

/** A second identity provider: real keys, served over HTTP on loopback. */
export async function startIssuer(now: () => number, firstKid = 'k1'): Promise<Issuer> {
  const keys = new Map<string, Key>();
  const published = new Set<string>();
  let fetches = 0;
  let answer: Answer | undefined;
  const listen = (port?: number) =>
    listenOnLoopback((_request, response) => {
      fetches += 1;
      const jwks = { keys: [...published].map((kid) => keys.get(kid)?.jwk) };
      (answer ?? answerJson(jwks))(response);
    }, port);
  let server = await listen();
  const { origin, port } = server;
  const keyOf = (kid: string): Key => {
    const key = keys.get(kid);
    if (key === undefined) throw new Error(`the issuer has no key ${kid}`);
    return key;
  };
  const addKey = async (kid: string, alg = 'ES256') => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
    keys.set(kid, { alg, privateKey, publicKey, jwk });
    published.add(kid);
  };
  await addKey(firstKid);
  const signText = (payload: string, header: Partial<JWTHeaderParameters> = {}) => {
    const kid = typeof header.kid === 'string' && keys.has(header.kid) ? header.kid : firstKid;
    const { alg, privateKey } = keyOf(kid);
    return new CompactSign(Buffer.from(payload)).setProtectedHeader({ alg, kid, ...header }).sign(privateKey);
  };
  return {
    issuer: origin,
    jwksUri: `${origin}/jwks.json`,
    audience,
    fetches: () => fetches,
    addKey,
    removeKey: (kid) => void published.delete(kid),
    publicJwk: (kid) => keyOf(kid).jwk,
    publicPem: (kid) => exportSPKI(keyOf(kid).publicKey),
    signText,
    sign(claims, header) {
      const seconds = Math.floor(now() / 1000);
      const common = { iss: origin, aud: audience, iat: seconds, exp: seconds + 300 };
      return signText(JSON.stringify({ ...common, ...claims }), header);
    },
    answerWith: (next) => {
      answer = next;
    },
    stop: () => server.close(),
    async start() {
      server = await listen(port);
    },
  };
}
