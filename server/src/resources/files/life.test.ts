import { copyFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leftOf, upload } from '../../../test/support/files.ts';
import { openWorld, portalCall, tokenOf, type World } from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';
import { fileStatuses } from '../../files/names.ts';
import { StorageFailure } from '../../storage/failure.ts';
import { finishRemovals, scanNext, sweepIncoming } from './upkeep.ts';

let world: World;
let owner: string;
beforeAll(async () => {
  world = await openWorld();
  owner = await tokenOf(world, 'ACC_DEMO_OWNER');
});
afterAll(() => world.close());

type Answer = { statusCode: number; json(): { code: string; data: { fileStatus: string } } };
const expectCode = (answer: Answer, status: number, code: string) =>
  expect([answer.statusCode, answer.json().code]).toEqual([status, code]);

const put = async (data: string) =>
  (await upload(world, owner, data)).json().data as { bizId: string; objectKey: string };
const become = (bizId: string, change: ReturnType<typeof sql>) =>
  world.db.query(sql`update files set ${change} where biz_id = ${bizId}`);
const call = (method: 'GET' | 'POST' | 'DELETE', bizId: string, path = '', token = owner) =>
  portalCall(world, token, { method, url: `/web/v1/files/${bizId}${path}` });
const statusOf = async (bizId: string) => (await call('GET', bizId)).json().data?.fileStatus;
const actionsOf = async (bizId: string) =>
  (
    await world.db.query<{ action: string }>(
      sql`select action from audit_waiting where subject_id = ${bizId} order by id`,
    )
  ).map(({ action }) => action);

describe('the life of a file', () => {
  it('goes from ACTIVE to ARCHIVED and back, and every other step of these two is 409 4091', async () => {
    const { bizId } = await put('a life');
    const takes = async (path: string) => {
      const taken: string[] = [];
      for (const status of Object.values(fileStatuses)) {
        await become(bizId, sql`status = ${status}::file_status`);
        const answer = await call('POST', bizId, path);
        if (answer.statusCode === 200) taken.push(`${status} -> ${answer.json().data.fileStatus}`);
        else expectCode(answer, 409, '4091');
      }
      return taken;
    };
    expect(await takes('/archive')).toEqual(['ACTIVE -> ARCHIVED']);
    expect(await takes('/restore')).toEqual(['ARCHIVED -> ACTIVE']);
    expect(await actionsOf(bizId)).toEqual(['file.created', 'file.archived', 'file.restored']);
  });

  it('serves the content of what is ACTIVE, ARCHIVED or EXPIRED, and of nothing else: 409 4091', async () => {
    const { bizId } = await put('served or not');
    const served: string[] = [];
    for (const status of Object.values(fileStatuses)) {
      await become(bizId, sql`status = ${status}::file_status`);
      const answer = await call('GET', bizId, '/content');
      if (answer.statusCode === 200) served.push(status);
      else expectCode(answer, 409, '4091');
    }
    expect(served).toEqual(['ACTIVE', 'ARCHIVED', 'EXPIRED']);
  });

  it('ends with a deletion from every status but PENDING: record and bytes are gone, and the log remembers', async () => {
    for (const status of Object.values(fileStatuses)) {
      const before = await leftOf(world);
      const { bizId } = await put(`deleted from ${status}`);
      await become(bizId, sql`status = ${status}::file_status`);
      const answer = await call('DELETE', bizId);
      if (status === 'PENDING') {
        expectCode(answer, 409, '4091');
        await become(bizId, sql`status = 'ACTIVE'`);
        await call('DELETE', bizId);
      } else expect([status, answer.statusCode, answer.json().data]).toEqual([status, 200, null]);
      expectCode(await call('GET', bizId), 404, '4040');
      await expect.poll(() => leftOf(world)).toEqual(before);
      expect((await actionsOf(bizId)).at(-1)).toBe('file.deleted');
    }
  });

  it('is lived by owners and members of its workspace alone; others who see it get 403 4030, the rest 404 4040', async () => {
    const { bizId } = await put('not for all');
    const viewer = await tokenOf(world, 'ACC_DEMO_VIEWER');
    const outsider = await tokenOf(world, 'ACC_DEMO_OUTSIDER');
    const all = (token: string) =>
      Promise.all([
        call('POST', bizId, '/archive', token),
        call('POST', bizId, '/restore', token),
        call('DELETE', bizId, '', token),
      ]);
    for (const answer of await all(viewer)) expectCode(answer, 403, '4030');
    for (const answer of await all(outsider)) expectCode(answer, 404, '4040');
    // In the other workspace of the institution the owner has no role.
    expectCode(await call('POST', 'FILE_0000000003', '/archive'), 403, '4030');
    await world.db.query(sql`
      update workspace_members set role = 'MEMBER' where account_id = (select id from accounts where biz_id = 'ACC_DEMO_VIEWER')`);
    expect((await call('POST', bizId, '/archive', viewer)).statusCode).toBe(200);
  });
});

