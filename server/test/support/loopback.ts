import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Loopback = { origin: string; port: number; close(): Promise<void> };

/** A real HTTP server on a free port; closing it also breaks what still hangs. */
export async function listenOnLoopback(listener: RequestListener, port = 0): Promise<Loopback> {
  const server = createServer(listener).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo; // a TCP server has one
  return {
    origin: `http://127.0.0.1:${taken}`,
    port: taken,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

export async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

export type Answer = (response: ServerResponse) => void;

export const answerJson =
  (value: unknown, status = 200): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

export const answerText =
  (text: string, type: string, status = 200): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': type }).end(text);

/** Ways in which any HTTP server can fail to answer. */
export const hang: Answer = () => {};
export const breakOff: Answer = (response) => void response.socket?.destroy();
export const endless: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = ' '.repeat(64 * 1024);
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pour).on('error', () => {});
  pour();
};
