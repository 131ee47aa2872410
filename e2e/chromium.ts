import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const systemPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A browser to test with: the one that was named, the system's, or the one playwright downloaded. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  return [...(named ? [named] : systemPaths), chromium.executablePath()].find((path) => existsSync(path));
}

/** The browser itself must not talk to anyone either, so that every request seen is the page's. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error('no Chromium found: install one, or name it in CHROMIUM_PATH');
  return chromium.launch({
    executablePath,
    args: [
      // The sandbox refuses to work for root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
