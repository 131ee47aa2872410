import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import { dummyTurnstile } from '../../server/test/world.ts';
import { type NestedPage, Portico, PorticoError, type Transfer } from '../src/index.ts';
import { PorticoPortal } from '../src/portal/index.ts';
import { allScopes, envelope, openClient, openLoopback, openService, someKey } from './service.ts';

let service: Awaited<ReturnType<typeof openService>>;
let client: Awaited<ReturnType<typeof openClient>>;
beforeAll(async () => {
  service = await openService();
  client = await openClient(service);
});
afterAll(() => service.close());

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('the first calls', () => {
  it('ping answers with the time of the service', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { pong, serverTime } = await client.ping();
    expect(pong).toBe(true);
    expect(serverTime).toBeGreaterThanOrEqual(before);
    expect(serverTime).toBeLessThanOrEqual(Date.now() / 1000);
  });

  it('whoami tells who signs', async () => {
    const { apiKeyId } = client.key;
    expect(await client.whoami()).toMatchObject({
      apiKeyId,
      workspaceBizId: 'WS_DEMO',
      mode: 'LIVE',
      scopes: allScopes,
      ip: '127.0.0.1',
    });
  });

  it('call gives the whole envelope of any path', async () => {
    const path = '/api/v1/transfers?sort=status,desc&size=2&page=1&sort=amount,asc';
    const { data, ...head } = await client.call<NestedPage<Transfer>>('get', path);
    expect(head).toMatchObject({ version: '1.0.0', success: true, code: '2000', message: 'SUCCESS' });
    expect(data.page).toMatchObject({ number: 1, size: 2, totalElements: 240 });
  });

  it.each([
    '/api/v1/transfers?size=1&x=Zürich 送金',
    '/api/v1/transfers?size=1&%zz=%&&=&a+b=c%20d#fragment',
    '/api/v1/transfers?size=1&\'"<>`{}|=^',
  ])('signs what fetch makes of %s', async (path) => {
    // A wrong signature would have been told first.
    await expect(client.call('GET', path)).rejects.toThrow(/is not a parameter of this endpoint/);
  });

  it('signs the path that fetch makes of one with a dot', async () => {
    const { data } = await client.call<NestedPage<Transfer>>('GET', '/api/v1/./transfers?');
    expect(data.page.totalElements).toBe(240);
  });

  it.each(['/web/v1/auth/me', '/api/../web/v1/auth/me', '/api', 'https://other.test/api/v1/ping', ''])(
    'refuses to sign the path %s',
    async (path) => {
      await expect(client.call('GET', path)).rejects.toThrow('path must begin with /api/');
    },
  );

  it('sends and signs a body as JSON', async () => {
    const loopback = await openLoopback(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      const { 'content-type': media } = request.headers;
      response.end(JSON.stringify(envelope({ method: request.method, media, text })));
    });
    const other = new Portico({ baseUrl: loopback.url, ...someKey });
    const { data } = await other.call('post', '/api/v1/things', { name: 'Zoë' });
    expect(data).toEqual({ method: 'POST', media: 'application/json', text: '{"name":"Zoë"}' });
    await loopback.close();
  });
});

describe('a base path', () => {
  it('is called and not signed', async () => {
    const based = await openService({ env: { PORTICO_BASE_PATH: '/partner/api' } });
    const visitor = new PorticoPortal({ baseUrl: based.url, turnstileToken: dummyTurnstile });
    const { accessToken } = await visitor.login({ email: 'owner@demo.test', password: 'portico-demo' });
    const portal = new PorticoPortal({ baseUrl: based.url, accessToken });
    const created = await portal.createApiKey('WS_DEMO', { name: 'based', scopes: ['transfers:read'] });
    const key = { apiKeyId: created.apiKeyId, secret: created.secret ?? '' };
    for (const baseUrl of [based.url, `${based.url}/`]) {
      const { page } = await new Portico({ baseUrl, ...key }).transfers.list({ size: 1 });
      expect(page.totalElements).toBe(240);
    }
    await based.close();
  });
});

