import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Where the library keeps the names of a component's classes. Its styles have the same name. */
const classNames = /@mantine\/core\/esm\/.*\.module\.mjs$/;
const styleOf = (file: string) => `@mantine/core/styles/${basename(file, '.module.mjs')}.layer.css`;

/** The other components that a file of a component is made of. */
function partsOf(file: string): string[] {
  const targets = readFileSync(file, 'utf8').matchAll(/^import .+ from "(\.[^"]+)";$/gm);
  const files = [...targets].map(([, target = '']) => join(dirname(file), target));
  return files.filter((each) => !each.includes('/core/esm/core/'));
}

/** The styles of a component, after those of all that it is made of: it overrides them. */
function stylesOf(names: string): string[] {
  const seen = new Set([names]);
  const styles: string[] = [];
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    if (classNames.test(file)) styles.push(styleOf(file));
    else partsOf(file).forEach(visit);
  };
  const folder = dirname(names);
  for (const name of readdirSync(folder)) if (name.endsWith('.mjs')) visit(join(folder, name));
  return [...styles, styleOf(names)];
}

/** The styles of each component of Mantine come with its code: all of them are 250 kB, of which most serve no page. */
export function mantineStyles(): Plugin {
  return {
    name: 'mantine-styles',
    transform: {
      filter: { id: classNames },
      handler: (code, id) => {
        const imports = stylesOf(id).map((style) => `import '${style}';\n`);
        return { code: `${imports.join('')}${code}`, map: null };
      },
    },
  };
}
