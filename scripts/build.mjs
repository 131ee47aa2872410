import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const root = new URL('../', import.meta.url);
const inRoot = (path) => fileURLToPath(new URL(path, root));
const compiler = inRoot('node_modules/typescript/bin/tsc');
const bundler = inRoot('node_modules/vite/bin/vite.js');

/** In the order in which they need one another. */
const packages = ['sdk', 'server', 'cli'];

/** What runs as it is written. */
const copied = /\.(sql|cjs)$/;

const changedMs = (name) => statSync(new URL(name, root)).mtimeMs;

function newestMs(directory) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Math.max(...files.map((file) => statSync(`${file.parentPath}/${file.name}`).mtimeMs));
}

/** Whether a source, a setting of the compiler or a dependency is newer than what was built. */
function isStale(sources, settings, stamp) {
  if (!existsSync(stamp)) return true;
  const newest = Math.max(...sources.map(newestMs), ...settings.map(changedMs));
  return newest > statSync(stamp).mtimeMs;
}

function run(name, script, args) {
  process.stdout.write(`building ${name}\n`);
  const { status } = spawnSync(process.execPath, [script, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    // What is built is what is served, also when tests build it.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) process.exit(status ?? 1);
}

function buildPackage(name) {
  const [source, output] = ['src', 'dist'].map((folder) => new URL(`${name}/${folder}/`, root));
  const stamp = new URL('.built', output);
  const settings = ['tsconfig.base.json', `${name}/tsconfig.json`, 'package-lock.json'];
  if (!isStale([source], settings, stamp)) return;
  rmSync(output, { recursive: true, force: true });
  run(name, compiler, ['-p', inRoot(`${name}/tsconfig.json`)]);
  cpSync(source, output, {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || copied.test(path),
  });
  writeFileSync(stamp, '');
}

/** Once here instead of at every request; what is already small is left alone. */
function compress(folder) {
  for (const name of readdirSync(folder)) {
    const path = new URL(name, folder);
    const plain = readFileSync(path);
    if (plain.length < 512) continue;
    writeFileSync(new URL(`${name}.br`, folder), brotliCompressSync(plain));
    writeFileSync(new URL(`${name}.gz`, folder), gzipSync(plain, { level: 9 }));
  }
}

function buildPortal() {
  const output = new URL('portal/dist/', root);
  const stamp = new URL('.built', output);
  const sources = ['portal/src/', 'sdk/src/', 'examples/'].map((folder) => new URL(folder, root));
  const settings = [
    'portal/index.html',
    'portal/vite.config.ts',
    'docs/signing-vectors.json',
    'package-lock.json',
  ];
  if (!isStale(sources, settings, stamp)) return;
  // Beside, and moved when it is whole: a server that starts meanwhile, or a second build, finds no half of it.
  const beside = new URL(`portal/.dist-${process.pid}/`, root);
  const options = ['--outDir', fileURLToPath(beside), '--emptyOutDir', '--logLevel', 'warn'];
  run('portal', bundler, ['build', inRoot('portal'), ...options]);
  compress(new URL('assets/', beside));
  writeFileSync(new URL('.built', beside), '');
  rmSync(output, { recursive: true, force: true });
  renameSync(beside, output);
}

/** Builds what is not built yet: TypeScript by its compiler, SQL and threads by copying them beside, the portal by its bundler. */
export function build() {
  for (const name of packages) buildPackage(name);
  buildPortal();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build();
