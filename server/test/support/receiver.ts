import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

type Received = { path: string; headers: IncomingHttpHeaders; body: string };

export type Answering = (response: ServerResponse, received: Received) => void;

export type Receiver = {
  url: string;
  port: number;
  /** What arrived, oldest first. */
  received: Received[];
  /** How many connections were made. */
  connections(): number;
  answerWith(answering: Answering): void;
  close(): Promise<void>;
};

export const ok: Answering = (response) => void response.end('thanks');
export const withStatus =
  (status: number, body = '', headers = {}): Answering =>
  (response) =>
    void response.writeHead(status, headers).end(body);
/** Takes what it is sent and never says a word. */
export const hung: Answering = () => {};
export const closing: Answering = (response) => void response.socket?.destroy();
/** As much as the other side takes, up to ten gigabytes. */
export const endless: Answering = (response) => {
  const chunk = Buffer.alloc(65_536, 'x');
  response.writeHead(200, { 'content-length': 10 * 2 ** 30 });
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pour);
  pour();
};
export const byteByByte: Answering = (response) => {
  response.writeHead(200, { 'content-length': 1000 });
  const timer = setInterval(() => response.write('x'), 20);
  response.on('close', () => clearInterval(timer));
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** A receiver of webhooks on loopback; with a key and a certificate, over TLS. */
export async function startReceiver(
  first: Answering = ok,
  tls?: { key: string; cert: string },
): Promise<Receiver> {
  let answering = first;
  let connections = 0;
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { url: path = '', headers } = request;
    response.on('error', () => {});
    const arrived = { path, headers, body: await bodyOf(request).catch(() => '') };
    received.push(arrived);
    answering(response, arrived);
  };
  const server = tls === undefined ? createServer(answer) : createSecureServer(tls, answer);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket.on('close', () => sockets.delete(socket)));
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has one
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    received,
    connections: () => connections,
    answerWith: (next) => {
      answering = next;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
