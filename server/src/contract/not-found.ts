import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { accepts } from './negotiate.ts';

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

/** Below these, programs ask; whatever else a browser asks for is an address that a person has followed or typed. */
const programs = /^\/(web|api|assets|\.well-known)(\/|$)/;

/** Who names one of them is a program, whatever else it takes. */
const envelopes = ['application/json', 'application/problem+json'];

function isForPerson({ method, headers }: FastifyRequest, path: string, basePath: string): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    path.startsWith(`${basePath}/`) &&
    !programs.test(path.slice(basePath.length)) &&
    accepts(headers.accept, 'text/html') &&
    !envelopes.some((media) => accepts(headers.accept, media))
  );
}

/** Tells a path that no endpoint has (4041) from a method that its endpoint does not take (4050). A person is left to the not-found handler, which has a page for them. */
export function explainMissingRoutes(app: FastifyInstance, basePath: string): void {
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
    if (methods.length === 0 && request.is404 && isForPerson(request, path, basePath)) return;
    if (methods.length === 0) throw new ApiError('4041', 'no endpoint has this path');
    const allow = [...new Set(methods)].sort().join(', ');
    throw new ApiError('4050', `this endpoint takes ${allow}`, { headers: { allow } });
  });
}
