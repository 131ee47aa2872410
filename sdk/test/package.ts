import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Throws what the compiler says. */
export function compile(...args: string[]): void {
  const { status, stdout } = spawnSync(
    process.execPath,
    [pathOf('node_modules/typescript/bin/tsc'), ...args],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stdout);
}

export type Package = { folder: string; dist: string; remove(): void };

/** The package as its users have it, built from the present sources, in a folder whose scripts can import it. */
export function installPackage(): Package {
  const folder = mkdtempSync(join(tmpdir(), 'portico-sdk-'));
  const target = join(folder, 'node_modules/@portico/sdk');
  const dist = join(target, 'dist');
  mkdirSync(target, { recursive: true });
  cpSync(pathOf('sdk/package.json'), join(target, 'package.json'));
  compile('-p', pathOf('sdk/tsconfig.json'), '--outDir', dist);
  return { folder, dist, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
