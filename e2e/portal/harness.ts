import type { Browser, BrowserContext, Page } from 'playwright-core';
import { vi } from 'vitest';
import { createDatabase, type TestDatabase } from '../../server/test/database.ts';
import { freePort } from '../../server/test/service-process.ts';
import { createClock, openWorld, type World } from '../../server/test/world.ts';
import { launchChromium } from '../chromium.ts';
import { heading, signInAt } from './steps.ts';

export { fillSignIn, heading, settled, signInAt } from './steps.ts';

/** A browser on a busy machine is slow. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });
const patienceMs = 20_000;

type Scheme = 'light' | 'dark';
type VisitorOptions = { colorScheme?: Scheme; width?: number; height?: number };
/** Where a tab opens, and the heading that it finds there. */
type Entrance = VisitorOptions & { path: string; name: string; email?: string };

/** A browser of its own, with its cookies, and everything that went wrong in it. */
type Visitor = {
  context: BrowserContext;
  newTab(): Promise<Page>;
  /** Noise that the test makes on purpose. */
  expectNoise(pattern: RegExp): void;
  complaints(): string[];
  /** Closes the tabs and forgets what went wrong in them. */
  rest(): Promise<void>;
};

export type Portal = {
  world: () => World;
  origin: string;
  database: TestDatabase;
  /** Someone new, who is not signed in. */
  visit(options?: VisitorOptions): Promise<Visitor & { page: Page }>;
  /** A tab of someone who is signed in, once for all tests of a file: much faster than a visit. */
  enter(entrance: Entrance): Promise<Visitor & { page: Page }>;
  /** Nothing listens any more. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends every visit of a test and tells what went wrong in them. */
  endVisits(): Promise<string[]>;
  close(): Promise<void>;
};

function watch(page: Page, origin: string, complain: (text: string) => void): void {
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complain(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complain(`page error: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) complain(`another origin: ${url}`);
  });
}

async function createVisitor(browser: Browser, origin: string, options: VisitorOptions): Promise<Visitor> {
  const { colorScheme = 'light', width = 1280, height = 900 } = options;
  const context = await browser.newContext({
    baseURL: origin,
    colorScheme,
    viewport: { width, height },
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(patienceMs);
  const heard: string[] = [];
  const expected: RegExp[] = [];
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`violates ${violatedDirective}: ${blockedURI}`),
    );
  });
  const newTab = async () => {
    const page = await context.newPage();
    watch(page, origin, (text) => heard.push(text));
    return page;
  };
  return {
    context,
    newTab,
    expectNoise: (pattern) => expected.push(pattern),
    complaints: () => heard.filter((text) => !expected.some((pattern) => pattern.test(text))),
    async rest() {
      await Promise.all(context.pages().map((page) => page.close()));
      heard.length = 0;
      expected.length = 0;
    },
  };
}

/** The real app on a real database behind a real port, and a real Chromium: one of each for a test file. */
export async function openPortal(env: Record<string, string> = {}): Promise<Portal> {
  const browser = await launchChromium();
  const database = await createDatabase();
  const clock = createClock();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const visitors: Visitor[] = [];
  const residents = new Map<string, Visitor>();
  let world: World | undefined;
  const start = async () => {
    const settings = { PORTICO_PUBLIC_URL: origin, ...env };
    world = await openWorld({ env: settings, database, clock });
    await world.app.listen({ host: '127.0.0.1', port });
  };
  const stop = async () => {
    // Browsers keep connections open, which a server that closes would wait for.
    world?.app.server.closeAllConnections();
    await world?.close();
    world = undefined;
  };
  const endVisits = async () => {
    const everyone = [...visitors, ...residents.values()];
    const complaints = everyone.flatMap((visitor) => visitor.complaints());
    await Promise.all(visitors.map(({ context }) => context.close()));
    await Promise.all([...residents.values()].map((resident) => resident.rest()));
    visitors.length = 0;
    return complaints;
  };
  await start();
  return {
    world: () => {
      if (world === undefined) throw new Error('the service is stopped');
      return world;
    },
    origin,
    database,
    async visit(options = {}) {
      const visitor = await createVisitor(browser, origin, options);
      visitors.push(visitor);
      return { ...visitor, page: await visitor.newTab() };
    },
    async enter({
      path,
      name,
      email = 'owner@demo.test',
      colorScheme = 'light',
      width = 1280,
      height = 900,
    }) {
      const known = residents.get(email);
      const resident = known ?? (await createVisitor(browser, origin, {}));
      residents.set(email, resident);
      const page = await resident.newTab();
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      if (known === undefined) await signInAt(page, path, name, email);
      else await page.goto(path);
      await heading(page, name).waitFor();
      return { ...resident, page };
    },
    stop,
    start,
    endVisits,
    async close() {
      await browser.close();
      await stop();
      await database.drop();
    },
  };
}
