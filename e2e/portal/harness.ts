import type { Browser, Page } from 'playwright-core';
import { createDatabase, type TestDatabase } from '../../server/test/database.ts';
import { freePort } from '../../server/test/service-process.ts';
import { createClock, openWorld, type World } from '../../server/test/world.ts';
import { chromiumOfWorker } from '../chromium.ts';
import { heading, signInAt } from './steps.ts';
import { createVisitor, type LastingVisitor, type Visitor, type VisitorOptions } from './visitor.ts';

export { fillSignIn, heading, settled, signInAt } from './steps.ts';

/** Where a tab opens, and the heading that it finds there. */
type Entrance = VisitorOptions & { path: string; name: string; email?: string };

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

/** The real app on a real database behind a real port. */
async function openService(env: Record<string, string>) {
  const database = await createDatabase();
  const clock = createClock();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
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
  await start();
  return {
    world: () => {
      if (world === undefined) throw new Error('the service is stopped');
      return world;
    },
    origin,
    database,
    start,
    stop,
  };
}

/** Those of a test who are new, those who have been and gone, and those who are signed in for a whole file. */
function openDoors(browser: Browser, origin: string) {
  const visitors: LastingVisitor[] = [];
  const idle: LastingVisitor[] = [];
  const residents = new Map<string, LastingVisitor>();
  return {
    async visit(options: VisitorOptions = {}) {
      const visitor = idle.pop() ?? (await createVisitor(browser, origin));
      visitors.push(visitor);
      return { ...visitor, page: await visitor.tab(options) };
    },
    async enter({ path, name, email = 'owner@demo.test', ...look }: Entrance) {
      const known = residents.get(email);
      const resident = known ?? (await createVisitor(browser, origin));
      residents.set(email, resident);
      const page = await resident.tab(look);
      if (known === undefined) await signInAt(page, path, name, email);
      else await page.goto(path);
      await heading(page, name).waitFor();
      return { ...resident, page };
    },
    async endVisits() {
      const everyone = [...visitors, ...residents.values()];
      const complaints = everyone.flatMap((visitor) => visitor.complaints());
      await Promise.all(everyone.map((visitor) => visitor.rest()));
      await Promise.all(visitors.map((visitor) => visitor.forget()));
      idle.push(...visitors.splice(0));
      return complaints;
    },
    async closeAll() {
      const everyone = [...visitors, ...idle, ...residents.values()];
      await Promise.all(everyone.map(({ context }) => context.close()));
    },
  };
}

/** A service for a test file, and the browser of the worker. */
export async function openPortal(env: Record<string, string> = {}): Promise<Portal> {
  const browser = await chromiumOfWorker();
  const service = await openService(env);
  const { closeAll, ...doors } = openDoors(browser, service.origin);
  return {
    ...service,
    ...doors,
    async close() {
      await closeAll();
      await service.stop();
      await service.database.drop();
    },
  };
}
