import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { finishRemovals, sweepIncoming } from '../src/resources/files/upkeep.ts';
import { createDatabase, openSession, type TestDatabase } from './database.ts';
import { buildOnce, freePort, makeFolder, removeFolder, Service } from './service-process.ts';
import { type S3Server, startS3 } from './support/s3-server.ts';
import { openWorld, patientTimes, signIn, type World } from './world.ts';

const masterKey = Buffer.alloc(32, 7);
const hour = 3_600_000;

type Row = {
  bizId: string;
  key: string;
  status: string;
  etag: string;
  size: number;
  isDeleted: boolean;
  isUnfinished: boolean;
};
type Answer = { status: number; bizId: string } | undefined;

/** A service that is killed again and again, and another instance beside it that looks at what it left. */
class Ground {
  readonly folder = makeFolder();
  readonly s3: S3Server | undefined;
  private database!: TestDatabase; // open() sets the rest before anybody else has it
  private env!: Record<string, string>;
  private token!: string;
  private service!: Service;
  world!: World;

  constructor(s3: S3Server | undefined) {
    this.s3 = s3;
  }

  async open(): Promise<this> {
    this.database = await createDatabase();
    const port = String(await freePort());
    const shared = {
      PORTICO_PUBLIC_URL: `http://127.0.0.1:${port}`,
      PORTICO_HOME: join(this.folder, 'home'),
      ...(this.s3 === undefined ? {} : { PORTICO_S3: JSON.stringify(this.s3.settings) }),
    };
    this.env = {
      ...{
        ...shared,
        PORT: port,
        DATABASE_URL: this.database.url,
        PORTICO_DEMO: '1',
        PORTICO_LOG_LEVEL: 'info',
      },
      ...patientTimes,
      PORTICO_MASTER_KEY: masterKey.toString('base64'),
    };
    this.world = await openWorld({ database: this.database, masterKey, env: shared });
    this.token = await signIn(this.world);
    await this.start();
    return this;
  }

  async start(more: Record<string, string> = {}): Promise<void> {
    this.service = await new Service({ cwd: this.folder, env: { ...this.env, ...more } }).ready(180_000);
  }

  /** Starts it to end by itself, at a step of the disk. */
  startToDie(at: string): Promise<void> {
    const preload = new URL('./support/die-at.mjs', import.meta.url);
    return this.start({ NODE_OPTIONS: `--import ${preload}`, DIE_AT: at });
  }

  get ended(): Promise<unknown> {
    return this.service.exited;
  }

  kill = () => this.service.stop('SIGKILL');

  private get headers() {
    return { authorization: `Bearer ${this.token}` };
  }

  /** Undefined: nobody heard an answer. */
  async send(method: string, path: string, body?: FormData): Promise<Answer> {
    const init = { method, headers: this.headers, ...(body === undefined ? {} : { body }) };
    try {
      const answer = await fetch(`${this.env['PORTICO_PUBLIC_URL']}/web/v1/files${path}`, init);
      const { data } = (await answer.json()) as { data?: { bizId: string } | null };
      return { status: answer.status, bizId: data?.bizId ?? '' };
    } catch {
      return undefined;
    }
  }

  upload(bytes: Buffer<ArrayBuffer>): Promise<Answer> {
    const form = new FormData();
    const fields = { institutionBizId: 'INST_DEMO', workspaceBizId: 'WS_DEMO', fileCategory: '8' };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('file', new Blob([bytes]), 'crash.bin');
    return this.send('POST', '', form);
  }

