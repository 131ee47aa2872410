import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const dist = new URL('../../portal/dist/', import.meta.url);
type Chunk = {
  file: string;
  css?: string[];
  imports?: string[];
  dynamicImports?: string[];
  isEntry?: boolean;
};
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

const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry) ?? '';
const shell = 'src/app/shell.tsx';
const pages = Object.keys(manifest).filter((key) => /^src\/pages\/[^/]+\/page\.tsx$/.test(key));
const lone = ['sign-in', 'invitation', 'reset-password'].map((name) => `src/pages/${name}/page.tsx`);

/** Everything that is fetched before a page is there. */
function filesOf(page: string) {
  const keys = [entry, ...(lone.includes(page) ? [] : [shell]), page];
  const chunks = [...new Set(keys.flatMap((key) => [...closureOf(key)]))].map((key) => manifest[key]);
  return {
    scripts: chunks.map((chunk) => chunk?.file ?? ''),
    styles: [...new Set(chunks.flatMap((chunk) => chunk?.css ?? []))],
  };
}

const sum = (files: string[]) => files.map(bytesOf).reduce((total, bytes) => total + bytes, 0);
const textOf = (files: string[]) => files.map((file) => readFileSync(new URL(file, dist), 'utf8')).join('\n');

/** The pages that people open first. */
const firstPages = ['src/pages/sign-in/page.tsx', 'src/pages/overview/page.tsx'];

it.each(firstPages)(
  'has at most 200 kB of script and 20 kB of styles, compressed, before %s is there',
  (page) => {
    expect(pages).toContain(page);
    const { scripts, styles } = filesOf(page);
    expect(sum(scripts)).toBeLessThanOrEqual(200_000);
    expect(sum(styles)).toBeLessThanOrEqual(20_000);
  },
);

it.each(pages)('has at most 225 kB of script and 25 kB of styles, compressed, before %s is there', (page) => {
  const { scripts, styles } = filesOf(page);
  expect(sum(scripts)).toBeLessThanOrEqual(225_000);
  expect(sum(styles)).toBeLessThanOrEqual(25_000);
});

const mantineClasses = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));
const packages = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const mantine = mantineClasses(readFileSync(join(packages, '@mantine', 'core', 'styles.layer.css'), 'utf8'));

it.each(pages)('%s has the styles of every component that it shows', (page) => {
  const { scripts, styles } = filesOf(page);
  const styled = mantineClasses(textOf(styles));
  const named = [...mantineClasses(textOf(scripts))].filter((name) => mantine.has(name));
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !styled.has(name))).toEqual([]);
});

it('sends no style of a component that the portal does not have', () => {
  const names = readdirSync(new URL('assets/', dist)).map((name) => `assets/${name}`);
  const named = mantineClasses(textOf(names.filter((name) => name.endsWith('.js'))));
  const styled = mantineClasses(textOf(names.filter((name) => name.endsWith('.css'))));
  expect([...styled].filter((name) => !named.has(name))).toEqual([]);
});

it('splits the portal by page', () => {
  const first = [...closureOf(entry)];
  expect(first.filter((key) => pages.includes(key) || key === shell)).toEqual([]);
  expect(pages).toHaveLength(15);
});

it('has hashed names, and compressed copies of all that is not tiny', () => {
  const names = readdirSync(new URL('assets/', dist));
  const plain = names.filter((name) => !/\.(br|gz)$/.test(name));
  expect(plain.filter((name) => !/-[\w-]{8}\.(js|css|svg)$/.test(name))).toEqual([]);
  const large = plain.filter((name) => statSync(new URL(`assets/${name}`, dist)).size >= 1000);
  expect(large.filter((name) => !names.includes(`${name}.br`) || !names.includes(`${name}.gz`))).toEqual([]);
});
