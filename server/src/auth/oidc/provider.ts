import type { JWTVerifyGetKey } from 'jose';
import * as client from 'openid-client';
import { isExposed, type OpenIdConnect } from '../../config/values.ts';
import { restrained } from '../../limits/restrained.ts';
import { askService, NoAnswer } from '../../outbound/outbound.ts';
import { bridgedKeys } from '../portal/outside-issuers.ts';
import { leewaySeconds } from '../portal/token-times.ts';

const patience = { timeoutMs: 3000, bytesMax: 256 * 1024 };
const attempts = 2;
const freshMs = 600_000;
const cooldownMs = 5000;

/** What the provider tells of itself, and the keys that it signs with. */
type Known = { configuration: client.Configuration; key: JWTVerifyGetKey };

export type Provider = { known(): Promise<Known> };

const ask: client.CustomFetch = async (url, { method, headers, body }) => {
  const init = { method, headers, ...(body === undefined ? {} : { body: body as RequestInit['body'] & {} }) }; // forms, as text
  const answer = await askService(url, init, patience);
  if (answer.status >= 500) throw new NoAnswer(`status ${answer.status}`);
  return new Response(answer.text || null, answer);
};

/** The secret in the header, as every provider has to take it, unless it says that it takes forms alone. */
function authentication(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? [];
    const takesFormsAlone =
      methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    return (takesFormsAlone ? post : basic)(server, ...rest);
  };
}

async function discover({ issuer, clientId, clientSecret }: OpenIdConnect): Promise<client.Configuration> {
  const isPlain = issuer.startsWith('http:');
  const found = await client.discovery(
    new URL(issuer),
    clientId,
    { [client.clockTolerance]: leewaySeconds },
    authentication(clientSecret),
    { [client.customFetch]: ask, execute: isPlain ? [client.allowInsecureRequests] : [] },
  );
  const {
    issuer: name,
    authorization_endpoint,
    token_endpoint,
    jwks_uri,
    userinfo_endpoint,
  } = found.serverMetadata();
  // The library forgives a slash at the end; accounts are bound to the very letters.
  if (name !== issuer) throw new NoAnswer('the provider calls itself by another name than PORTICO_OIDC does');
  const needed = [authorization_endpoint, token_endpoint, jwks_uri];
  const isSafe = (url: unknown) =>
    typeof url === 'string' && URL.canParse(url) && /^https?:/i.test(url) && !isExposed(url);
  if (![...needed, userinfo_endpoint ?? issuer].every(isSafe))
    throw new NoAnswer('the provider names no endpoints, or such that could be listened to');
  return found;
}

async function discoverAgain(settings: OpenIdConnect): Promise<client.Configuration> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await discover(settings);
    } catch (error) {
      if (attempt === attempts) throw error;
    }
  }
}

/** Asked for when someone signs in first, never at start: a provider that is away stops nothing else. */
export function openProvider(settings: OpenIdConnect, now: () => number): Provider {
  let known: (Known & { jwksUri: string; atMs: number }) | undefined;
  const refetch = restrained(cooldownMs, now, async () => {
    const configuration = await discoverAgain(settings);
    const jwksUri = configuration.serverMetadata().jwks_uri ?? '';
    // The keys age by themselves, and are fetched anew when there is one that nobody knows.
    const key = known?.jwksUri === jwksUri ? known.key : bridgedKeys(jwksUri, now);
    known = { configuration, key, jwksUri, atMs: now() };
  });
  return {
    async known() {
      if (known === undefined) {
        await refetch().catch((error: unknown) => {
          throw new NoAnswer('the provider cannot be found', { cause: error });
        });
      } else if (now() - known.atMs > freshMs) {
        // Nobody waits for what rarely changes.
        void refetch().catch(() => {});
      }
      if (known === undefined) throw new NoAnswer('the provider did not answer a moment ago');
      return known;
    },
  };
}
