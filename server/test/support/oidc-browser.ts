import type { LightMyRequestResponse } from 'fastify';
import type { World } from '../world.ts';

export const startUrl = '/web/v1/auth/oidc/start';
export const callbackUrl = '/web/v1/auth/oidc/callback';

export const settingOf = (issuer: string, client: { clientId: string; clientSecret: string }) => ({
  PORTICO_OIDC: JSON.stringify({ issuer, ...client, label: 'Example ID' }),
});

export const cookiesOf = (response: LightMyRequestResponse): string[] =>
  [response.headers['set-cookie'] ?? []].flat();

/** The value that a browser would send back, by the name of the cookie. */
export function cookieOf(response: LightMyRequestResponse, name: string): string {
  const line = cookiesOf(response).find((each) => each.startsWith(`${name}=`)) ?? '';
  return line.split(';')[0] ?? '';
}

export const locationOf = (response: LightMyRequestResponse): string => String(response.headers.location);

/** Begins a sign-in: where it leads, and the cookie that belongs to it. */
export async function begin(world: World, query = '') {
  const response = await world.app.inject(`${world.services.config.basePath}${startUrl}${query}`);
  return { response, location: locationOf(response), cookie: cookiesOf(response)[0]?.split(';')[0] ?? '' };
}

/** Comes back to where a provider sends. */
export function comeBack(world: World, address: string, cookie: string): Promise<LightMyRequestResponse> {
  const { pathname, search } = new URL(address, world.services.config.publicUrl);
  return world.app.inject({ url: `${pathname}${search}`, headers: cookie === '' ? {} : { cookie } });
}
