import { CompactSign, exportJWK, generateKeyPair, type JWTHeaderParameters, UnsecuredJWT } from 'jose';
import { type Answer, answerJson, listenOnLoopback, readText } from './loopback.ts';

type Signer = 'itself' | 'stranger' | 'nobody';
type Claims = Record<string, unknown>;
type Path = '/.well-known/openid-configuration' | '/jwks' | '/token';

export const liar = { clientId: 'portico', clientSecret: 'liar' };

export type LyingProvider = {
  issuer: string;
  /** What its next ID token says beside the truth, and how that is signed. */
  lie(claims: Claims, header?: Partial<JWTHeaderParameters>, signer?: Signer): void;
  /** What it tells of itself beside the truth. */
  describeAs(metadata: Claims): void;
  answerWith(path: Path, answer: Answer | undefined): void;
  /** Comes back as it would after a sign-in. */
  backFrom(location: string): string;
  /** Forms that were sent to its token endpoint. */
  forms: URLSearchParams[];
  stop(): Promise<void>;
  start(): Promise<void>;
};

/** A provider made by hand, as no honest one can be made to say these things. */
export async function startLyingProvider(): Promise<LyingProvider> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const stranger = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' };
  const answers = new Map<string, Answer>();
  const forms: URLSearchParams[] = [];
  let lies: { claims: Claims; header: Partial<JWTHeaderParameters>; signer: Signer };
  let metadata: Claims = {};
  let nonce: string | null = '';
  const tokenOf = async () => {
    const seconds = Math.floor(Date.now() / 1000);
    const { claims, header, signer } = lies;
    const truth = { iss: origin, aud: liar.clientId, sub: 'owner-8', nonce, iat: seconds, exp: seconds + 60 };
    const all = { ...truth, ...claims };
    if (signer === 'nobody') return new UnsecuredJWT(all).encode();
    return new CompactSign(Buffer.from(JSON.stringify(all)))
      .setProtectedHeader({ alg: 'ES256', kid: 'k1', ...header })
      .sign(signer === 'stranger' ? stranger.privateKey : privateKey);
  };
  const describe = () => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/jwks`,
    id_token_signing_alg_values_supported: ['ES256', 'none', 'HS256'],
    ...metadata,
  });
  const listen = (port?: number) =>
    listenOnLoopback(async (request, response) => {
      const path = request.url ?? '';
      if (path === '/token') forms.push(new URLSearchParams(await readText(request)));
      const own = answers.get(path);
      if (own !== undefined) return own(response);
      if (path === '/jwks') return answerJson({ keys: [jwk] })(response);
      if (path !== '/token') return answerJson(describe())(response);
      return answerJson({ access_token: 'x', token_type: 'Bearer', id_token: await tokenOf() })(response);
    }, port);
  const lie: LyingProvider['lie'] = (claims, header = {}, signer = 'itself') => {
    lies = { claims, header, signer };
  };
  lie({});
  let server = await listen();
  const { origin, port } = server;
  return {
    issuer: origin,
    forms,
    lie,
    describeAs: (next) => {
      metadata = next;
    },
    answerWith: (path, answer) => void (answer ? answers.set(path, answer) : answers.delete(path)),
    backFrom(location) {
      const { searchParams } = new URL(location);
      nonce = searchParams.get('nonce');
      const query = new URLSearchParams({ code: 'c', state: searchParams.get('state') ?? '' });
      return `${searchParams.get('redirect_uri')}?${query}`;
    },
    stop: () => server.close(),
    async start() {
      server = await listen(port);
    },
  };
}
