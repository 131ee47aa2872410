import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

const unhurried = new WeakSet<IncomingMessage>();

/** For who reads a body as long as bytes of it arrive, and watches that they do. */
export function takeTime(request: IncomingMessage): void {
  unhurried.add(request);
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** Ends requests that have not arrived in full by then. Gives what is told of each. */
export function watchArrival(
  server: Server,
  requestMs: number,
  expire: (socket: Socket) => void,
): (request: IncomingMessage) => void {
  /** In the order in which they came. */
  const arriving = new Map<IncomingMessage, number>();
  const look = () => {
    const since = performance.now() - requestMs;
    for (const [request, beganMs] of arriving) {
      if (beganMs > since) return;
      arriving.delete(request);
      if (!request.complete && !unhurried.has(request)) expire(request.socket);
    }
  };
  const timer = setInterval(look, Math.min(1000, requestMs)).unref();
  server.once('close', () => clearInterval(timer));
  return (request) => {
    if (!hasBody(request)) return;
    arriving.set(request, performance.now());
    request.once('close', () => arriving.delete(request));
  };
}
