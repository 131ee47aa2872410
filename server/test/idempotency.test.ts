import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepIdempotencyKeys } from '../src/contract/idempotency.ts';
import { sql, trusted } from '../src/db/sql.ts';
import { createClock, openWorld, portalCall, signIn, type World } from './world.ts';

const url = '/web/v1/workspaces/WS_DEMO/api-keys';

let instances: World[];
let world: World;
let token: string;
const clock = createClock();
beforeAll(async () => {
  world = await openWorld({ clock });
  const masterKey = world.services.config.masterKey as Buffer; // the defaults of a world set it
  instances = [world, await openWorld({ clock, database: world.database, masterKey })];
  token = await signIn(world);
});
afterAll(async () => {
  await instances[1]?.close();
  await world.close();
});

const send = (key: string, body: object, at = world) =>
  portalCall(at, token, { url, body, headers: { 'idempotency-key': key } });

const keysNamed = async (name: string) =>
  (await world.db.query<{ id: string }>(sql`select id from api_keys where name = ${name}`)).map(
    ({ id }) => id,
  );
const recordsOf = (id: string) => world.db.query(sql`select 1 from audit_waiting where subject_id = ${id}`);

function createPromise() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('an idempotency key', () => {
  it('sent 50 times at once over two instances makes one key: one 201, its replays, and 4090 with Retry-After', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_each, index) => send('fifty', { name: 'fifty' }, instances[index % 2])),
    );
    const [id, ...more] = await keysNamed('fifty');
    expect(more).toEqual([]);
    expect(await recordsOf(id ?? '')).toHaveLength(1);
    const made = answers.filter(({ statusCode }) => statusCode === 201);
    const first = made.filter(({ headers }) => headers['idempotent-replayed'] === undefined);
    expect(first).toHaveLength(1);
    for (const answer of made) expect(answer.json().data.apiKeyId).toBe(id);
    const refused = answers.filter(({ statusCode }) => statusCode !== 201);
    for (const { statusCode, headers, ...answer } of refused)
      expect([statusCode, headers['retry-after'], JSON.parse(answer.body).code]).toEqual([409, '1', '4090']);
    expect((await send('fifty', { name: 'fifty' }, instances[1])).json().data).toEqual({
      ...first[0]?.json().data,
      secret: null,
    });
  });

  it('is not waited for while someone else is at it, and free when that one fails', async () => {
    const { promise: held, resolve: release } = createPromise();
    const { promise: taken, resolve: take } = createPromise();
    const locked = world.db.transaction(async (tx) => {
      await tx.query(sql`lock table api_keys in access exclusive mode`);
      take();
      await held;
    });
    await taken;
    const first = send('busy', { name: 'busy' });
    const waiting = () =>
      world.db.query(sql`select 1 from pg_locks where not granted and relation = 'api_keys'::regclass`);
    await expect.poll(async () => (await waiting()).length).toBe(1);
    expect((await send('busy', { name: 'busy' }, instances[1])).json().code).toBe('4090');
    release();
    await locked;
    expect((await first).statusCode).toBe(201);
    await world.db.query(sql`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'as wanted'; end $$`);
    await world.db.query(
      sql`create trigger refuse before insert on audit_waiting for each row execute function refuse()`,
    );
    expect((await send('fails', { name: 'fails' })).statusCode).toBe(500);
    expect(await keysNamed('fails')).toEqual([]);
    await world.db.query(sql`drop trigger refuse on audit_waiting`);
    const again = await send('fails', { name: 'fails' });
    expect([again.statusCode, again.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  it('belongs to one caller, one route and the values of its path', async () => {
    const { apiKeyId: one } = (await send('scope', { name: 'scope' })).json().data;
    const { apiKeyId: two } = (await send('other', { name: 'scope' })).json().data;
    for (const [id, path] of [
      [one, 'disable'],
      [two, 'disable'],
      [one, 'enable'],
    ]) {
      const headers = { 'idempotency-key': 'scope' };
      const answer = await portalCall(world, token, { url: `${url}/${id}/${path}`, headers });
      expect([answer.statusCode, answer.headers['idempotent-replayed']]).toEqual([200, undefined]);
    }
    const outsider = await signIn(world, 'outsider@demo.test');
    const elsewhere = '/web/v1/workspaces/WS_OTHER/api-keys';
    const headers = { 'idempotency-key': 'scope' };
    const foreign = await portalCall(world, outsider, { url: elsewhere, body: { name: 'scope' }, headers });
    expect([foreign.statusCode, foreign.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  it('tells nothing to an owner whose role was taken away since', async () => {
    await send('removed', { name: 'removed' });
    const becomes = (role: string) =>
      world.db.query(sql`
        update workspace_members set role = ${role}::workspace_role
        where account_id = (select id from accounts where email = 'owner@demo.test')`);
    await becomes('MEMBER');
    expect((await send('removed', { name: 'removed' })).json().code).toBe('4030');
    await becomes('OWNER');
    expect((await send('removed', { name: 'removed' })).headers['idempotent-replayed']).toBe('true');
  });

  it('is forgotten after 24 hours by the clock of the service, swept or not', async () => {
    const { apiKeyId } = (await send('day', { name: 'day' })).json().data;
    clock.advance(24 * 3600 - 60);
    token = await signIn(world);
    expect((await send('day', { name: 'day' })).json().data.apiKeyId).toBe(apiKeyId);
    expect(await sweepIdempotencyKeys(world.db, clock.now())).toBe(false);
    expect((await send('day', { name: 'day' })).headers['idempotent-replayed']).toBe('true');
    clock.advance(120);
    const later = await send('day', { name: 'another' });
    expect([later.statusCode, later.headers['idempotent-replayed']]).toEqual([201, undefined]);
    await sweepIdempotencyKeys(world.db, clock.now());
    const rows = await world.db.query(sql`select 1 from idempotency_keys`);
    expect(rows).toHaveLength(1);
    expect((await send('day', { name: 'another' })).headers['idempotent-replayed']).toBe('true');
  });

  it('is found and swept by an index, among many', async () => {
    await world.db.query(sql`
      insert into idempotency_keys select sha256(n::text::bytea), '', 'null', now() - interval '2 days' from generate_series(1, 20000) n`);
    await world.db.query(sql`analyze idempotency_keys`);
    const plan = async (text: string) => JSON.stringify(await world.db.query(trusted(`explain ${text}`)));
    expect(await plan("select 1 from idempotency_keys where id = '\\x00'")).toMatch(
      /Index (Only )?Scan using idempotency_keys_pkey/,
    );
    expect(
      await plan('select id from idempotency_keys where answered_at <= now() order by answered_at limit 500'),
    ).toMatch(/Index Scan using idempotency_keys_answered_at/);
    while (await sweepIdempotencyKeys(world.db, clock.now()));
    expect((await world.db.query(sql`select 1 from idempotency_keys`)).length).toBeLessThan(500);
  });
});
