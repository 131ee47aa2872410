import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesPerSecondMin } from './pace.ts';
import { takingTimes, watchTaking } from './taking.ts';

/** More than fits into the buffers between two sockets. */
const size = 32 * 1024 * 1024;
const soon = { mostMs: 300, lookEveryMs: 20 };

let give: (answer: ServerResponse) => void = () => {};
const server = createServer((_, answer) => give(answer));
const sockets: Socket[] = [];
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

function ask(): Socket {
  const { port } = server.address() as AddressInfo; // a TCP server has one
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {});
  sockets.push(socket);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  return socket;
}

describe('an answer that is long', () => {
  it('ends when its client takes it by drops, though never long without one', async () => {
    const ends = new Promise<void>((resolve) => {
      give = (answer) => {
        watchTaking(answer, soon);
        answer.once('close', resolve);
        Readable.from([Buffer.alloc(size)]).pipe(answer);
      };
    });
    const socket = ask().pause();
    const drop = setInterval(() => socket.read(1), 10);
    await ends;
    clearInterval(drop);
    expect(socket.bytesRead).toBeLessThan(size);
  });

  it('goes on when there was nothing to take for longer than a client is waited for', async () => {
    give = async (answer) => {
      watchTaking(answer, soon);
      answer.write('first');
      const standstill = performance.now() + 2 * soon.mostMs;
      await expect.poll(() => performance.now() > standstill).toBe(true);
      answer.end('last');
    };
    expect(await text(ask())).toMatch(/first[\s\S]*last/);
  });

  it('has as long for what is handed over at once as the least pace takes for it', () => {
    expect((takingTimes.mostMs / 1000) * bytesPerSecondMin).toBe(128 * 1024);
  });
});
