import type { Answer } from '../raw-http.ts';
import type { World } from '../world.ts';
import type { HostileRequest } from './requests.ts';

type Described = { content: Record<string, { examples?: object }> };
type Operation = { responses: Record<string, { $ref?: string }> };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Described> };
};

/** Told where no operation was reached, by whatever path the router then read. */
const unreached = ['4041', '4050'];

const patternOf = (path: string) =>
  new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);

/** Holds every answer to the operation that described it. */
export async function openDescription(world: World) {
  const document: Document = (await world.app.inject('/openapi.json')).json();
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ pattern: patternOf(path), method, operation })),
  );
  const codesOf = ({ $ref = '' }: { $ref?: string }) => {
    const { content } = document.components.responses[$ref.split('/').at(-1) ?? ''] ?? { content: {} };
    return Object.keys(content['application/json']?.examples ?? {});
  };
  const seen = new Set<string>();
  return {
    /** Operations and codes that were answered, to see how far the requests reached. */
    seen,
    faultOf({ method, target }: HostileRequest, { status, text }: Answer): string | undefined {
      const asked = method === 'HEAD' ? 'get' : method.toLowerCase();
      const path = target.split(/[?#]/, 1)[0] ?? '';
      const found = operations.find((each) => each.method === asked && each.pattern.test(path));
      const code = text === '' ? undefined : JSON.parse(text).code;
      // The answer to a HEAD has no code: that of a redirect is 405.
      const isReached = code === undefined ? status !== 405 : !unreached.includes(code);
      if (found === undefined || !isReached) return undefined;
      const response = found.operation.responses[status];
      if (response === undefined) return `${asked} ${path} does not describe the status ${status}`;
      if (status >= 400 && code !== undefined && !codesOf(response).includes(code))
        return `${asked} ${path} does not describe the code ${code}`;
      seen.add(`${found.method} ${found.pattern.source} ${code}`);
      return undefined;
    },
  };
}

export type Description = Awaited<ReturnType<typeof openDescription>>;