  /** An upload whose second half never comes. */
  stall(bytes: Buffer): void {
    const part = (name: string, value: string, more = '') =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}`;
    const head = [
      part('institutionBizId', 'INST_DEMO\r\n'),
      part('workspaceBizId', 'WS_DEMO\r\n'),
      part('fileCategory', '8\r\n'),
      part('file', '', '; filename="half"'),
    ];
    const headers = { ...this.headers, 'content-type': 'multipart/form-data; boundary=b' };
    const sent = request(`${this.env['PORTICO_PUBLIC_URL']}/web/v1/files`, { method: 'POST', headers });
    sent.on('error', () => {}).write(head.join(''));
    sent.write(bytes);
  }

  /** Holds what writes to a table until it is told to go on. */
  async lock(table: string) {
    const session = await openSession(this.database);
    await session.query(`begin; lock table ${table} in exclusive mode`);
    return {
      waiting: async () => {
        await session.query('select pg_stat_clear_snapshot()'); // kept for a whole transaction
        const { rows } = await session.query(
          `select 1 from pg_locks l join pg_stat_activity a using (pid)
           where not l.granted and l.relation = '${table}'::regclass and a.query not like '%audit_seal%'`,
        );
        return rows.length;
      },
      release: async () => {
        await session.query('rollback');
        await session.end();
      },
    };
  }

  /** Of what was uploaded; the files of the demo world are called otherwise. */
  rows(): Promise<Row[]> {
    return this.world.db.query<Row>(sql`
      select biz_id as "bizId", object_key as key, status::text as status, etag,
        deleted_at is not null as "isDeleted", due_at is not null as "isUnfinished"
      from files where is_stored and object_key like '2%' order by id`);
  }

  async rowOf(bizId: string): Promise<Row | undefined> {
    return (await this.rows()).find((row) => row.bizId === bizId);
  }

  async keys(): Promise<string[]> {
    if (this.s3 !== undefined) return (await this.s3.keys()).filter((key) => key.startsWith('2')).sort();
    const objects = join(this.env['PORTICO_HOME'] ?? '', 'files/objects');
    const entries = readdirSync(objects, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const keys = files.map(({ parentPath, name }) => join(parentPath, name).slice(objects.length + 1));
    return keys.filter((key) => key.startsWith('2')).sort();
  }

  incoming(): string[] {
    const path = join(this.env['PORTICO_HOME'] ?? '', 'files/incoming');
    return existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : [];
  }

  /** As if the time that nobody goes on with anything had passed. */
  async sweep(): Promise<void> {
    for (const path of this.incoming()) utimesSync(path, 1, 1);
    const { services, db } = this.world;
    const later = { ...services, now: () => Date.now() + hour };
    while (await finishRemovals(later, db));
    await sweepIncoming(later);
  }

  async close(): Promise<void> {
    await this.world?.close();
    await removeFolder(this.folder);
    await this.database?.drop();
  }
}

async function hashOf({ world }: Ground, key: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of (await world.services.files.storage.read(key)) ?? []) hash.update(chunk);
  return hash.digest('hex');
}

/** No record lacks its bytes, no bytes lack a record, nothing is half done, and the quota counts what there is. */
async function expectSound(ground: Ground, acknowledged: Map<string, string>): Promise<void> {
  await ground.sweep();
  const rows = await ground.rows();
  expect(rows.filter(({ isUnfinished, isDeleted }) => isUnfinished || isDeleted)).toEqual([]);
  expect(await ground.keys()).toEqual(rows.map(({ key }) => key).sort());
  for (const { key, etag } of rows) expect(await hashOf(ground, key)).toBe(etag);
  expect(ground.incoming()).toEqual([]);
  const statuses = new Map(rows.map(({ bizId, status }) => [bizId, status]));
  for (const [bizId, status] of acknowledged) expect([bizId, statuses.get(bizId)]).toEqual([bizId, status]);
  const [usage] = await ground.world.db.query<{ counted: number; stored: number }>(sql`
    select (select sum(bytes)::float8 from storage_usage) as counted,
      (select sum(file_size)::float8 from files where is_stored) as stored`);
  expect(usage?.counted).toBe(usage?.stored);
}

let s3: S3Server;
beforeAll(async () => {
  buildOnce();
  s3 = await startS3();
});
afterAll(() => s3?.stop());

describe.each(['disk', 'S3'])('a server that is killed, with files on %s', (kind) => {
  let ground: Ground;
  /** What the client was told: the status of each file, or that there is none. */
  const acknowledged = new Map<string, string>();
  const made: string[] = [];
  const file = (index: number) => made[index] ?? '';

  beforeAll(async () => {
    ground = await new Ground(kind === 'S3' ? s3 : undefined).open();
    for (let count = 0; count < 4; count += 1) {
      const answer = await ground.upload(randomBytes(1000));
      expect(answer?.status).toBe(201);
      made.push(answer?.bizId ?? '');
      acknowledged.set(answer?.bizId ?? '', 'ACTIVE');
    }
    expect((await ground.send('POST', `/${file(3)}/archive`))?.status).toBe(200);
    acknowledged.set(file(3), 'ARCHIVED');
  });
  afterAll(() => ground?.close());

  it('while bytes arrive, and before an upload, an archive and a delete are written down: none of them was', async () => {
    const before = await ground.rows();
    const lock = await ground.lock('audit_waiting');
    const lost = [
      ground.upload(randomBytes(2_000_000)),
      ground.send('POST', `/${file(1)}/archive`),
      ground.send('DELETE', `/${file(2)}`),
    ];
    const halfDone = async () => (await ground.rows()).filter(({ isUnfinished }) => isUnfinished);
    const areStored = async () => {
      const [keys, half] = [await ground.keys(), await halfDone()];
      return half.length === 1 && half.every(({ key }) => keys.includes(key));
    };
    await expect.poll(lock.waiting).toBeGreaterThanOrEqual(3);
    await expect.poll(areStored).toBe(true); // whoever else waits
    ground.stall(randomBytes(500_000));
    await expect.poll(() => ground.incoming().length).toBe(1);
    await ground.kill();
    expect(await Promise.all(lost)).toEqual([undefined, undefined, undefined]);
    await lock.release();
    const half = await halfDone();
    expect(half).toHaveLength(1);
    expect(await ground.keys()).toContain(half[0]?.key);
    await ground.start();
    await expectSound(ground, acknowledged);
    expect(await ground.rows()).toEqual(before);
  });

  it('before the record of an upload, and after the bytes of a deleted file are gone: so is all of both', async () => {
    const lock = await ground.lock('storage_usage');
    const lost = ground.upload(randomBytes(2_000_000));
    await expect.poll(lock.waiting).toBe(1);
    expect(ground.incoming()).toHaveLength(1);
    const { key = '' } = (await ground.rowOf(file(2))) ?? {};
    expect((await ground.send('DELETE', `/${file(2)}`))?.status).toBe(200);
    acknowledged.delete(file(2));
    await expect.poll(lock.waiting).toBe(2);
    await ground.kill();
    expect(await lost).toBeUndefined();
    expect(await ground.keys()).not.toContain(key);
    // Before the release: a statement that waited is still carried out, though nobody hears of it.
    expect(await ground.rowOf(file(2))).toMatchObject({ isDeleted: true });
    await lock.release();
    await ground.start();
    await expectSound(ground, acknowledged);
    expect(await ground.rowOf(file(2))).toBeUndefined();
  });

  it('wherever ten uploads are at the moment: those that were answered are there', async () => {
    const before = (await ground.rows()).length;
    const sent = Array.from({ length: 10 }, () => ground.upload(randomBytes(1_500_000)));
    await expect.poll(async () => (await ground.rows()).length, { interval: 1 }).toBeGreaterThan(before);
    await ground.kill();
    for (const answer of await Promise.all(sent))
      if (answer !== undefined) acknowledged.set(answer.bizId, 'ACTIVE');
    await ground.start();
    await expectSound(ground, acknowledged);
  });

  /** The other instance sweeps: the one that ended need not come back for that. */
  const onDisk = kind === 'disk' ? ['before', 'after'] : [];
  for (const when of onDisk) {
    it(`right ${when} the rename of an upload: nobody was answered, and nothing is left`, async () => {
      const before = await ground.rows();
      await ground.kill();
      await ground.startToDie(`${when} rename`);
      expect(await ground.upload(randomBytes(2_000_000))).toBeUndefined();
      await ground.ended;
      const [half] = (await ground.rows()).filter(({ isUnfinished }) => isUnfinished);
      expect((await ground.keys()).includes(half?.key ?? '')).toBe(when === 'after');
      await expectSound(ground, acknowledged);
      expect(await ground.rows()).toEqual(before);
    });

    it(`right ${when} the bytes of a deleted file go: all of it goes`, async () => {
      await ground.startToDie(`${when} unlink`);
      const { bizId = '' } = (await ground.upload(randomBytes(1000))) ?? {};
      const { key = '' } = (await ground.rowOf(bizId)) ?? {};
      await ground.send('DELETE', `/${bizId}`); // which may be answered
      await ground.ended;
      expect((await ground.keys()).includes(key)).toBe(when === 'before');
      expect(await ground.rowOf(bizId)).toMatchObject({ isDeleted: true });
      await expectSound(ground, acknowledged);
      expect(await ground.rowOf(bizId)).toBeUndefined();
    });
  }

  if (kind === 'S3')
    it('while the store takes and removes bytes: neither is left half-way', async () => {
      s3.pause();
      // More than sockets hold, so that the store has not got all of it.
      const lost = ground.upload(randomBytes(24_000_000));
      const isPending = async () => (await ground.rows()).some(({ isUnfinished }) => isUnfinished);
      await expect.poll(isPending).toBe(true);
      expect((await ground.send('DELETE', `/${file(1)}`))?.status).toBe(200);
      acknowledged.delete(file(1));
      await ground.kill();
      expect(await lost).toBeUndefined();
      s3.resume();
      expect(await ground.rowOf(file(1))).toMatchObject({ isDeleted: true });
      await ground.start();
      await expectSound(ground, acknowledged);
      expect(await ground.rowOf(file(1))).toBeUndefined();
    });
});
