import { wrongUsage } from './failure.ts';

export type Target = { method: string; path: string; query: string };

/**
 * What is signed is what a URL parser makes of the path, because that is what HTTP clients send: spaces and letters
 * outside ASCII encoded, dot segments resolved.
 */
export function parseTarget(method: string, pathAndQuery: string): Target {
  if (!/^[A-Za-z]{1,16}$/.test(method)) {
    throw wrongUsage('METHOD is missing: write portico call GET /api/v1/ping, for example');
  }
  if (!/^\/api\//.test(pathAndQuery)) {
    throw wrongUsage('PATH must begin with /api/: what stands before it belongs in PORTICO_URL');
  }
  const { pathname, search } = new URL(pathAndQuery.replaceAll('#', '%23'), 'http://target');
  return { method: method.toUpperCase(), path: pathname, query: search.slice(1) };
}

export const requestPath = ({ path, query }: Target) => (query === '' ? path : `${path}?${query}`);
