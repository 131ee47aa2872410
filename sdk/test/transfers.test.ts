import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import { createKey, signIn } from '../../server/test/world.ts';
import {
  type Change,
  ConflictError,
  InvalidInputError,
  NotFoundError,
  Portico,
  type Transfer,
} from '../src/index.ts';
import { PorticoPortal } from '../src/portal/index.ts';
import {
  allScopes,
  answer,
  envelope,
  openClient,
  openLoopback,
  openService,
  type Service,
  someKey,
} from './service.ts';

let service: Service;
let client: Portico;
beforeAll(async () => {
  service = await openService();
  client = await openClient(service, { scopes: allScopes, mode: 2 });
});
afterAll(() => service.close());

const money = (amount: string) => ({ amount, currency: 'USD' });

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('a transfer', () => {
  it('is created, shown, listed and cancelled', async () => {
    const created = await client.transfers.create({ ...money('12.17'), reference: 'Miete Zürich 送金' });
    expect(created).toMatchObject({ amount: '12.17', status: 'PENDING', reference: 'Miete Zürich 送金' });
    expect(await client.transfers.get(created.transferId)).toEqual(created);
    const { content } = await client.transfers.list({ reference: 'Miete Zürich 送金' });
    expect(content).toEqual([created]);
    const cancelled = await client.transfers.cancel(created.transferId);
    expect(cancelled).toMatchObject({ transferId: created.transferId, status: 'CANCELLED' });
    await expect(client.transfers.cancel(created.transferId)).rejects.toThrow(ConflictError);
  });

  it('that is misshaped is refused by field, and one that is not there is not found', async () => {
    const refused = client.transfers.create({ amount: '12.5', currency: 'USD' });
    await expect(refused).rejects.toThrow(InvalidInputError);
    await expect(refused).rejects.toMatchObject({ fields: [{ field: 'amount' }] });
    await expect(client.transfers.get('TRF_NOWHERE')).rejects.toThrow(NotFoundError);
    expect(() => client.transfers.get('..')).toThrow(TypeError);
    await expect(client.transfers.cancel('../../ping?x')).rejects.toThrow(NotFoundError);
  });

  it('is created once, however often its answer is lost', async () => {
    let answers = 0;
    const losing: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      if (answers++ < 2) throw new TypeError('the answer was lost');
      return response;
    };
    const key = await createKey(service.world, { scopes: allScopes, mode: 2 });
    const unlucky = new Portico({ baseUrl: service.url, ...key, fetch: losing, sleep: async () => {} });
    const reference = `lost ${key.apiKeyId}`;
    const { data, response } = await unlucky.transfers.create({ ...money('1.17'), reference }).withResponse();
    expect([response.isReplay, answers]).toEqual([true, 3]);
    expect((await client.transfers.list({ reference })).content).toEqual([data]);
  });

  it('on the portal is created, shown and cancelled by people', async () => {
    const portal = new PorticoPortal({ baseUrl: service.url, accessToken: await signIn(service.world) });
    const created = await portal.createWorkspaceTransfer('WS_DEMO', { ...money('5.17'), mode: 2 });
    expect(await portal.getWorkspaceTransfer('WS_DEMO', created.transferId)).toEqual(created);
    const cancelled = await portal.cancelWorkspaceTransfer('WS_DEMO', created.transferId);
    expect(cancelled.status).toBe('CANCELLED');
    await expect(
      portal.setTransferStatus(created.transferId, { status: 'PROCESSING' }),
    ).rejects.toMatchObject({
      status: 403,
    });
  });
});

