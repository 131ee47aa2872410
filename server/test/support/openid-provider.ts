import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import { type Answer, listenOnLoopback } from './loopback.ts';

/** What it tells need not be what the standard says. */
type Identity = { sub: string; email?: unknown; email_verified?: unknown; name?: string };

export const client = { clientId: 'portico', clientSecret: 'a secret: 50 % of it' };

export type OpenIdProvider = {
  issuer: string;
  /** Who is signed in there; undefined: who says no. */
  become(identity: Identity | undefined): void;
  /** Signs with a new key from now on, and forgets the old one. */
  rotateKey(): Promise<void>;
  /** Instead of the provider; undefined gives it back. */
  answerWith(answer: Answer | undefined): void;
  /** What a browser does there: from the address it was sent to, to the one it is sent back to. */
  visit(url: string): Promise<string>;
  stop(): Promise<void>;
  start(): Promise<void>;
};

async function newKeys() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] };
}

/** Who asks is let in as the identity at once, and agrees to everything. */
function settingsOf(
  redirectUris: string[],
  jwks: Awaited<ReturnType<typeof newKeys>>,
  whoIs: () => Identity | undefined,
): Configuration {
  return {
    clients: [
      { client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: redirectUris },
    ],
    jwks,
    cookies: { keys: ['test'] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 60, Interaction: 60, Session: 600 },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...whoIs(), sub }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        accountId: oidc.session?.accountId ?? '',
        clientId: oidc.client?.clientId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
}

/** Keeps cookies as a browser would, and follows until it is sent elsewhere. */
async function followWithin(origin: string, start: string): Promise<string> {
  const jar = new Map<string, string>();
  let url = start;
  for (let hops = 0; url.startsWith(origin); hops += 1) {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null || hops > 9) throw new Error(`${response.status}: ${await response.text()}`);
    url = new URL(location, url).href;
  }
  return url;
}

/** A certified provider, on loopback. */
export async function startOpenIdProvider(redirectUris: string[]): Promise<OpenIdProvider> {
  let identity: Identity | undefined;
  let answer: Answer | undefined;
  let provider: Provider;
  const listen = (port?: number) =>
    listenOnLoopback(async (request, response) => {
      if (answer !== undefined) return answer(response);
      if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response);
      const result =
        identity === undefined
          ? { error: 'access_denied', error_description: 'no' }
          : { login: { accountId: identity.sub } };
      await provider.interactionFinished(request, response, result);
    }, port);
  let server = await listen();
  const { origin, port } = server;
  const rotateKey = async () => {
    provider = new Provider(
      origin,
      settingsOf(redirectUris, await newKeys(), () => identity),
    );
  };
  await rotateKey();
  return {
    issuer: origin,
    become: (next) => {
      identity = next;
    },
    rotateKey,
    answerWith: (next) => {
      answer = next;
    },
    visit: (url) => followWithin(origin, url),
    stop: () => server.close(),
    async start() {
      server = await listen(port);
    },
  };
}
