import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');
type Entry = {
  engines?: { node?: string };
  optionalDependencies?: Record<string, string>;
  resolved?: string;
};
const own = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  engines: { node: string };
};
const { packages } = JSON.parse(text) as { packages: Record<string, Entry> };

/** Where node would find a package from inside another: beside it, or further up. */
function isLocked(name: string, from: string): boolean {
  const at = from.lastIndexOf('/node_modules/');
  const above = from === '' ? undefined : at === -1 ? '' : from.slice(0, at);
  if (packages[`${from === '' ? '' : `${from}/`}node_modules/${name}`] !== undefined) return true;
  return above !== undefined && isLocked(name, above);
}

/** Whether a range of versions, in the forms that packages use, holds the first release of a line. */
function accepts(range: string, [major, minor]: [number, number]): boolean {
  return range.split('||').some((part) =>
    part
      .trim()
      .replace(/([<>=^~])\s+/g, '$1')
      .split(/\s+/)
      .every((term) => {
        const [, sign = '', first = '', second = '0'] =
          /^([<>=^~]*)v?(\d+|\*|x)?(?:\.(\d+|x))?/.exec(term) ?? [];
        if (first === '' || !/\d/.test(first)) return true;
        const distance = major - Number(first) || minor - (Number(second) || 0);
        if (sign === '^' || sign === '') return major === Number(first) && (sign === '' || distance >= 0);
        return sign.startsWith('<') ? distance < 0 : distance >= 0;
      }),
  );
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

  it('has no package that refuses a Node we support, the oldest of each line', () => {
    const oldest = [...own.engines.node.matchAll(/(\d+)(?:\.(\d+))?/g)].map(
      ([, major, minor = '0']): [number, number] => [Number(major), Number(minor)],
    );
    expect(oldest).toEqual([
      [20, 19],
      [22, 13],
      [24, 0],
    ]);
    const refusing = oldest.flatMap((version) =>
      Object.entries(packages)
        .filter(([, { engines }]) => !accepts(engines?.node ?? '*', version))
        .map(([path]) => `${path} on ${version.join('.')}`),
    );
    expect(refusing).toEqual([]);
  });

  it('names no registry, so that each installs from its own', () => {
    const hosts = Object.values(packages)
      .map(({ resolved }) => resolved)
      .filter((resolved) => resolved?.includes('//'));
    expect(hosts).toEqual([]);
  });
});
