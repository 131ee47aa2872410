import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionSuite } from '../../../test/suites/collection.ts';
import { createKey, openWorld, portalCall, signedCall, signIn, type World } from '../../../test/world.ts';
import { TransferRecord } from '../../transfers/record.ts';
import { workspaceTransfers } from './workspace-collection.ts';

const tokens = new WeakMap<World, Promise<string>>();
const ownerOf = (world: World) => {
  const token = tokens.get(world) ?? signIn(world);
  tokens.set(world, token);
  return token;
};

const get = async (world: World, query: string, workspace = 'WS_DEMO', token = ownerOf(world)) =>
  portalCall(world, await token, {
    method: 'GET',
    url: `/web/v1/workspaces/${workspace}/transfers${query}`,
  });

for (const [mode, total] of [
  ['LIVE', 240],
  ['TEST', 60],
] as const) {
  collectionSuite({
    name: `${mode} transfers of a workspace`,
    shape: 'nested',
    fields: Object.keys(TransferRecord.properties),
    sortable: Object.keys(workspaceTransfers.sortable),
    defaultSort: 'createdAt,desc',
    id: 'transferId',
    total: async () => total,
    get: (world, query, noMatch) =>
      get(world, `${query}${query === '' ? '?' : '&'}mode=${mode}${noMatch ? '&currency=XXX' : ''}`),
  });
}

describe('transfers of a workspace', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const dataOf = async (query: string) => (await get(world, query)).json().data;
  const total = async (query: string) => (await dataOf(query)).page.totalElements;

  it('are the LIVE ones unless TEST is asked for, by name or by code', async () => {
    expect([await total(''), await total('?mode=LIVE'), await total('?mode=TEST')]).toEqual([240, 240, 60]);
    expect(await dataOf('')).toEqual(await dataOf('?mode=LIVE'));
    expect(await dataOf('?mode=1')).toEqual(await dataOf('?mode=LIVE'));
    expect(await dataOf('?mode=2')).toEqual(await dataOf('?mode=TEST'));
  });

  it.each([
    ['LIVE', 1],
    ['TEST', 2],
  ])('are, in mode %s, what a key of that mode sees, filters and order included', async (name, mode) => {
    const key = await createKey(world, { mode });
    const { content } = await dataOf(`?mode=${name}&size=50&sort=createdAt,asc`);
    const [from, to] = [content[10].createdAt, content[40].createdAt];
    for (const query of [
      'size=50',
      'status=COMPLETED&sort=amount,asc',
      'currency=JPY&status=FAILED',
      `createdFrom=${from}&createdTo=${to}&page=1&size=3`,
    ]) {
      const seen = (await signedCall(world, key, { url: `/api/v1/transfers?${query}` })).json().data;
      expect([query, await dataOf(`?mode=${name}&${query}`)]).toEqual([query, seen]);
    }
  });

  it('are shown to every role of the workspace', async () => {
    const response = await get(world, '', 'WS_DEMO', signIn(world, 'viewer@demo.test'));
    expect([response.statusCode, response.json().data.page.totalElements]).toEqual([200, 240]);
  });

  it('of a foreign and of an unknown workspace answer alike: 403 4030, before the page is judged', async () => {
    const outsider = signIn(world, 'outsider@demo.test');
    const foreign = await get(world, '?page=-1', 'WS_DEMO', outsider);
    const unknown = await get(world, '?page=-1', 'WS_NOWHERE', outsider);
    const sibling = await get(world, '', 'WS_DEMO_2');
    expect([foreign.statusCode, foreign.json().code]).toEqual([403, '4030']);
    expect(unknown.json()).toEqual(foreign.json());
    expect(sibling.json()).toEqual(foreign.json());
    expect((await get(world, '', 'WS_OTHER', outsider)).json().data.page.totalElements).toBe(12);
  });

  it.each([
    'mode=live',
    'mode=3',
    'mode=01',
    'mode=toString',
    'mode=__proto__',
    'mode=',
    'mode=LIVE&mode=TEST',
    'status=DONE',
    'currency=usd',
  ])('refuses %s with 400 4000 that names the filter', async (query) => {
    const response = await get(world, `?${query}`);
    expect([response.statusCode, response.json().code]).toEqual([400, '4000']);
    expect(response.json().message).toContain(query.split('=')[0]);
  });

  it('have their mode in the links to other pages', async () => {
    const { headers } = await get(world, '?mode=TEST&size=10&junk=1');
    expect(headers.link).toContain('/web/v1/workspaces/WS_DEMO/transfers?');
    expect(headers.link).toContain('mode=TEST');
    expect(headers.link).not.toContain('junk');
  });
});