describe('collections', () => {
  it('list transfers by filter, page and order', async () => {
    const { content, page } = await client.transfers.list({
      status: 'COMPLETED',
      size: 5,
      sort: ['currency,asc', 'amount,desc'],
    });
    expect(page).toMatchObject({ size: 5, number: 0 });
    expect(content).toHaveLength(5);
    expect(content.every(({ status }) => status === 'COMPLETED')).toBe(true);
    const [first] = content;
    expect(await client.transfers.list({ size: 1, status: 'COMPLETED', sort: 'currency,asc' })).toMatchObject(
      {
        content: [{ currency: first?.currency }],
      },
    );
    const { createdAt = '' } = (await client.transfers.list({ size: 1 })).content[0] ?? {};
    const from = (await client.transfers.list({ createdFrom: createdAt })).page.totalElements;
    const to = (await client.transfers.list({ createdTo: createdAt })).page.totalElements;
    expect(from).toBeGreaterThan(0);
    expect(from + to).toBe(240);
  });

  it('list files and channel types by their filters', async () => {
    const files = await client.files.list({ fileStatus: 1, fileCategory: 7 });
    expect(files.page.totalElements).toBeGreaterThan(0);
    expect(files.content.every(({ fileStatus }) => fileStatus === 'ACTIVE')).toBe(true);
    expect(files.content.every(({ fileCategory }) => fileCategory === 'CONTRACT')).toBe(true);
    const types = await client.channelTypes.list({ enabledOnly: true });
    expect(types.content.map(({ typeCode }) => typeCode)).toEqual(['EMAIL', 'SMS', 'IN_APP', 'WEBHOOK']);
    expect((await client.channelTypes.list({ typeCode: 'VOICE' })).content[0]?.typeStatus).toBe('DISABLED');
  });

  it('go through all 240 transfers, each once', async () => {
    const all = await collect(client.transfers.items({ size: 7 }));
    expect(new Set(all.map(({ transferId }) => transferId)).size).toBe(240);
    expect(all).toHaveLength(240);
    expect(await collect(client.transfers.items())).toEqual(all);
  });

  it('go through pages from the one asked for to the last', async () => {
    const pages = await collect(client.transfers.pages({ size: 50, page: 2 }));
    expect(pages.map(({ page, content }) => [page.number, content.length])).toEqual([
      [2, 50],
      [3, 50],
      [4, 40],
    ]);
    expect(await collect(client.files.pages({ size: 100 }))).not.toHaveLength(0);
  });

  it('end at once when nothing matches, and past the end', async () => {
    expect(await collect(client.transfers.items({ currency: 'XXX' }))).toEqual([]);
    expect(await collect(client.transfers.pages({ page: 99 }))).toHaveLength(1);
  });

  it('fetch no page that nobody asks for', async () => {
    let requests = 0;
    const counted: typeof fetch = (...request) => {
      requests += 1;
      return fetch(...request);
    };
    const few = new Portico({ baseUrl: service.url, ...client.key, fetch: counted });
    for await (const _item of few.transfers.items({ size: 10 })) break;
    expect(requests).toBe(1);
  });
});

describe('going through a collection that shifts', () => {
  const open = (listener: (page: number) => unknown) =>
    openLoopback((request, response) => {
      const page = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('page'));
      response.end(JSON.stringify(envelope(listener(page))));
    });
  const pageOf = (number: number, totalPages: number, content: unknown[] = [{}]) => ({
    content,
    page: { number, totalPages, size: 1, totalElements: totalPages },
  });
  const walk = async (listener: (page: number) => unknown) => {
    const loopback = await open(listener);
    try {
      return await collect(new Portico({ baseUrl: loopback.url, ...someKey }).transfers.pages());
    } finally {
      await loopback.close();
    }
  };

  it('reads what was added and stops at what was taken away', async () => {
    expect(await walk((page) => pageOf(page, page === 0 ? 2 : 3))).toHaveLength(3);
    expect(await walk((page) => pageOf(page, page === 0 ? 5 : 2))).toHaveLength(2);
  });

  it('ends where nothing is left, whatever the total says', async () => {
    expect(await walk((page) => pageOf(page, 5, page === 0 ? [{}] : []))).toHaveLength(2);
  });

  it('ends with an error when it would never end', async () => {
    await expect(walk((page) => pageOf(page, page + 2))).rejects.toThrow(PorticoError);
    await expect(walk(() => pageOf(0, 5))).rejects.toThrow('page 0 was answered when 1 was asked for');
  });
});

describe('going through transfers while others are made', () => {
  /** As the service would commit it, at the time that its clock shows. */
  const insert = (id: string, createdAt: string) =>
    service.world.db.query(sql`
      insert into transfers (biz_id, workspace_id, mode, amount, currency, status, created_at, updated_at)
      select ${id}, id, 'LIVE', 1.00, 'USD', 'PENDING', ${createdAt}::timestamptz, ${createdAt}::timestamptz
      from workspaces where biz_id = 'WS_DEMO'`);

  it('sees each once, however many arrive meanwhile, and none of those', async () => {
    const { page } = await client.transfers.list({ size: 1 });
    const seen: string[] = [];
    for await (const { transferId } of client.transfers.items({ size: 10 })) {
      if (seen.push(transferId) % 3 === 0) await insert(`TRF_NEW_${seen.length}`, '2999-01-01T00:00:00Z');
    }
    expect([seen.length, new Set(seen).size]).toEqual([page.totalElements, page.totalElements]);
    expect(seen.join()).not.toContain('NEW');
  });

  it('sees each once when one that was begun before the first page comes after it', async () => {
    const seen: string[] = [];
    const createdTo = '2990-01-01T00:00:00Z';
    for await (const { transferId } of client.transfers.items({ size: 10, createdTo })) {
      if (seen.push(transferId) === 1) await insert('TRF_LATE', new Date(Date.now() - 50).toISOString());
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(240);
  });

  it('keeps an end of the caller’s own that is earlier', async () => {
    const loopback = await openLoopback((request, response) => {
      const number = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('page'));
      response.end(
        JSON.stringify(envelope({ content: [{ transferId: number }], page: { number, totalPages: 2 } })),
      );
    });
    const other = new Portico({ baseUrl: loopback.url, ...someKey });
    await collect(other.transfers.items({ createdTo: '2025-01-01T00:00:00+02:00' }));
    await collect(other.transfers.items({ createdTo: '2990-01-01T00:00:00Z' }));
    await collect(other.files.items());
    const ends = loopback.requests.map(({ url = '' }) =>
      new URL(url, 'http://localhost').searchParams.get('createdTo'),
    );
    expect(ends).toEqual([
      ...['2025-01-01T00:00:00+02:00', '2025-01-01T00:00:00+02:00'],
      ...['2990-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
      ...[null, null],
    ]);
    await loopback.close();
  });
});