describe('what a crash leaves', () => {
  const sweep = () => finishRemovals(world.services, world.db);

  it('of an upload is removed by any instance, once nobody says that it goes on', async () => {
    const before = await leftOf(world);
    const { bizId } = await put('half-way');
    await become(
      bizId,
      sql`status = 'PENDING', due_at = ${new Date(world.clock.now() + 1000).toISOString()}::timestamptz`,
    );
    await sweep();
    expect(await statusOf(bizId)).toBe('PENDING');
    world.clock.advance(2);
    await sweep();
    expect(await leftOf(world)).toEqual(before);
  });

  it('of bytes that the store took and did not answer for is removed when they can no longer come', async () => {
    const before = await leftOf(world);
    const { storage } = world.services.files;
    const { put: store } = storage;
    let arrive = async () => {};
    storage.put = async (key, file) => {
      const late = `${file}-late`;
      await copyFile(file, late);
      arrive = () => store(key, late);
      throw new StorageFailure('no answer');
    };
    try {
      expectCode(await upload(world, owner, 'late'), 503, '5030');
    } finally {
      storage.put = store;
    }
    await sweep();
    await arrive();
    world.clock.advance(121);
    await sweep();
    expect(await leftOf(world)).toEqual(before);
  });

  it('of a deletion is removed too, also when its bytes are gone already', async () => {
    const before = await leftOf(world);
    for (const isGone of [false, true]) {
      const { bizId, objectKey } = await put('deleted half-way');
      await become(bizId, sql`deleted_at = now(), due_at = now() - interval '1 s'`);
      if (isGone) await world.services.files.storage.remove(objectKey);
      await sweep();
      expect(await leftOf(world)).toEqual(before);
    }
  });

  it('is taken from each other by no two instances, and one that the store fails at waits for the next sweep', async () => {
    const { bizId } = await put('fails');
    await become(bizId, sql`deleted_at = now(), due_at = now() - interval '1 s'`);
    const failing = { ...world.services.files.storage, remove: () => Promise.reject(new Error('away')) };
    const files = { ...world.services.files, storage: failing };
    await expect(finishRemovals({ ...world.services, files }, world.db)).rejects.toThrow('away');
    const before = await leftOf(world);
    await sweep();
    expect(await leftOf(world)).toEqual(before);
    world.clock.advance(121);
    await sweep();
    expect((await leftOf(world)).records).toBe(before.records - 1);
  });

  it('leaves alone what nobody has to finish: PENDING records that came from elsewhere', async () => {
    const pending = async () =>
      (await world.db.query(sql`select 1 from files where status = 'PENDING' and bucket = 'portico-demo'`))
        .length;
    const before = await pending();
    await sweep();
    await sweepIncoming(world.services);
    expect([before > 0, await pending()]).toEqual([true, before]);
  });
});

describe('a scanner', () => {
  const withScanner = (scan: NonNullable<World['services']['files']['scan']>) => ({
    ...world.services,
    files: { ...world.services.files, scan },
  });
  const processing = async (data: string) => {
    const { bizId } = await put(data);
    await become(bizId, sql`status = 'PROCESSING', due_at = now() - interval '1 s'`);
    return bizId;
  };
  const read = async (content: AsyncIterable<Buffer>) => {
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };

  it('makes what it finds clean ACTIVE and the rest QUARANTINED, by the bytes, with a record of each', async () => {
    const scanning = withScanner(async (content) =>
      (await read(content)).includes('evil') ? { found: 'Evil.Test' } : 'CLEAN',
    );
    const [clean, evil] = [await processing('good bytes'), await processing('evil bytes')];
    while (await scanNext(scanning, world.db));
    expect([await statusOf(clean), await statusOf(evil)]).toEqual(['ACTIVE', 'QUARANTINED']);
    expectCode(await call('GET', evil, '/content'), 409, '4091');
    expect((await actionsOf(clean)).at(-1)).toBe('file.activated');
    expect((await actionsOf(evil)).at(-1)).toBe('file.quarantined');
  });

  it('that is away leaves a file PROCESSING until it is back', async () => {
    const away = withScanner(() => Promise.reject(new Error('no scanner')));
    const bizId = await processing('waits');
    await expect(scanNext(away, world.db)).rejects.toThrow('no scanner');
    expect(await statusOf(bizId)).toBe('PROCESSING');
    const back = withScanner(async () => 'CLEAN');
    expect(await scanNext(back, world.db)).toBe(false);
    world.clock.advance(16);
    while (await scanNext(back, world.db));
    expect(await statusOf(bizId)).toBe('ACTIVE');
  });

  it('says nothing of a file that was deleted while it looked', async () => {
    const bizId = await processing('deleted meanwhile');
    const deleting = withScanner(async () => {
      expect((await call('DELETE', bizId)).statusCode).toBe(200);
      return { found: 'Evil.Test' };
    });
    expect(await scanNext(deleting, world.db)).toBe(true);
    expect((await actionsOf(bizId)).at(-1)).toBe('file.deleted');
  });
});
