import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { circlesOf } from './support/circles.ts';

const root = fileURLToPath(new URL('../src/', import.meta.url));

/** Who may import whom: a layer and the layers below it. Files directly in src/ are the top and may import everything. */
const below: Record<string, string[]> = {
  admin: ['auth', 'channels', 'files', 'transfers', 'mail', 'config', 'contract', 'log', 'db'],
  resources: [
    'auth',
    'requests',
    'files',
    'transfers',
    'channels',
    'demo',
    'events',
    'delivery',
    'mail',
    'storage',
    'scan',
    'limits',
    'outbound',
    'config',
    'contract',
    'log',
    'db',
  ],
  files: [],
  transfers: ['contract', 'log', 'db'],
  channels: ['contract', 'log', 'db'],
  demo: ['storage', 'db'],
  auth: [
    'requests',
    'channels',
    'mail',
    'storage',
    'scan',
    'limits',
    'outbound',
    'config',
    'contract',
    'log',
    'db',
    'queue',
  ],
  delivery: ['channels', 'events', 'mail', 'outbound', 'config', 'contract', 'log', 'db'],
  mail: ['config', 'contract', 'db'],
  events: ['contract', 'log', 'db'],
  storage: ['contract', 'db'],
  scan: ['db'],
  limits: ['config', 'contract', 'queue'],
  requests: ['db', 'queue'],
  outbound: ['contract'],
  config: ['contract', 'db'],
  contract: ['log', 'db', 'queue'],
  log: ['db'],
  db: ['queue'],
  queue: [],
};

const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const importsOf = ({ path, text }: (typeof sources)[number]) =>
  [...text.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, target = '']) =>
    normalize(join(dirname(path), target)),
  );

const layerOf = (path: string) =>
  path === 'config.ts' ? 'config' : path.includes('/') ? (path.split('/')[0] ?? '') : 'top';

describe('the house', () => {
  it('has imports that only point down', () => {
    const wrong = sources.flatMap((source) => {
      const layer = layerOf(source.path);
      if (layer === 'top') return [];
      return importsOf(source)
        .filter((target) => layerOf(target) !== layer && !below[layer]?.includes(layerOf(target)))
        .map((target) => `${source.path} -> ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it('has no circle of imports', () => {
    const imports = sources.flatMap((source) => importsOf(source).map((to) => ({ from: source.path, to })));
    expect(circlesOf(imports)).toEqual([]);
    const circle = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'c', to: 'b' },
    ];
    expect(circlesOf(circle)).toEqual(['b -> c -> b']);
  });

  it('has resources that never import one another', () => {
    const roomOf = (path: string) => path.split('/').slice(0, 2).join('/');
    const wrong = sources
      .filter(({ path }) => path.startsWith('resources/'))
      .flatMap((source) =>
        importsOf(source)
          .filter((target) => target.startsWith('resources/') && roomOf(target) !== roomOf(source.path))
          .map((target) => `${source.path} -> ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  it('has no SQL in routes and no HTTP in queries', () => {
    const routes = sources.filter(({ path }) => path.endsWith('/routes.ts') && !path.includes('/probes/'));
    expect(routes.filter(({ text }) => text.includes('sql`')).map(({ path }) => path)).toEqual([]);
    const queries = sources.filter(({ path }) => path.endsWith('/queries.ts') || path.startsWith('db/'));
    expect(
      queries.filter(({ text }) => /from 'fastify'|api-error|envelope/.test(text)).map(({ path }) => path),
    ).toEqual([]);
  });

  it('reads its settings in main.ts alone; the embedded database asks the system where things are', () => {
    const readers = sources.filter(({ text }) => text.includes('process.env'));
    const others = readers
      .filter(({ path }) => path !== 'main.ts')
      .flatMap(({ path, text }) =>
        [...text.matchAll(/process\.env(\['\w+'\])?/g)].map(([, name]) => `${path} ${name}`),
      );
    expect(others.sort()).toEqual([
      "db/embedded/account.ts ['PATH']",
      "db/embedded/socket-directory.ts ['XDG_RUNTIME_DIR']",
    ]);
  });

  it('has one error handler', () => {
    expect(sources.filter(({ text }) => text.includes('setErrorHandler')).map(({ path }) => path)).toEqual([
      'contract/http.ts',
    ]);
  });

  it('has files of at most 300 lines', () => {
    expect(sources.filter(({ text }) => text.split('\n').length > 301).map(({ path }) => path)).toEqual([]);
  });
});
