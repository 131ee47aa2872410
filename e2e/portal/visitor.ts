import type { Browser, BrowserContext, Page } from 'playwright-core';

/** A browser on a busy machine is slow. */
const patienceMs = 60_000;

export type VisitorOptions = { colorScheme?: 'light' | 'dark'; width?: number; height?: number };

/** A browser of its own, with its cookies, and everything that went wrong in it. */
export type Visitor = {
  context: BrowserContext;
  newTab(): Promise<Page>;
  /** Noise that the test makes on purpose. */
  expectNoise(pattern: RegExp): void;
  complaints(): string[];
};

/** A new process for a new tab takes longer than a page in it, so a visitor keeps the first tab from test to test. */
export type LastingVisitor = Visitor & {
  /** An empty tab of this look: the one that is kept, unless the test has it already. */
  tab(options: VisitorOptions): Promise<Page>;
  /** Empties the first tab, closes the others, and forgets what went wrong and what a test has set up. */
  rest(): Promise<void>;
  /** Forgets everything that a browser keeps between two pages, too: the visitor is someone new. */
  forget(): Promise<void>;
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

async function createContext(browser: Browser, origin: string): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: origin,
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 900 },
  });
  context.setDefaultTimeout(patienceMs);
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`violates ${violatedDirective}: ${blockedURI}`),
    );
  });
  return context;
}

/** Leaves the page, and takes back what a test may have set up around it. */
async function empty(page: Page, context: BrowserContext): Promise<void> {
  await Promise.all([page, context].map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })));
  // The tab's own storage outlives the page; an empty or failed page has none.
  await page.evaluate(() => sessionStorage.clear()).catch(() => {});
  await page.goto('about:blank');
  await page.mouse.move(-1, -1);
  await context.clearPermissions();
}

export async function createVisitor(browser: Browser, origin: string): Promise<LastingVisitor> {
  const context = await createContext(browser, origin);
  const heard: string[] = [];
  const expected: RegExp[] = [];
  const newTab = async () => {
    const page = await context.newPage();
    watch(page, origin, (text) => heard.push(text));
    return page;
  };
  const first = await newTab();
  let isFree = true;
  return {
    context,
    newTab,
    expectNoise: (pattern) => expected.push(pattern),
    complaints: () => heard.filter((text) => !expected.some((pattern) => pattern.test(text))),
    async tab({ colorScheme = 'light', width = 1280, height = 900 }) {
      const page = isFree ? first : await newTab();
      isFree = false;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      return page;
    },
    async rest() {
      const others = context.pages().filter((page) => page !== first);
      await Promise.all(others.map((page) => page.close()));
      await empty(first, context);
      heard.length = 0;
      expected.length = 0;
      isFree = true;
    },
    forget: () => context.setStorageState({ cookies: [], origins: [] }),
  };
}
