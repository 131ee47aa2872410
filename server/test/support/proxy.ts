import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Proxy = {
  port: number;
  /** Connections that are open now say nothing any more and are never closed; new ones work. */
  loseConnections(): void;
  close(): Promise<void>;
};

/** A wire to a port on loopback that can be cut the way a firewall does: without a word to either end. */
export async function startProxy(target: number): Promise<Proxy> {
  const pairs: [Socket, Socket][] = [];
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    pairs.push([near, far]);
    near.on('error', () => far.destroy()).pipe(far);
    far.on('error', () => near.destroy()).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // a TCP server has one
    loseConnections() {
      for (const [near, far] of pairs) {
        near.unpipe(far).resume();
        far.unpipe(near).resume();
      }
    },
    async close() {
      server.close();
      for (const socket of pairs.flat()) socket.destroy();
      await once(server, 'close');
    },
  };
}
