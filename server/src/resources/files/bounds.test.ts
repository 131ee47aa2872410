import { afterAll, describe, expect, it } from 'vitest';
import { listen, openConnection, requestBytes } from '../../../test/raw-http.ts';
import { boundary, leftOf, upload, uploadForm } from '../../../test/support/files.ts';
import { openWorld, portalCall, tokenOf, type World, type WorldOptions } from '../../../test/world.ts';
import { demoFiles } from '../../demo/demo-files.ts';

const worlds: World[] = [];
afterAll(() => Promise.all(worlds.map((world) => world.close())));

async function open(options: WorldOptions) {
  const world = await openWorld(options);
  worlds.push(world);
  return { world, owner: await tokenOf(world, 'ACC_DEMO_OWNER') };
}

const loaded = demoFiles()
  .filter(({ n }) => n <= 250)
  .reduce((sum, { size }) => sum + size, 0);

describe('a quota', () => {
  it('is exact for uploads at once, refuses with 409 4095, and is given back with the bytes', async () => {
    const { world, owner } = await open({ env: { PORTICO_STORAGE_QUOTA: String(loaded + 10_000) } });
    const put = (size = 1000) => upload(world, owner, Buffer.alloc(size, 'x'));
    const before = await leftOf(world);
    const over = await put(10_001);
    expect([over.statusCode, over.json().code]).toEqual([409, '4095']);
    const answers = await Promise.all(Array.from({ length: 16 }, () => put()));
    const kept = answers.filter(({ statusCode }) => statusCode === 201);
    expect(kept.length).toBe(10);
    for (const answer of answers) if (!kept.includes(answer)) expect(answer.json().code).toBe('4095');
    expect(await leftOf(world)).toEqual({ records: before.records + 10, bytes: before.bytes + 10 });
    await portalCall(world, owner, { method: 'DELETE', url: `/web/v1/files/${kept[0]?.json().data.bizId}` });
    await expect.poll(async () => (await put()).statusCode).toBe(201);
    expect((await put()).json().code).toBe('4095');
  });

  it('of one institution is none of another', async () => {
    const { world } = await open({ env: { PORTICO_STORAGE_QUOTA: String(loaded) } });
    const fields = { institutionBizId: 'INST_OTHER', workspaceBizId: 'WS_OTHER', fileCategory: '8' };
    const outsider = await tokenOf(world, 'ACC_DEMO_OUTSIDER');
    expect((await upload(world, outsider, 'x', { fields })).statusCode).toBe(201);
  });
});

describe('uploads under way', () => {
  const begun = (token: string, length: number) =>
    requestBytes({
      method: 'POST',
      target: '/web/v1/files',
      headers: [
        ['Authorization', `Bearer ${token}`],
        ['Content-Type', `multipart/form-data; boundary=${boundary}`],
        ['Content-Length', String(length)],
      ],
    });

  it('are sixteen of one caller, who is told 429 4290 of more, while others go on; none holds a connection to the database', async () => {
    const { world, owner } = await open({});
    const port = await listen(world);
    const { uploads } = world.services.files;
    const form = uploadForm('x');
    const slow = Array.from({ length: 16 }, () => openConnection(port));
    for (const each of slow) each.send(Buffer.concat([begun(owner, form.length), form.subarray(0, -4)]));
    await expect.poll(() => uploads.busy()).toBe(16);
    const more = await upload(world, owner, 'y');
    expect([more.statusCode, more.json().code, more.headers['retry-after']]).toEqual([429, '4290', '1']);
    const other = await tokenOf(world, 'ACC_DEMO_OUTSIDER');
    const fields = { institutionBizId: 'INST_OTHER', workspaceBizId: 'WS_OTHER', fileCategory: '8' };
    expect((await upload(world, other, 'y', { fields })).statusCode).toBe(201);
    await expect.poll(() => world.db.lanes().map(({ busy }) => busy)).toEqual([0, 0, 0, 0]);
    for (const each of slow) each.send(form.subarray(-4));
    for (const each of slow) expect((await each.answers())[0]?.status).toBe(201);
    for (const each of slow) each.close();
    expect(uploads.busy()).toBe(0);
  });

  it('may last longer than any other request once the file began, as long as bytes arrive', async () => {
    const { world, owner } = await open({ timeouts: { headersMs: 200, requestMs: 400 } });
    const port = await listen(world);
    const form = uploadForm('x'.repeat(100));
    const [slow, other] = [openConnection(port), openConnection(port)];
    slow.send(Buffer.concat([begun(owner, form.length), form.subarray(0, -80)]));
    await expect.poll(() => world.services.files.uploads.busy()).toBe(1);
    const headers = [
      ['Authorization', `Bearer ${owner}`],
      ['Content-Type', 'application/json'],
      ['Content-Length', '100'],
    ] as const;
    other.send(requestBytes({ method: 'POST', target: '/web/v1/auth/logout', headers }));
    const [late] = await other.answers();
    expect(late?.status).toBe(408);
    slow.send(form.subarray(-80));
    expect((await slow.answers())[0]?.status).toBe(201);
    slow.close();
    other.close();
  });
});

describe('where a scanner is set', () => {
  it('an upload is PROCESSING, and nobody gets its content before it was looked at', async () => {
    const { world, owner } = await open({ env: { PORTICO_CLAMD: '127.0.0.1:1' } });
    const { bizId, fileStatus } = (await upload(world, owner, 'x')).json().data;
    expect(fileStatus).toBe('PROCESSING');
    const answer = await portalCall(world, owner, { method: 'GET', url: `/web/v1/files/${bizId}/content` });
    expect([answer.statusCode, answer.json().code]).toEqual([409, '4091']);
  });
});
