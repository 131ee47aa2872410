import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parts } from '../../bench/arguments.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

describe('ARCHITECTURE.md', () => {
  const page = read('ARCHITECTURE.md');

  it('shows the code of one read and one write as it is', () => {
    for (const file of ['transfers/collection.ts', 'transfers/routes.ts', 'api-keys/change.ts']) {
      expect(page).toContain(`\`\`\`ts\n${read(`server/src/resources/${file}`)}\`\`\``);
    }
  });

  it('names every resource and every folder of the server', () => {
    const entries = readdirSync(new URL('server/src/', root), { withFileTypes: true });
    for (const { name } of entries.filter((entry) => entry.isDirectory() && entry.name !== 'config'))
      expect(page).toContain(`${name}/`);
    for (const name of readdirSync(new URL('server/src/resources/', root))) expect(page).toContain(name);
  });
});

describe('the documents', () => {
  const pages = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'bench/README.md',
    ...readdirSync(new URL('docs/', root))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];

  it('link only to files that exist', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)/g)]
        .map(([, target = '']) => ({ page, target }))
        .filter(({ page: from, target }) => !existsSync(new URL(target, new URL(from, root)))),
    );
    expect(broken).toEqual([]);
  });

  it('name only files of this repository that exist', () => {
    const wrong = pages.flatMap((page) =>
      [...read(page).matchAll(/`((?:server|docs|scripts|bench|e2e)\/[\w./-]+)`/g)]
        .map(([, path = '']) => `${page}: ${path}`)
        .filter((entry) => !existsSync(new URL(entry.split(': ')[1] ?? '', root))),
    );
    expect(wrong).toEqual([]);
  });

  it('name only npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name),
    );
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  it('number the decisions without gaps, each with context, decision and consequences', () => {
    const names = readdirSync(new URL('docs/decisions/', root)).sort();
    names.forEach((name, index) => {
      const text = read(`docs/decisions/${name}`);
      expect(name).toMatch(new RegExp(`^${String(index + 1).padStart(4, '0')}-`));
      expect(text).toMatch(new RegExp(`^# ${index + 1}\\. `));
      for (const part of ['Context', 'Decision', 'Consequences']) expect(text).toContain(`**${part}.**`);
    });
  });
});

describe('docs/reliability.md', () => {
  const lines = read('docs/reliability.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| what was done'))
    .map((line) => line.slice(2, -2).split(' | '));
  const commands = lines.map((cells) => cells.at(-1) ?? '').filter((command) => command !== '–');
  const testFiles = ['server', 'sdk', 'cli', 'portal', 'e2e'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
      .map((path) => `${folder}/${path}`),
  );

  it('tells of each line what was done, how often, what is promised, what was measured and how to repeat it', () => {
    expect(lines.length).toBeGreaterThan(30);
    for (const cells of lines) expect([cells, cells.length, cells.includes('')]).toEqual([cells, 5, false]);
    const unproven = lines.filter(([, , , measured, repeat]) => repeat === '–' && measured !== '–');
    expect(unproven).toEqual([]);
  });

  it('repeats every line by test files, parts of the benchmark and scripts that exist', () => {
    const wrong = commands.filter((command) => {
      const [, names] = /^`npm test -- ([\w/ -]+)`$/.exec(command) ?? [];
      const [, chosen] = /^`npm run bench -- --only ([a-z,]+)`$/.exec(command) ?? [];
      if (names !== undefined)
        return !names.split(' ').every((name) => testFiles.some((path) => path.includes(name)));
      if (chosen !== undefined)
        return !chosen.split(',').every((name) => parts.some((part) => part === name));
      return !/^`npm run [\w:-]+`$/.test(command);
    });
    expect(wrong).toEqual([]);
  });
});
