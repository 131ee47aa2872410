import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../scripts/tools.mjs';

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
      // A new process for every page takes longer than the page.
      '--process-per-site',
      '--disable-site-isolation-trials',
    ],
  });
}

let browser: Promise<Browser> | undefined;

/** One browser for all test files that a worker runs; it ends with the worker. */
export function chromiumOfWorker(): Promise<Browser> {
  browser ??= launchChromium();
  return browser;
}
