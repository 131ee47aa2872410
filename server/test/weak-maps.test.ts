import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const sources = fileURLToPath(new URL('../src/', import.meta.url));
const isSource = (name: string) => name.endsWith('.ts') && !name.endsWith('.test.ts');

/** Every one of a file, with its types. */
function weakMapsOf(name: string): string[] {
  const text = readFileSync(join(sources, name), 'utf8');
  return [...text.matchAll(/new WeakMap(<[^(]*>)?\(/g)].map(([, types = '']) => `${name} ${types}`);
}

/** By a key that lives as long as the process, or with a value that leads to nothing else. */
const harmless = [
  'contract/http.ts <IncomingMessage, ErrorCode>',
  'contract/outages.ts <object, Map<string, { atMs: number; unsaid: number }>>',
  'contract/served.ts <RouteHandlerMethod, Served>',
];

it('no WeakMap keeps what a request or a connection leads to from short collections', () => {
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(isSource);
  const found = names.map((name) => name.replaceAll('\\', '/')).flatMap(weakMapsOf);
  expect(found.sort()).toEqual(harmless);
});
