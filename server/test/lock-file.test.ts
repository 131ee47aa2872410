import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');
type Entry = { optionalDependencies?: Record<string, string>; resolved?: string };
const { packages } = JSON.parse(text) as { packages: Record<string, Entry> };

/** Where node would find a package from inside another: beside it, or further up. */
function isLocked(name: string, from: string): boolean {
  const at = from.lastIndexOf('/node_modules/');
  const above = from === '' ? undefined : at === -1 ? '' : from.slice(0, at);
  if (packages[`${from === '' ? '' : `${from}/`}node_modules/${name}`] !== undefined) return true;
  return above !== undefined && isLocked(name, above);
}

describe('package-lock.json', () => {
  it('has the packages of every platform, without which npm ci refuses it', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !isLocked(name, path))
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('names no registry, so that each installs from its own', () => {
    const hosts = Object.values(packages)
      .map(({ resolved }) => resolved)
      .filter((resolved) => resolved?.includes('//'));
    expect(hosts).toEqual([]);
  });
});
