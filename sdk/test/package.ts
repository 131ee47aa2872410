import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOnce } from '../../server/test/service-process.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Throws what the compiler says. */
export function compile(...args: string[]): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout);
}

export type Installed = {
  /** An otherwise empty project. */
  folder: string;
  dist: string;
  command: string;
  /** Paths inside each package. */
  files: Record<string, string[]>;
  remove(): void;
};

type Packed = { name: string; filename: string; files: { path: string }[] };

/** Both packages as their users have them: packed, and installed without a network into an empty project. */
export function installPackages(): Installed {
  buildOnce();
  const base = mkdtempSync(join(tmpdir(), 'portico-packages-'));
  const folder = join(base, 'project');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "name": "empty", "private": true }');
  const npm = (cwd: string, ...args: string[]) =>
    execFileSync('npm', [...args, '--ignore-scripts', '--cache', join(base, 'cache')], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const packed: Packed[] = JSON.parse(
    npm(root, 'pack', '--workspace=sdk', '--workspace=cli', '--json', '--pack-destination', base),
  );
  const tarballs = packed.map(({ filename }) => join(base, filename));
  npm(folder, 'install', '--offline', '--no-audit', '--no-fund', ...tarballs);
  return {
    folder,
    dist: join(folder, 'node_modules/@portico/sdk/dist'),
    command: join(folder, 'node_modules/.bin/portico'),
    files: Object.fromEntries(packed.map(({ name, files }) => [name, files.map(({ path }) => path)])),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}
