#!/usr/bin/env node
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
const needed = ['sdk/dist/index.js', 'server/dist/operate.js'].map(
  (path) => new URL(`../../${path}`, import.meta.url),
);
const isWorkspace = existsSync(new URL('../../sdk/src/', import.meta.url));

if (!existsSync(main) || (isWorkspace && !needed.every((path) => existsSync(path)))) {
  process.stderr.write('portico: not built yet: run npm run build in the repository\n');
  process.exitCode = 1;
} else {
  await import(main.href);
}
