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

export type Arrivals = {
  /** Is told of each request. */
  begin(request: IncomingMessage): void;
  /** Ends the one that has been arriving for longest, if it has for so long. */
  expireOldest(afterMs: number): IncomingMessage | undefined;
};

/** Ends requests that have not arrived in full by then. */
export function watchArrival(server: Server, requestMs: number, expire: (socket: Socket) => void): Arrivals {
  const arriving = new Line<{ request: IncomingMessage; beganMs: number; leave(): void }>();
  const expireOldest = (afterMs: number) => {
    const sinceMs = performance.now() - afterMs;
    for (let { first } = arriving; first !== undefined && first.beganMs <= sinceMs; { first } = arriving) {
      first.leave();
      const { request } = first;
      if (request.complete || unhurried.has(request)) continue;
      expire(request.socket);
      return request;
    }
    return undefined;
  };
  const look = () => {
    while (expireOldest(requestMs) !== undefined);
  };
  const timer = setInterval(look, Math.min(1000, requestMs)).unref();
  server.once('close', () => clearInterval(timer));
  return {
    expireOldest,
    begin(request) {
      if (!hasBody(request)) return;
      const leave = () => arriving.remove(place);
      const place = arriving.add({ request, beganMs: performance.now(), leave });
      request.once('close', leave);
    },
  };
}
