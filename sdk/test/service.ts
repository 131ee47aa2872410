import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKey, type Key, openWorld, type World, type WorldOptions } from '../../server/test/world.ts';
import { Portico, type PorticoOptions } from '../src/index.ts';

export type Service = { world: World; url: string; close(): Promise<void> };

/** The real app, listening. */
export async function openService(options: WorldOptions = {}, port = 0): Promise<Service> {
  const world = await openWorld(options);
  const origin = await world.app.listen({ host: '127.0.0.1', port });
  return { world, url: `${origin}${world.services.config.basePath}`, close: () => world.close() };
}

/** The real app at the address that it takes for its own, which the cookie of a session depends on. */
export async function openPublicService(): Promise<Service> {
  const reserved = await openLoopback();
  await reserved.close();
  return openService({ env: { PORTICO_PUBLIC_URL: reserved.url } }, Number(new URL(reserved.url).port));
}

export const allScopes = [
  'transfers:read',
  'transfers:write',
  'files:read',
  'files:write',
  'channel-types:read',
  'events:read',
];

export async function openClient(
  service: Service,
  key: object = { scopes: allScopes },
  options: Partial<PorticoOptions> = {},
): Promise<Portico & { key: Key }> {
  const created = await createKey(service.world, key);
  const client = new Portico({ baseUrl: service.url, ...created, ...options });
  return Object.assign(client, { key: created });
}

export type Loopback = { url: string; requests: IncomingMessage[]; close(): Promise<void> };

/** A server that answers its first request by the first listener, and so on; the last one answers all others. */
export async function openLoopback(...listeners: RequestListener[]): Promise<Loopback> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const listener = listeners[Math.min(requests.length, listeners.length - 1)];
    requests.push(request);
    listener?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function answer(status: number, body: unknown, headers: Record<string, string> = {}): RequestListener {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (_request, response) => response.writeHead(status, headers).end(text);
}

export const envelope = (data: unknown) => ({
  version: '1.0.0',
  timestamp: 1767225600000,
  success: true,
  code: '2000',
  message: 'SUCCESS',
  data,
});

export const problem = (code: string, message: string) => ({ success: false, code, message, errors: [] });

export const someKey = {
  apiKeyId: 'ak_test_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E',
  secret: 'sk_test_4eC39HqLyjWDarjtT1zdp7dcQ2mVn8XsKb5RfGhZ0aA1tTM6K',
};
