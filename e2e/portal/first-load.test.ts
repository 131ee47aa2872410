import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';

const dist = new URL('../../portal/dist/', import.meta.url);
type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; isEntry?: boolean };
const manifest: Record<string, Chunk> = JSON.parse(
  readFileSync(new URL('.vite/manifest.json', dist), 'utf8'),
);

/** A chunk and everything it imports before it runs. */
function closureOf(key: string, known = new Set<string>()): Set<string> {
  if (known.has(key)) return known;
  known.add(key);
  for (const each of manifest[key]?.imports ?? []) closureOf(each, known);
  return known;
}

/** As Brotli, which is what browsers get. */
function bytesOf(file: string): number {
  const compressed = new URL(`${file}.br`, dist);
  return statSync(existsSync(compressed) ? compressed : new URL(file, dist)).size;
}

function firstLoadBytes(...keys: string[]): number {
  const chunks = new Set(keys.flatMap((key) => [...closureOf(key)]));
  return [...chunks].map((key) => bytesOf(manifest[key]?.file ?? '')).reduce((sum, bytes) => sum + bytes, 0);
}

const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry) ?? '';
const shell = 'src/app/shell.tsx';
const pages = Object.keys(manifest).filter((key) => /^src\/pages\/[^/]+\/page\.tsx$/.test(key));

it('has at most 180 kB of compressed script before the first page is there', () => {
  const signIn = firstLoadBytes(entry, 'src/pages/sign-in/page.tsx');
  expect(signIn).toBeLessThanOrEqual(180_000);
});

it.each(pages)('has at most 250 kB of compressed script before %s is there', (page) => {
  expect(firstLoadBytes(entry, shell, page)).toBeLessThanOrEqual(250_000);
});

it('splits the portal by page', () => {
  const first = [...closureOf(entry)];
  expect(first.filter((key) => pages.includes(key) || key === shell)).toEqual([]);
  expect(pages).toHaveLength(12);
});

it('has hashed names, and compressed copies of all that is not tiny', () => {
  const names = readdirSync(new URL('assets/', dist));
  const plain = names.filter((name) => !/\.(br|gz)$/.test(name));
  expect(plain.filter((name) => !/-[\w-]{8}\.(js|css|svg)$/.test(name))).toEqual([]);
  const large = plain.filter((name) => statSync(new URL(`assets/${name}`, dist)).size >= 1000);
  expect(large.filter((name) => !names.includes(`${name}.br`) || !names.includes(`${name}.gz`))).toEqual([]);
});
