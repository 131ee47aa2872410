import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The first whose pooling by transaction knows prepared statements. */
const oldest = [1, 21];
/** A Debian release that has one. It is unpacked beside the packages, and nothing of the system is changed. */
const suite = 'trixie';
/** PgBouncer and every library that it loads, as this system's own may be too old for it. */
const debs = [
  'pgbouncer libc6 libcares2 libevent-2.1-7t64 libpam0g libssl3t64 libsystemd0',
  'libaudit1 libcap-ng0 libcap2 libzstd1 zlib1g',
].flatMap((line) => line.split(' '));

const folder = fileURLToPath(new URL(`../node_modules/.cache/pgbouncer-${suite}/`, import.meta.url));

/** The loader that came with it, told to look for libraries beside itself. */
function unpacked() {
  const libraries = join(folder, 'usr/lib');
  const triplet = existsSync(libraries) && readdirSync(libraries).find((name) => name.endsWith('-linux-gnu'));
  if (!triplet) return undefined;
  const path = join(libraries, triplet);
  const loader = readdirSync(path).find((name) => /^ld-linux.*\.so/.test(name));
  return [join(path, loader ?? ''), '--library-path', path, join(folder, 'usr/sbin/pgbouncer')];
}

function isNewEnough([program, ...args]) {
  const { stdout } = spawnSync(program, [...args, '--version'], { encoding: 'utf8' });
  const [, major, minor] = /^PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  return Number(major) > oldest[0] || (Number(major) === oldest[0] && Number(minor) >= oldest[1]);
}

/** The command that starts PgBouncer 1.21 or newer, or undefined. */
export function findPgBouncer() {
  return [['pgbouncer'], ['/usr/sbin/pgbouncer'], unpacked()].find(
    (command) => command !== undefined && isNewEnough(command),
  );
}

/** The mirror from which this system installs. */
function debianMirror() {
  const wanted = ['Created-By: Packages', 'Origin: Debian', 'Label: Debian', 'Component: main'];
  const { stdout } = spawnSync('apt-get', ['indextargets', '--format', '$(REPO_URI)', ...wanted], {
    encoding: 'utf8',
  });
  return stdout?.split('\n')[0];
}

/** Downloads it with apt-get, which checks the signatures, into folders of our own: no root is needed. */
export function fetchPgBouncer() {
  const mirror = debianMirror();
  if (!mirror) return;
  const beside = `${folder.slice(0, -1)}-${process.pid}`;
  const at = (name) => join(beside, 'apt', name);
  for (const name of ['lists/partial', 'archives/partial', 'sources', 'debs'])
    mkdirSync(at(name), { recursive: true });
  writeFileSync(at('status'), '');
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg';
  writeFileSync(at('sources/debian.list'), `deb [signed-by=${keys}] ${mirror} ${suite} main\n`);
  const settings = {
    'Dir::Etc::sourcelist': '/dev/null',
    'Dir::Etc::sourceparts': at('sources'),
    'Dir::State::lists': at('lists'),
    'Dir::State::status': at('status'),
    'Dir::Cache': at(''),
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
    'APT::Sandbox::User': '',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const run = { cwd: at('debs'), stdio: ['ignore', 'ignore', 'inherit'] };
  spawnSync('apt-get', [...options, '-qq', 'update'], run);
  spawnSync('apt-get', [...options, '-qq', 'download', ...debs], run);
  for (const name of readdirSync(at('debs'))) spawnSync('dpkg-deb', ['-x', name, beside], run);
  rmSync(join(beside, 'apt'), { recursive: true });
  rmSync(folder, { recursive: true, force: true });
  renameSync(beside, folder);
}
