import { wrongUsage } from './failure.ts';

export type Target = { method: string; path: string; query: string };

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * What is signed is what a URL parser makes of the path, because that is what HTTP clients send: spaces and letters
 * outside ASCII encoded, dot segments resolved.
 */
export function parseTarget(method: string, pathAndQuery: string): Target {
  const verb = method.toUpperCase();
  if (!methods.has(verb)) throw wrongUsage(`METHOD must be one of ${[...methods].join(', ')}`);
  const text = pathAndQuery.replaceAll('#', '%23');
  const url = text.startsWith('/api/') ? new URL(text, 'http://target') : undefined;
  if (url === undefined || !url.pathname.startsWith('/api/')) {
    throw wrongUsage('PATH must begin with /api/: what stands before it belongs in PORTICO_URL');
  }
  return { method: verb, path: url.pathname, query: url.search.slice(1) };
}

export const requestPath = ({ path, query }: Target) => (query === '' ? path : `${path}?${query}`);
