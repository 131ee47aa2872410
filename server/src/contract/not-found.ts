import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';

type Known = { pattern: RegExp; methods: Set<string> };

function patternOf(url: string): RegExp {
  const parts = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${parts.join('/')}$`);
}

/** Spelt as the router reads it. */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/]*/i, '').split(/[?#]/, 1)[0] ?? '';
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Tells a path that no endpoint has (4041) from a method that its endpoint does not take (4050). */
export function explainMissingRoutes(app: FastifyInstance): void {
  const known = new Map<string, Known>();
  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const name of [method].flat()) entry.methods.add(name);
    known.set(url, entry);
  });
  // In a hook and not in a handler, as what is not there is told before the body is looked at.
  app.addHook('onRequest', async (request: FastifyRequest) => {
    // The router takes any first character for the slash: *web/v1/errors is no path.
    if (!request.is404 && /^(\/|https?:)/i.test(request.url)) return;
    const path = pathOf(request.url);
    const methods = [...known.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((entry) => [...entry.methods]);
    if (methods.length === 0) throw new ApiError('4041', 'no endpoint has this path');
    const allow = [...new Set(methods)].sort().join(', ');
    throw new ApiError('4050', `this endpoint takes ${allow}`, { headers: { allow } });
  });
}
