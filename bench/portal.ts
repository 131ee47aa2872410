import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../e2e/chromium.ts';
import { fillSignIn, settled } from '../e2e/portal/steps.ts';
import { atEnd } from './closing.ts';
import { integer, table } from './tables.ts';
import { median, startDatabase, startPortico } from './world.ts';

const slowdown = 4;
const pages = ['sign-in', 'overview', 'transfers'] as const;
/** Above this a task keeps the page from answering. */
const longTaskMs = 50;

type Visit = {
  lcpMs: number;
  tbtMs: number;
  cls: number;
  scriptBytes: number;
  styleBytes: number;
  requests: number;
};
/** Of several visits the medians, but for layout shifts: there the worst counts. */
export type PortalResult = Visit & { page: (typeof pages)[number]; visits: number };

/** What the browser tells of a page, from its first moment on. */
type Told = { lcpMs: number; longTasks: [startMs: number, durationMs: number][]; cls: number };

/** Runs in the page, before its own scripts. */
function listen(): void {
  const told: Told = { lcpMs: 0, longTasks: [], cls: 0 };
  Object.assign(window, { told });
  const observe = (type: string, tell: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(tell)).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime }) => {
    told.lcpMs = startTime;
  });
  observe('longtask', ({ startTime, duration }) => told.longTasks.push([startTime, duration]));
  observe('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }; // this type has them
    if (!hadRecentInput) told.cls += value;
  });
}

/** Also what came compressed counts as it came. */
function transferred(): { scriptBytes: number; styleBytes: number; requests: number } {
  const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]; // those of this type are
  const sum = (pattern: RegExp) =>
    resources
      .filter(({ name }) => pattern.test(name))
      .reduce((total, { transferSize }) => total + transferSize, 0);
  return {
    scriptBytes: sum(/\.js$/),
    styleBytes: sum(/\.css$/),
    requests: resources.length,
  };
}

/** The time for which tasks after the first paint kept the page from answering. */
async function blockedMs(page: Page, { longTasks }: Told): Promise<number> {
  const paintedMs = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  );
  const late = longTasks.filter(([startMs]) => startMs >= paintedMs);
  return late.reduce((total, [, durationMs]) => total + Math.max(0, durationMs - longTaskMs), 0);
}

/** A page that is opened with nothing in the cache of the browser, on a slow processor. */
async function visit(context: BrowserContext, path: string): Promise<Visit> {
  const page = await context.newPage();
  const browser = await context.newCDPSession(page);
  await browser.send('Network.clearBrowserCache');
  await browser.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  // tsx names functions by a helper of its own, which the page does not have.
  await page.addInitScript('globalThis.__name = (named) => named');
  await page.addInitScript(listen);
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
  const told = await page.evaluate(() => (window as unknown as { told: Told }).told); // put there by listen
  const loaded = await page.evaluate(transferred);
  const tbtMs = await blockedMs(page, told);
  await page.close();
  return { lcpMs: told.lcpMs, tbtMs, cls: told.cls, ...loaded };
}

async function enter(browser: Browser, baseURL: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await fillSignIn(page);
  await page.getByRole('link', { name: 'Transfers' }).waitFor();
  await settled(page);
  await page.close();
  return context;
}

function summed(page: PortalResult['page'], visits: readonly Visit[]): PortalResult {
  const middle = (read: keyof Visit) => Math.round(median(visits.map((each) => each[read])));
  const cls = Math.max(...visits.map((each) => each.cls));
  return {
    page,
    visits: visits.length,
    lcpMs: middle('lcpMs'),
    tbtMs: middle('tbtMs'),
    cls: Number(cls.toFixed(4)),
    scriptBytes: middle('scriptBytes'),
    styleBytes: middle('styleBytes'),
    requests: middle('requests'),
  };
}

/** How soon a page is there, how soon it answers, and whether it jumps meanwhile. */
export async function measurePortal({ visits = 7 } = {}): Promise<PortalResult[]> {
  const database = await startDatabase();
  const portico = await startPortico(database.url);
  const browser = await launchChromium();
  atEnd(() => browser.close());
  const origin = `http://127.0.0.1:${portico.port}`;
  const stranger = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 900 } });
  const owner = await enter(browser, origin);
  const results: PortalResult[] = [];
  for (const page of pages) {
    const taken: Visit[] = [];
    for (let round = 0; round < visits; round += 1)
      taken.push(await visit(page === 'sign-in' ? stranger : owner, `/${page}`));
    results.push(summed(page, taken));
  }
  await browser.close();
  await portico.stop();
  await database.stop();
  return results;
}

export const clsWorst = (results: readonly PortalResult[]) => Math.max(...results.map(({ cls }) => cls));

export function portalSection(results: readonly PortalResult[] | undefined): string[] {
  if (results === undefined) return [];
  const lines = results.map(({ page, lcpMs, tbtMs, cls, scriptBytes, styleBytes, requests }) => [
    ...[page, integer(lcpMs), integer(tbtMs), cls.toFixed(3)],
    ...[integer(scriptBytes / 1000), integer(styleBytes / 1000), requests],
  ]);
  return [
    '### Portal',
    `In Chromium, with an empty cache and the processor ${slowdown} times as slow: medians of ${results[0]?.visits} visits, of layout shifts the worst.`,
    table(['page', 'LCP ms', 'TBT ms', 'CLS', 'script kB', 'styles kB', 'requests'], lines),
  ];
}
