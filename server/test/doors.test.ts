import { createServer } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openDoors } from '../src/doors.ts';

const close = (server: Server) => new Promise((resolve) => server.close(resolve));

it('takes several new connections in a turn of the event loop, serves them all, and closes', async () => {
  const server = createServer((_request, response) => response.setHeader('connection', 'close').end('here'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const doors = await openDoors(server, 7);
  expect(doors).toHaveLength(7);
  let taken = 0;
  server.on('connection', () => (taken += 1));
  const clients = Array.from({ length: 64 }, () => connect(port, '127.0.0.1'));
  const answers = clients.map(
    (client) =>
      new Promise<string>((resolve, reject) => {
        let text = '';
        client.on('data', (data) => (text += data)).on('end', () => resolve(text));
        client.on('error', reject).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      }),
  );
  const perTurn: number[] = [];
  while (taken < clients.length) {
    const before = taken;
    await turn();
    perTurn.push(taken - before);
  }
  expect(Math.max(...perTurn)).toBeGreaterThan(1);
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*here/);
  await Promise.all([server, ...doors].map(close));
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
});
