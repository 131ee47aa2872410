import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));

/** What runs, what installs, and what an operator reads. No source, no test, no compiler. */
const parts = [
  ...[
    'package.json',
    'package-lock.json',
    'README.md',
    'CHANGELOG.md',
    'LICENSE',
    'docs',
    'scripts/start.mjs',
  ],
  ...['server/package.json', 'server/bin', 'server/dist', 'cli/package.json', 'cli/bin', 'cli/dist'],
  ...['sdk/package.json', 'sdk/dist', 'portal/package.json', 'portal/dist'],
];

/** Everything but the dependencies. */
export function copyRelease(target) {
  for (const part of parts) {
    mkdirSync(dirname(join(target, part)), { recursive: true });
    cpSync(join(root, part), join(target, part), { recursive: true });
  }
}

function release() {
  const target = join(root, 'dist/portico');
  build();
  rmSync(target, { recursive: true, force: true });
  copyRelease(target);
  // The portal is built: what it was built from is not needed again.
  const wanted = ['--omit=dev', '--workspace=server', '--workspace=cli', '--workspace=sdk'];
  const { status } = spawnSync('npm', ['ci', ...wanted, '--no-audit', '--no-fund'], {
    cwd: target,
    stdio: 'inherit',
  });
  if (status === 0) process.stdout.write(`${target} is ready: ship it whole\n`);
  process.exit(status ?? 1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) release();
