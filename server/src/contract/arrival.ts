import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Line } from '../queue/line.ts';

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
  const arriving = new Line<{ request: IncomingMessage; beganMs: number; leave(): void }>();
  const look = () => {
    const since = performance.now() - requestMs;
    for (
      let oldest = arriving.first;
      oldest !== undefined && oldest.beganMs <= since;
      oldest = arriving.first
    ) {
      oldest.leave();
      const { request } = oldest;
      if (!request.complete && !unhurried.has(request)) expire(request.socket);
    }
  };
  const timer = setInterval(look, Math.min(1000, requestMs)).unref();
  server.once('close', () => clearInterval(timer));
  return (request) => {
    if (!hasBody(request)) return;
    const leave = () => arriving.remove(place);
    const place = arriving.add({ request, beganMs: performance.now(), leave });
    request.once('close', leave);
  };
}
