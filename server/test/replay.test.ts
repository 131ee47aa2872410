import { describe, expect, it, onTestFinished } from 'vitest';
import { sweepNonces } from '../src/auth/nonces.ts';
import { sql, trusted } from '../src/db/sql.ts';
import { createDatabase } from './database.ts';
import { buildOnce, freePort, makeFolder, processesWith, removeFolder, Service } from './service-process.ts';
import { createKey, type Key, openWorld, signatureHeaders, signedCall } from './world.ts';

const url = '/api/v1/transfers';

describe('one nonce', () => {
  it('passes once when fifty sends are spread over two instances on one database', async () => {
    const database = await createDatabase();
    const env = { PORTICO_MASTER_KEY: Buffer.alloc(32, 3).toString('base64') };
    const worlds = await Promise.all([openWorld({ database, env }), openWorld({ database, env })]);
    const [first] = worlds;
    if (first === undefined) throw new Error('two worlds were opened');
    const headers = signatureHeaders(first, await createKey(first), { url });
    const sends = Array.from({ length: 50 }, (_none, index) =>
      worlds[index % 2]?.app.inject({ url, headers }),
    );
    const statuses = (await Promise.all(sends)).map((answer) => answer?.statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    await Promise.all(worlds.map((world) => world.close()));
    await database.drop();
  });

  it('is remembered over a restart, until its timestamp can no longer be accepted, and then forgotten', async () => {
    const database = await createDatabase();
    const env = { PORTICO_MASTER_KEY: Buffer.alloc(32, 3).toString('base64') };
    const before = await openWorld({ database, env });
    const headers = signatureHeaders(before, await createKey(before), { url });
    expect((await before.app.inject({ url, headers })).statusCode).toBe(200);
    await before.close();
    const after = await openWorld({ database, env });
    expect((await after.app.inject({ url, headers })).json().code).toBe('4014');
    after.clock.advance(299);
    await sweepNonces(after.db, after.clock.now());
    expect((await after.app.inject({ url, headers })).json().code).toBe('4014');
    after.clock.advance(3);
    await sweepNonces(after.db, after.clock.now());
    expect((await after.app.inject({ url, headers })).json().code).toBe('4013');
    after.clock.advance(60);
    await sweepNonces(after.db, after.clock.now());
    expect(await after.db.query(sql`select 1 from api_nonces`)).toEqual([]);
    await after.close();
    await database.drop();
  });

  it('is swept without waiting for a claim that is under way', async () => {
    const world = await openWorld();
    const key = await createKey(world);
    for (let count = 0; count < 5; count += 1) await signedCall(world, key, { url });
    await world.db.transaction(async (tx) => {
      await tx.query(sql`select 1 from api_nonces limit 2 for update`);
      await sweepNonces(world.db, world.clock.now() + 1_000_000);
      expect(await tx.query(sql`select 1 from api_nonces`)).toHaveLength(2);
    });
    await world.close();
  });

  it('is remembered when server and database are killed right after the answer', async () => {
    buildOnce();
    const folder = makeFolder();
    onTestFinished(() => removeFolder(folder));
    const port = await freePort();
    const start = () => new Service({ cwd: folder, env: { PORT: String(port) } }).ready();
    const base = `http://127.0.0.1:${port}`;
    const post = async (path: string, body: object, headers: Record<string, string>) =>
      (
        (await (
          await fetch(base + path, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify(body),
          })
        ).json()) as { data: { accessToken: string } & Key }
      ).data;
    const service = await start();
    const { accessToken } = await post(
      '/web/v1/auth/login',
      { email: 'owner@demo.test', password: 'portico-demo' },
      { 'x-turnstile-token': 'x' },
    );
    const key = await post(
      '/web/v1/workspaces/WS_DEMO/api-keys',
      { name: 'x', scopes: ['transfers:read'] },
      { authorization: `Bearer ${accessToken}` },
    );
    const headers = signatureHeaders({ clock: { now: Date.now } }, key, { url });
    const send = async () => ((await (await fetch(base + url, { headers })).json()) as { code: string }).code;
    expect(await send()).toBe('2000');
    service.child.kill('SIGKILL');
    for (const pid of processesWith(folder)) process.kill(pid, 'SIGKILL');
    await service.exited;
    await start();
    expect(await send()).toBe('4014');
  });
});

describe('secrets', () => {
  it('are in no dump of the database, no log, no error and no metric', async () => {
    const world = await openWorld();
    const key = await createKey(world, { mode: 2 });
    const answers = [
      await signedCall(world, key, { url }),
      await signedCall(
        world,
        { ...key, secret: `${key.secret}\n` },
        { url },
        { accept: 'application/problem+json' },
      ),
      await signedCall(world, { ...key, secret: 'wrong' }, { url }, { accept: 'application/problem+json' }),
      await world.app.inject('/metrics'),
    ];
    const tables = await world.db.query<{ name: string }>(
      sql`select tablename as name from pg_tables where schemaname = 'public'`,
    );
    const dump = await Promise.all(
      tables.map(({ name }) => world.db.query(sql`select t::text as row from ${trusted(`"${name}"`)} t`)),
    );
    const everything = [world.logs(), JSON.stringify(dump), ...answers.map(({ body }) => body)].join('\n');
    const core = key.secret.slice(8);
    for (const form of [
      key.secret,
      core,
      Buffer.from(key.secret).toString('hex'),
      Buffer.from(key.secret).toString('base64').slice(0, 40),
    ]) {
      expect(everything).not.toContain(form);
    }
    await world.close();
  });
});
