import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

function onPath(...names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** The browser that was named, the system's, or the one that playwright downloaded. */
export function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const downloaded = chromium.executablePath();
  return (
    onPath('chromium', 'chromium-browser', 'google-chrome') ??
    (existsSync(downloaded) ? downloaded : undefined)
  );
}

export function findRedis() {
  return onPath('redis-server', 'valkey-server');
}

function install(packages) {
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
}

function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

/** The tests use a real browser and a real Redis: installs them where that is possible, and else says what to install. */
export function ensureTools() {
  const missing = [...(findChromium() ? [] : ['chromium']), ...(findRedis() ? [] : ['redis-server'])];
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (missing.length > 0 && isDebianRoot) install(missing);
  if (!findChromium())
    spawnSync(process.execPath, ['node_modules/playwright-core/cli.js', 'install', 'chromium'], {
      stdio: 'inherit',
    });
  if (!findChromium()) fail('the tests need Chromium: install the package chromium, or set CHROMIUM_PATH');
  if (!findRedis()) fail('the tests need Redis: install the package redis-server (or valkey-server)');
}
