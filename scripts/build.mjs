import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const source = new URL('server/src/', root);
const output = new URL('server/dist/', root);
const stamp = new URL('.built', output);

function newestMs(directory) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return Math.max(
    ...entries
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(`${entry.parentPath}/${entry.name}`).mtimeMs),
  );
}

/** Whether a source, a setting of the compiler or a dependency is newer than what was built. */
function isStale() {
  if (!existsSync(stamp)) return true;
  const inputs = ['tsconfig.base.json', 'server/tsconfig.json', 'package-lock.json'].map(
    (name) => statSync(new URL(name, root)).mtimeMs,
  );
  return Math.max(newestMs(source), ...inputs) > statSync(stamp).mtimeMs;
}

/** Builds the server where that is needed: TypeScript by its compiler, SQL by copying it beside. */
export function build() {
  if (!isStale()) return;
  rmSync(output, { recursive: true, force: true });
  const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root));
  const { status } = spawnSync(
    process.execPath,
    [compiler, '-p', fileURLToPath(new URL('server/tsconfig.json', root))],
    { stdio: 'inherit' },
  );
  if (status !== 0) process.exit(status ?? 1);
  cpSync(source, output, {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || path.endsWith('.sql'),
  });
  writeFileSync(stamp, '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build();
