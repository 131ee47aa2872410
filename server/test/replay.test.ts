import { describe, expect, it, onTestFinished } from 'vitest';
import { sweepNonces } from '../src/auth/signed/nonces.ts';
import { sql, trusted } from '../src/db/sql.ts';
import { createDatabase } from './database.ts';
import { buildOnce, freePort, makeFolder, removeFolder, Service } from './service-process.ts';
import { createKey, type Key, openWorld, signatureHeaders, signedCall } from './world.ts';

const url = '/api/v1/transfers';
const rounds = Number(process.env['REPLAY_ROUNDS'] ?? 10);

const masterKey = Buffer.alloc(32, 3).toString('base64');

async function startIn(folder: string, env: Record<string, string>): Promise<string> {
  const port = await freePort();
  await new Service({ cwd: folder, env: { ...env, PORT: String(port) } }).ready();
  return `http://127.0.0.1:${port}`;
}

async function post<Data>(target: string, body: object, headers: Record<string, string>): Promise<Data> {
  const response = await fetch(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { data: Data }).data;
}

async function createKeyAt(base: string): Promise<Key> {
  const login = { email: 'owner@demo.test', password: 'portico-demo' };
  const turnstile = { 'x-turnstile-token': 'x' };
  const { accessToken } = await post<{ accessToken: string }>(`${base}/web/v1/auth/login`, login, turnstile);
  const wanted = { name: 'x', scopes: ['transfers:read'] };
  const authorization = `Bearer ${accessToken}`;
  return post<Key>(`${base}/web/v1/workspaces/WS_DEMO/api-keys`, wanted, { authorization });
}

async function codeAt(base: string, headers: Record<string, string>): Promise<string> {
  return ((await (await fetch(base + url, { headers })).json()) as { code: string }).code;
}

describe('one nonce', () => {
  it('passes once when fifty sends are spread over two instances on one database', async () => {
    const database = await createDatabase();
    const env = { PORTICO_MASTER_KEY: masterKey };
    const worlds = await Promise.all([openWorld({ database, env }), openWorld({ database, env })]);
    const [first] = worlds;
    if (first === undefined) throw new Error('two worlds were opened');
    const key = await createKey(first);
    for (let round = 0; round < rounds; round += 1) {
      const headers = signatureHeaders(first, key, { url });
      const sends = Array.from({ length: 50 }, (_none, index) =>
        worlds[index % 2]?.app.inject({ url, headers }),
      );
      const codes = (await Promise.all(sends)).map((answer) => answer?.json().code);
      expect(codes.sort()).toEqual(['2000', ...Array.from({ length: 49 }, () => '4014')]);
    }
    await Promise.all(worlds.map((world) => world.close()));
    await database.drop();
  });

  it('passes once each, of a hundred that two instances get in opposite orders and claim together', async () => {
    const database = await createDatabase();
    const env = { PORTICO_MASTER_KEY: masterKey };
    const worlds = await Promise.all([openWorld({ database, env }), openWorld({ database, env })]);
    const [first, second] = worlds;
    if (first === undefined || second === undefined) throw new Error('two worlds were opened');
    const keys = await Promise.all([createKey(first), createKey(first)]);
    for (let round = 0; round < 5; round += 1) {
      const signed = Array.from({ length: 100 }, (_none, index) =>
        signatureHeaders(first, keys[index % 2] as Key, { url }),
      );
      const answers = await Promise.all([
        ...signed.map((headers) => first.app.inject({ url, headers })),
        ...signed.toReversed().map((headers) => second.app.inject({ url, headers })),
      ]);
      const codes = answers.map((answer) => answer.json().code);
      expect(codes.slice(0, 100).map((code, index) => [code, codes[199 - index]].sort())).toEqual(
        signed.map(() => ['2000', '4014']),
      );
    }
    await Promise.all(worlds.map((world) => world.close()));
    await database.drop();
  });

  it('is remembered over a restart, until its timestamp can no longer be accepted, and then forgotten', async () => {
    const database = await createDatabase();
    const env = { PORTICO_MASTER_KEY: masterKey };
    const before = await openWorld({ database, env });
    const headers = signatureHeaders(before, await createKey(before), { url });
    expect((await before.app.inject({ url, headers })).statusCode).toBe(200);
    await before.close();
    const after = await openWorld({ database, env });
    expect((await after.app.inject({ url, headers })).json().code).toBe('4014');
    after.clock.advance(240);
    await sweepNonces(after.db, after.clock.now());
    expect((await after.app.inject({ url, headers })).json().code).toBe('4014');
    after.clock.advance(70);
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

  it('passes once when fifty sends are spread over two processes on one database', async () => {
    buildOnce();
    const [folder, database] = [makeFolder(), await createDatabase()];
    onTestFinished(async () => {
      await removeFolder(folder);
      await database.drop();
    });
    const env = { DATABASE_URL: database.url, PORTICO_DEMO: '1', PORTICO_MASTER_KEY: masterKey };
    const bases = await Promise.all([startIn(folder, env), startIn(folder, env)]);
    const headers = signatureHeaders({ clock: { now: Date.now } }, await createKeyAt(bases[0]), {
      url,
    });
    const sends = Array.from({ length: 50 }, (_none, index) => codeAt(bases[index % 2] ?? '', headers));
    const codes = await Promise.all(sends);
    expect(codes.sort()).toEqual(['2000', ...Array.from({ length: 49 }, () => '4014')]);
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