describe('changes', () => {
  /** As if the service had done it at that time: seen only now. */
  const touch = (transferId: string, updatedAt: string) =>
    service.world.db.query(sql`
      update transfers set updated_at = ${updatedAt}::timestamptz where biz_id = ${transferId}`);
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

  it('are everything at first, in the order of their times, and then nothing', async () => {
    const all = await collect(client.transfers.changes());
    const { page } = await client.transfers.list({ size: 1 });
    expect(new Set(all.map(({ transfer }) => transfer.transferId)).size).toBe(page.totalElements);
    expect(all).toHaveLength(page.totalElements);
    const times = all.map(({ transfer }) => transfer.updatedAt);
    expect(times).toEqual(times.toSorted());
    const cursor = all.at(-1)?.cursor;
    const again = await collect(
      client.transfers.changes({ since: new Date(Date.now() + 3_600_000).toISOString() }),
    );
    expect([again, cursor !== undefined]).toEqual([[], true]);
  });

  it('go on from a cursor: what came meanwhile, what was kept late, and what is a minute old again', async () => {
    const { transferId } = await client.transfers.create(money('2.17'));
    const [late, old] = (await client.transfers.list({ sort: 'updatedAt,asc', size: 2 })).content;
    const since = (await collect(client.transfers.changes())).at(-1)?.cursor ?? '';
    await touch(late?.transferId ?? '', ago(30_000));
    await touch(old?.transferId ?? '', ago(3_600_000));
    const ids = (await collect(client.transfers.changes({ since }))).map(
      ({ transfer }) => transfer.transferId,
    );
    expect(ids).toContain(transferId);
    expect(ids).toContain(late?.transferId);
    expect(ids).not.toContain(old?.transferId);
  });

  it('miss none of hundreds that share a millisecond, while they change', async () => {
    const at = '2024-02-29T12:00:00.123Z';
    const live = await openClient(service, { scopes: allScopes });
    await service.world.db.query(sql`
      update transfers set updated_at = ${at}::timestamptz
      where mode = 'LIVE' and workspace_id = (select id from workspaces where biz_id = 'WS_DEMO')`);
    const { page } = await live.transfers.list({ size: 1 });
    expect(page.totalElements).toBe(240);
    const seen = new Map<string, string>();
    for await (const { transfer } of live.transfers.changes({ since: '2024-02-29T12:00:30Z' })) {
      if (seen.size % 40 === 0) await touch(transfer.transferId, ago(0));
      seen.set(transfer.transferId, transfer.updatedAt);
    }
    expect(seen.size).toBe(240);
  });

  it('are all seen by who follows sixteen writers, each state that lasts', async () => {
    const writers = await Promise.all(
      Array.from({ length: 16 }, () => openClient(service, { scopes: allScopes, mode: 2 })),
    );
    const copy = new Map<string, Transfer>();
    const controller = new AbortController();
    let changes = 0;
    let repeated = 0;
    const follow = async () => {
      const options = { signal: controller.signal };
      for await (const { transfer } of client.transfers.changes({ since: ago(0), everyMs: 20 }, options)) {
        changes += 1;
        if (copy.get(transfer.transferId)?.updatedAt === transfer.updatedAt) repeated += 1;
        copy.set(transfer.transferId, transfer);
      }
    };
    const following = follow().catch((reason: unknown) => reason);
    const write = async (writer: Portico, index: number) => {
      for (let count = 0; count < 12; count++) {
        const { transferId } = await writer.transfers.create(money(`${index + 1}${count}17.17`));
        if (count % 2 === 0) await writer.transfers.cancel(transferId);
      }
    };
    await Promise.all(writers.map(write));
    const wanted = (await collect(client.transfers.items())).filter(({ amount }) => amount.endsWith('17.17'));
    expect(wanted).toHaveLength(192);
    await expect.poll(() => wanted.filter(({ transferId }) => !copy.has(transferId))).toEqual([]);
    await expect.poll(() => wanted.map(({ transferId }) => copy.get(transferId))).toEqual(wanted);
    controller.abort(new Error('enough'));
    expect(await following).toEqual(new Error('enough'));
    expect([repeated, changes >= 192]).toEqual([0, true]);
  });

  it('never give a cursor past the first answer of their pass, so that what is kept late is asked for again', async () => {
    const records = [1, 2].map((id) => ({ transferId: `T${id}`, updatedAt: `2026-01-01T00:00:0${id}.000Z` }));
    const page = { number: 0, totalPages: 1, totalElements: 2, size: 100 };
    const loopback = await openLoopback(
      answer(200, {
        ...envelope({ content: records, page }),
        timestamp: Date.parse('2026-01-01T00:00:01.500Z'),
      }),
    );
    const other = new Portico({ baseUrl: loopback.url, ...someKey });
    const given: Change[] = await collect(other.transfers.changes({ since: '2026-01-01T00:00:00Z' }));
    expect(given.map(({ cursor }) => cursor)).toEqual([
      '2026-01-01T00:00:01.000Z',
      '2026-01-01T00:00:01.500Z',
    ]);
    const asked = new URL(loopback.requests[0]?.url ?? '', loopback.url).searchParams;
    expect(Object.fromEntries(asked)).toEqual({
      sort: 'updatedAt,asc',
      size: '100',
      updatedFrom: '2025-12-31T23:59:00.000Z',
    });
    await loopback.close();
  });
});
