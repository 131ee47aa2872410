import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../e2e/chromium.ts';
import { heading, settled, signInAt } from '../e2e/portal/steps.ts';
import { answerChannels } from '../e2e/screenshots/channels.ts';
import { pictureTime, writeKeys } from '../e2e/screenshots/keys.ts';
import { answerRequests } from '../e2e/screenshots/requests.ts';
import { type Scene, scenes, signInScene } from '../e2e/screenshots/scenes.ts';
import { freePort, makeFolder, removeFolder, Service } from '../server/test/service-process.ts';

// The folder, then the widths. PORT is the one that the pictures show.
const [folder = 'screenshots', ...asked] = process.argv.slice(2);
const widths = asked.length > 0 ? asked.map(Number) : [1440, 390];
const schemes = ['light', 'dark'] as const;
type Variant = { colorScheme: (typeof schemes)[number]; width: number };

const variants: Variant[] = schemes.flatMap((colorScheme) => widths.map((width) => ({ colorScheme, width })));

/** A whole page; of what lies over a page, only what one sees. */
async function picture(page: Page, { name, prepare }: Scene, { colorScheme, width }: Variant): Promise<void> {
  await settled(page);
  await prepare(page);
  await settled(page);
  await page.mouse.move(0, 0);
  if ((await page.getByRole('dialog').count()) === 0) {
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width, height });
  }
  const path = join(folder, `${name}.${colorScheme}.${width}.png`);
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  process.stdout.write(`${path}\n`);
}

async function pictures(browser: Browser, origin: string, variant: Variant): Promise<void> {
  const { colorScheme, width } = variant;
  const context = await browser.newContext({
    baseURL: origin,
    colorScheme,
    viewport: { width, height: width < 600 ? 844 : 900 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  await context.clock.setFixedTime(pictureTime);
  await answerChannels(context);
  await answerRequests(context);
  const page = await context.newPage();
  await page.goto(signInScene.path);
  await heading(page, signInScene.heading).waitFor();
  await picture(page, signInScene, variant);
  await signInAt(page, '/files', 'Files');
  for (const scene of scenes) {
    const tab = await context.newPage();
    await tab.goto(scene.path);
    await heading(tab, scene.heading).waitFor();
    await picture(tab, scene, variant);
    await tab.close();
  }
  await context.close();
}

/** The service as `npm start` starts it, in a folder of its own. */
async function main(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const home = makeFolder();
  const port = Number(process.env['PORT'] ?? (await freePort()));
  const browser = await launchChromium();
  try {
    await new Service({ cwd: home, env: { PORT: String(port) } }).ready(180_000);
    await writeKeys(home);
    for (const variant of variants) await pictures(browser, `http://127.0.0.1:${port}`, variant);
  } finally {
    await browser.close();
    await removeFolder(home);
  }
}

await main();
