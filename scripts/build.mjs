import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root));

/** In the order in which they need one another. */
const packages = ['sdk', 'server', 'cli'];

const changedMs = (name) => statSync(new URL(name, root)).mtimeMs;

function newestMs(directory) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Math.max(...files.map((file) => statSync(`${file.parentPath}/${file.name}`).mtimeMs));
}

/** Whether a source, a setting of the compiler or a dependency is newer than what was built. */
function isStale(name, source, stamp) {
  if (!existsSync(stamp)) return true;
  const settings = ['tsconfig.base.json', `${name}/tsconfig.json`, 'package-lock.json'].map(changedMs);
  return Math.max(newestMs(source), ...settings) > statSync(stamp).mtimeMs;
}

function buildPackage(name) {
  const [source, output] = ['src', 'dist'].map((folder) => new URL(`${name}/${folder}/`, root));
  const stamp = new URL('.built', output);
  if (!isStale(name, source, stamp)) return;
  process.stdout.write(`building ${name}\n`);
  rmSync(output, { recursive: true, force: true });
  const project = fileURLToPath(new URL(`${name}/tsconfig.json`, root));
  const { status } = spawnSync(process.execPath, [compiler, '-p', project], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  cpSync(source, output, {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || path.endsWith('.sql'),
  });
  writeFileSync(stamp, '');
}

/** Builds what is not built yet: TypeScript by its compiler, SQL by copying it beside. */
export function build() {
  for (const name of packages) buildPackage(name);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build();
