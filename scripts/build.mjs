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
const commandBundler = inRoot('node_modules/rolldown/bin/cli.mjs');

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

/** `make` fills the folder, which is empty, unless it is newer than all that it is made of. */
function buildPackage(name, sources, settings, make) {
  const [source, output] = ['src', 'dist'].map((folder) => new URL(`${name}/${folder}/`, root));
  const stamp = new URL('.built', output);
  const made = [...['tsconfig.base.json', 'package-lock.json'], ...settings.map((file) => `${name}/${file}`)];
  if (!isStale([source, ...sources.map((folder) => new URL(folder, root))], made, stamp)) return;
  rmSync(output, { recursive: true, force: true });
  make(source, output);
  writeFileSync(stamp, '');
}

/** Twice: as modules, and for who requires them. */
function buildSdk() {
  buildPackage('sdk', [], ['tsconfig.json', 'tsconfig.cjs.json'], (_source, output) => {
    run('sdk', compiler, ['-p', inRoot('sdk/tsconfig.json')]);
    run('sdk for require', compiler, ['-p', inRoot('sdk/tsconfig.cjs.json')]);
    writeFileSync(new URL('cjs/package.json', output), '{ "type": "commonjs" }\n');
  });
}

function buildServer() {
  buildPackage('server', [], ['tsconfig.json'], (source, output) => {
    run('server', compiler, ['-p', inRoot('server/tsconfig.json')]);
    cpSync(source, output, {
      recursive: true,
      filter: (path) => statSync(path).isDirectory() || copied.test(path),
    });
  });
}

function buildCli() {
  buildPackage('cli', ['sdk/src/'], ['rolldown.config.mjs', '../docs/signing-vectors.json'], () =>
    run('cli', commandBundler, ['-c', inRoot('cli/rolldown.config.mjs')]),
  );
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
    'portal/mantine-styles.ts',
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

/** Builds what is not built yet: TypeScript by its compiler, SQL and threads by copying them beside, command line and portal by bundlers. */
export function build() {
  buildSdk();
  buildServer();
  buildCli();
  buildPortal();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build();
