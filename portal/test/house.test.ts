import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { portalPaths } from '../../server/src/resources/portal/routes.ts';
import { circlesOf } from '../../server/test/support/circles.ts';

const root = fileURLToPath(new URL('../src/', import.meta.url));
const order = ['words', 'ui', 'session', 'list', 'pages', 'app'];

const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const imports = sources.flatMap(({ path, text }) =>
  [...text.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, target = '']) => ({
    from: path,
    to: normalize(join(dirname(path), target)),
  })),
);

const layerOf = (path: string) =>
  path.includes('/') ? order.indexOf(path.split('/')[0] ?? '') : order.length;
const roomOf = (path: string) => path.split('/').slice(0, 2).join('/');

describe('the portal', () => {
  it('has imports that only point down', () => {
    expect(imports.filter(({ from, to }) => layerOf(to) > layerOf(from))).toEqual([]);
  });

  it('has no circle of imports', () => {
    expect(circlesOf(imports)).toEqual([]);
  });

  it('has pages that never import one another', () => {
    const inPages = imports.filter(({ from, to }) => from.startsWith('pages/') && to.startsWith('pages/'));
    expect(inPages.filter(({ from, to }) => roomOf(from) !== roomOf(to))).toEqual([]);
  });

  it('talks to the service through the SDK alone', () => {
    const others = sources.filter(({ text }) => /\bfetch\(|XMLHttpRequest|\/web\/v1/.test(text));
    expect(others.map(({ path }) => path)).toEqual([]);
  });

  it('puts no HTML together from texts', () => {
    expect(sources.filter(({ text }) => /dangerouslySetInnerHTML|innerHTML/.test(text))).toEqual([]);
  });

  it('has files of at most 300 lines', () => {
    expect(sources.filter(({ text }) => text.split('\n').length > 301).map(({ path }) => path)).toEqual([]);
  });

  it('has the addresses that the service serves', () => {
    const routes = sources.find(({ path }) => path === 'app/pages.ts')?.text ?? '';
    const paths = [...routes.matchAll(/^ {2}(?:page|openPage)\('([^']+)'/gm)].map(([, path]) => path);
    expect(['/', '/sign-in', ...paths]).toEqual(portalPaths);
  });
});
