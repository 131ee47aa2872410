import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Connection, listen, openConnection, requestBytes } from '../../../test/raw-http.ts';
import { boundary, sha256, signedUpload, upload, uploadForm } from '../../../test/support/files.ts';
import {
  createKey,
  type Key,
  openWorld,
  portalCall,
  signatureHeaders,
  tokenOf,
  type World,
} from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';

let world: World;
let owner: string;
let viewer: string;
let outsider: string;
let port: number;
beforeAll(async () => {
  world = await openWorld();
  owner = await tokenOf(world, 'ACC_DEMO_OWNER');
  viewer = await tokenOf(world, 'ACC_DEMO_VIEWER');
  outsider = await tokenOf(world, 'ACC_DEMO_OUTSIDER');
  port = await listen(world);
});
afterAll(() => world.close());

const uploads = () => world.services.files.uploads.busy();
const elsewhere = {
  fields: { institutionBizId: 'INST_OTHER', workspaceBizId: 'WS_OTHER', fileCategory: '8' },
};

/** A signed upload whose body begins and does not end. */
function begin(key: Key): Connection {
  const url = '/api/v1/files?filename=a&fileCategory=8';
  const states = sha256('x'.repeat(1000));
  const signed = signatureHeaders(world, key, { method: 'POST', url, statedHash: states });
  const headers = { ...signed, 'X-Content-Sha256': states, 'Content-Length': '1000' };
  const connection = openConnection(port);
  connection.send(requestBytes({ method: 'POST', target: url, headers: Object.entries(headers) }));
  connection.send('x');
  return connection;
}

const answered = async (connections: Connection[]) =>
  (await Promise.all(connections.map((each) => each.ended()))).map(([answer]) => [
    answer?.status,
    JSON.parse(answer?.text ?? '{}').code,
  ]);

describe('uploads of one institution that never end', () => {
  it('take a quarter of the places by however many keys of all its workspaces, and others upload meanwhile', async () => {
    await world.db.query(sql`
      insert into workspace_members (account_id, workspace_id, role, joined_at)
      select a.id, w.id, 'OWNER', now() from accounts a, workspaces w
      where a.biz_id = 'ACC_DEMO_OWNER' and w.biz_id = 'WS_DEMO_2'`);
    const keys: Key[] = [];
    for (let n = 0; n < 17; n += 1)
      keys.push(
        await createKey(world, { mode: 2, scopes: ['files:write'] }, n % 3 ? 'WS_DEMO' : 'WS_DEMO_2'),
      );
    const begun = keys.flatMap((key) => Array.from({ length: 16 }, () => begin(key)));
    const isOver = (connection: Connection) => connection.socket.readableEnded;
    await expect.poll(() => begun.filter(isOver).length).toBe(17 * 16 - 64);
    expect(uploads()).toBe(64);
    for (const answer of await answered(begun.filter(isOver))) expect(answer).toEqual([429, '4290']);
    expect((await upload(world, outsider, 'y', elsewhere)).statusCode).toBe(201);
    const own = await upload(world, owner, 'y');
    expect([own.statusCode, own.json().code]).toEqual([429, '4290']);
    for (const each of begun) each.close();
    await expect.poll(uploads).toBe(0);
    expect((await upload(world, owner, 'y')).statusCode).toBe(201);
  });

  it('of so many institutions that no place is left are 503 5030 with Retry-After for one that has none', async () => {
    const taken: (() => void)[] = [];
    for (let n = 0; n < 256; n += 1)
      taken.push(await world.services.files.uploads.enter({ tenant: `other ${n}`, caller: `caller ${n}` }));
    const late = await upload(world, outsider, 'y', elsewhere);
    expect([late.statusCode, late.json().code, late.headers['retry-after']]).toEqual([503, '5030', '1']);
    const key = await createKey(world, { scopes: ['files:write'] });
    expect((await signedUpload(world, key, Buffer.from('y'))).json().code).toBe('5030');
    for (const leave of taken) leave();
    expect((await upload(world, outsider, 'y', elsewhere)).statusCode).toBe(201);
  });
});

describe('forms that never get to their file', () => {
  const begun = (token: string) => {
    const form = uploadForm('x');
    const head = requestBytes({
      method: 'POST',
      target: '/web/v1/files',
      headers: [
        ['Authorization', `Bearer ${token}`],
        ['Content-Type', `multipart/form-data; boundary=${boundary}`],
        ['Content-Length', String(form.length)],
      ],
    });
    return Buffer.concat([head, form.subarray(0, 40)]);
  };

  it('take no place, nor does who may not upload', async () => {
    const open = Array.from({ length: 16 }, () => openConnection(port));
    for (const each of open) each.send(begun(viewer));
    await expect
      .poll(async () => (await portalCall(world, undefined, { method: 'GET', url: '/metrics' })).body)
      .toMatch(/portico_requests_in_flight 16\n/);
    const told = await upload(world, viewer, 'x');
    expect([told.statusCode, told.json().code, uploads()]).toEqual([403, '4030', 0]);
    for (const each of open) each.close();
  });

  it('have the time of any other body, however their bytes trickle: 408 4080', async () => {
    const hasty = await openWorld({ timeouts: { headersMs: 20_000, requestMs: 300 } });
    const connection = openConnection(await listen(hasty));
    connection.send(begun(await tokenOf(hasty, 'ACC_DEMO_OWNER')));
    const trickle = setInterval(() => connection.send('x'), 50);
    expect(await answered([connection])).toEqual([[408, '4080']]);
    clearInterval(trickle);
    await hasty.close();
  });
});

describe('downloads of one institution that nobody reads', () => {
  it('are a quarter of all by however many accounts, and those of others are served', async () => {
    const mine = (await upload(world, owner, 'mine')).json().data.bizId;
    const other = (await upload(world, outsider, 'other', elsewhere)).json().data.bizId;
    const { downloads } = world.services.files;
    const [row] = await world.db.query<{ id: number }>(
      sql`select id from institutions where biz_id = 'INST_DEMO'`,
    );
    const taken: (() => void)[] = [];
    for (let n = 0; n < 512; n += 1)
      taken.push(await downloads.enter({ tenant: row?.id ?? 0, caller: `account ${n % 4}` }));
    const get = (token: string, bizId: string) =>
      portalCall(world, token, { method: 'GET', url: `/web/v1/files/${bizId}/content` });
    expect((await get(owner, mine)).json().code).toBe('4290');
    expect((await get(outsider, other)).body).toBe('other');
    for (const leave of taken) leave();
    expect((await get(owner, mine)).body).toBe('mine');
  });
});
