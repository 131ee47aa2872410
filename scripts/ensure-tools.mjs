import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

function onPath(...names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.some((name) => folders.some((folder) => existsSync(join(folder, name))));
}

const hasChromium = () =>
  existsSync(process.env.CHROMIUM_PATH ?? '') ||
  onPath('chromium', 'chromium-browser', 'google-chrome') ||
  existsSync(chromium.executablePath());
const hasRedis = () => onPath('redis-server', 'valkey-server');

function install(...packages) {
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
  const missing = [...(hasChromium() ? [] : ['chromium']), ...(hasRedis() ? [] : ['redis-server'])];
  if (missing.length > 0 && isDebianRoot) install(...missing);
  if (!hasChromium())
    spawnSync(process.execPath, ['node_modules/playwright-core/cli.js', 'install', 'chromium'], {
      stdio: 'inherit',
    });
  if (!hasChromium()) fail('the tests need Chromium: install the package chromium, or set CHROMIUM_PATH');
  if (!hasRedis()) fail('the tests need Redis: install the package redis-server (or valkey-server)');
}
