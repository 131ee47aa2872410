import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { fetchPgBouncer, findPgBouncer } from './pgbouncer.mjs';

function onPath(...names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** The browser that was named, the system's, or the one that playwright downloaded. Without a window it does half the work. */
export function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const downloaded = chromium.executablePath();
  return (
    onPath('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome') ??
    (existsSync(downloaded) ? downloaded : undefined)
  );
}

export function findRedis() {
  return onPath('redis-server', 'valkey-server');
}

export function findNginx() {
  return onPath('nginx') ?? ['/usr/sbin/nginx'].find((path) => existsSync(path));
}

/** Debian's Python, as its packages are for no other; the path may have another first. */
const python = '/usr/bin/python3';

/** OpenStack Swift, which speaks S3. It is a library until something starts it. */
export function findSwift() {
  const probe = ['-c', 'import swift.common.middleware.s3api'];
  return spawnSync(python, probe).status === 0 ? python : undefined;
}

export function findClamd() {
  return onPath('clamd') ?? ['/usr/sbin/clamd'].find((path) => existsSync(path));
}

/** One unknown name would keep all others from being installed. */
function isKnown(name) {
  return spawnSync('apt-cache', ['show', name]).status === 0;
}

function install(programs) {
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  spawnSync('apt-get', ['update', '-qq'], options);
  const packages = programs.flatMap(({ names }) => names.find(isKnown) ?? []);
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
}

function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

/** The programs that tests start, Debian's packages of each, the best first, and what to say where it is missing. */
const programs = [
  {
    find: findChromium,
    names: ['chromium-headless-shell', 'chromium'],
    wanted: 'Chromium: install the package chromium-headless-shell (or chromium), or set CHROMIUM_PATH',
  },
  {
    find: findRedis,
    names: ['redis-server'],
    wanted: 'Redis: install the package redis-server (or valkey-server)',
  },
  {
    find: findNginx,
    names: ['nginx-light', 'nginx'],
    wanted: 'nginx: install the package nginx-light (or nginx)',
  },
  {
    find: findSwift,
    names: ['python3-swift'],
    wanted: 'OpenStack Swift, which speaks S3: install the package python3-swift',
  },
  {
    find: findClamd,
    names: ['clamav-daemon'],
    wanted: 'clamd: install the package clamav-daemon',
  },
  ...['zsh', 'fish'].map((shell) => ({
    find: () => onPath(shell),
    names: [shell],
    wanted: `${shell}, whose completion they try: install the package ${shell}`,
  })),
];

/** The tests use real programs around the service: installs them where that is possible, and else says what to install. */
export function ensureTools() {
  const missing = programs.filter(({ find }) => !find());
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (missing.length > 0 && isDebianRoot) install(missing);
  if (!findChromium())
    spawnSync(process.execPath, ['node_modules/playwright-core/cli.js', 'install', 'chromium'], {
      stdio: 'inherit',
    });
  for (const { find, wanted } of programs) if (!find()) fail(`the tests need ${wanted}`);
  if (!findPgBouncer()) fetchPgBouncer();
  if (!findPgBouncer()) fail('the tests need PgBouncer 1.21 or newer: install the package pgbouncer');
}
