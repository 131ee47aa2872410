#!/usr/bin/env node
import { existsSync } from 'node:fs';

const built = ['../dist/main.js', '../../portal/dist/index.html'].map(
  (path) => new URL(path, import.meta.url),
);

if (!built.every((file) => existsSync(file))) {
  process.stderr.write(
    'portico: nothing is built here: run npm ci && npm run build, or start what npm run release made\n',
  );
  process.exit(1);
}
await import('../dist/main.js');
