#!/usr/bin/env node
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);

if (!existsSync(main)) {
  process.stderr.write('portico: not built yet: run npm run build in the repository\n');
  process.exitCode = 1;
} else {
  await import(main.href);
}
