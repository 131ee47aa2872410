import { type AddressInfo, connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { parseNetwork } from './address.ts';
import { connectionBounds } from './connections.ts';
import { createHttp } from './http.ts';
import { createPeers } from './peer.ts';

const bounds = { all: 12, each: 6 };
const [one, other, third] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];

const lines: unknown[] = [];
const sockets: Socket[] = [];
let close = async () => {};
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  lines.length = 0;
  await close();
});

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
/** It is told to go on, and does not. */
const post = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`;

async function open(trusted = '192.0.2.1') {
  const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) });
  const peers = createPeers([parseNetwork(trusted) ?? []].flat());
  const app = createHttp({ peers, basePath: '', logger, connections: bounds });
  app.get('/', async () => ({}));
  app.post('/', async () => ({}));
  await app.listen({ port: 0, host: '127.0.0.1' });
  close = () => app.close();
  const { port } = app.server.address() as AddressInfo; // it listens on TCP
  const send = async (localAddress: string, request: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
    sockets.push(socket);
    socket.write(request);
    await new Promise((resolve) => void socket.once('data', resolve).once('close', resolve));
    return socket;
  };
  const several = async (count: number, address: string, request = get) => {
    const opened: Socket[] = [];
    while (opened.length < count) opened.push(await send(address, request));
    return opened;
  };
  return { app, several };
}

const states = (some: Socket[]) => some.map(({ closed }) => (closed ? 'closed' : 'open'));
const stay = (count: number) => Array.from({ length: count }, () => 'open');

describe('connections', () => {
  it('of one address are so many: a new one takes the place of the oldest that is idle, and one line tells of it', async () => {
    const { app, several } = await open();
    const kept = await several(6, one);
    const others = await several(2, other);
    const [newest] = await several(1, one);
    await expect.poll(() => states(kept)).toEqual(['closed', ...stay(5)]);
    expect(states([...others, ...(newest ? [newest] : [])])).toEqual(stay(3));
    await several(3, one);
    expect(app.edge.open()).toBe(8);
    expect(lines).toMatchObject([{ level: 40, address: one, ofAddress: 6, open: 8 }]);
  });

  it('on which a request is under way are never taken; where all are, a new one of that address is refused', async () => {
    const { several } = await open();
    const busy = await several(5, one, post);
    const idle = await several(1, one);
    busy.push(...(await several(1, one, post)));
    await expect.poll(() => states(idle)).toEqual(['closed']);
    expect(states(await several(1, one))).toEqual(['closed']);
    expect(states(await several(1, other))).toEqual(['open']);
    expect(states(busy)).toEqual(stay(6));
  });

  it('in all are so many: a new one takes the place of one of the address that has most', async () => {
    const { app, several } = await open();
    const most = await several(6, one);
    const some = await several(4, other);
    const few = await several(2, third);
    few.push(...(await several(1, third)));
    await expect.poll(() => states(most)).toEqual(['closed', ...stay(5)]);
    expect(states([...some, ...few])).toEqual(stay(7));
    expect(app.edge.open()).toBe(12);
  });

  it('of a trusted proxy are left to it, and count among all', async () => {
    const { app, several } = await open(one);
    const proxied = await several(10, one);
    const own = await several(3, other);
    await expect.poll(() => states(own)).toEqual(['closed', 'open', 'open']);
    expect([states(proxied), app.edge.open()]).toEqual([stay(10), 12]);
  });
});

describe('the bound of connections', () => {
  const limits = (files: string) =>
    `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${files}                 524288               files\n`;

  it.each([
    ['1024', { all: 512, each: 256 }],
    ['524288', { all: 20_000, each: 10_000 }],
    ['unlimited', { all: 20_000, each: 10_000 }],
  ])('where %s files may be open leaves half of them for the rest', (files, expected) => {
    expect(connectionBounds(limits(files))).toEqual(expected);
  });

  it('is fixed where nothing tells how many', () => {
    expect(connectionBounds('')).toEqual({ all: 20_000, each: 10_000 });
  });
});
