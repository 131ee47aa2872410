import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Bodies, Encoding } from '../../contract/negotiate.ts';

export type Asset = {
  /** As the portal's own pages name it. */
  name: string;
  type: string;
  etag: string;
  bodies: Bodies;
};

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const suffixes: readonly (readonly [Encoding, string])[] = [
  ['identity', ''],
  ['br', '.br'],
  ['gzip', '.gz'],
];

function readAsset(folder: URL, name: string, present: ReadonlySet<string>): Asset {
  const type = types[extname(name)];
  if (type === undefined) throw new Error(`portal/dist/assets/${name} is of a kind that is not served`);
  const found = suffixes.filter(([, suffix]) => present.has(`${name}${suffix}`));
  const bodies = Object.fromEntries(
    found.map(([encoding, suffix]) => [encoding, readFileSync(new URL(`${name}${suffix}`, folder))]),
  );
  const hash = createHash('sha256').update(bodies['identity'] as Buffer); // its suffix is empty, so it is always found
  return { name, type, etag: hash.digest('base64url').slice(0, 22), bodies };
}

/** A few dozen files, all of them known: they are read once, so that no request reaches the file system. */
export function readAssets(folder: URL): Asset[] {
  const present = new Set(readdirSync(folder));
  const names = [...present].filter((name) => !/\.(br|gz|map)$/.test(name));
  return names.map((name) => readAsset(folder, name, present));
}
