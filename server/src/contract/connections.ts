import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { Line, type Place } from '../queue/line.ts';
import { most } from '../queue/most.ts';
import { attachedTo } from './attached.ts';
import type { Peers } from './peer.ts';

export type Bounds = { all: number; each: number };

const openMax = 20_000;
/** Of all, what one address may have: more than any machine in front of browsers, and never all. */
const addressPart = 1 / 2;
const tellEveryMs = 60_000;
/** Of the address that gives room, so many are looked at for one that is idle. */
const looksMax = 32;

/** Of the files that the process may have open, half: the rest is for the database, for bodies and what else there is. */
export function connectionBounds(limits: string): Bounds {
  const [, filesMax] = /^Max open files +(\d+)/m.exec(limits) ?? [];
  const all = filesMax === undefined ? openMax : Math.min(openMax, Math.floor(Number(filesMax) / 2));
  return { all, each: Math.ceil(all * addressPart) };
}

/** As Linux tells it; elsewhere it is not known. */
function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

/** The open connections of one address; those first that were opened, or looked at, longest ago. */
type Group = { address: string | undefined; sockets: Line<Socket> };
type Held = { group: Group; place: Place<Socket> };

const newGroup = (address?: string): Group => ({ address, sockets: new Line() });

/** Says at most once a minute that connections were closed or refused. */
function createTeller(log: FastifyBaseLogger) {
  let toldMs = Number.NEGATIVE_INFINITY;
  let alike = 0;
  return (crowd: { open: number; address: string | undefined; ofAddress: number | undefined }) => {
    if (performance.now() - toldMs < tellEveryMs) {
      alike += 1;
      return;
    }
    toldMs = performance.now();
    log.warn({ ...crowd, alike }, 'too many connections are open: an idle one is closed for each new one');
    alike = 0;
  };
}

type Asked = {
  peers: Pick<Peers, 'openerOf'>;
  log: FastifyBaseLogger;
  /** No request is under way on it. */
  isIdle(socket: Socket): boolean;
};

/**
 * Bounds how many connections are open. Beyond it a new one takes the place of an idle one: of its own address, or of the address
 * that has most. Where none is idle it is refused. Those of a trusted proxy are left to the proxy. Gives how many are open.
 */
export function boundConnections(
  server: Server,
  { peers, log, isIdle }: Asked,
  { all, each }: Bounds = connectionBounds(limitsOfProcess()),
): () => number {
  const proxied = newGroup();
  const groups = new Map<string, Group>();
  const heldBy = attachedTo<Socket, Held>();
  const tell = createTeller(log);
  let open = 0;
  const remove = (socket: Socket) => {
    const { group, place } = heldBy.get(socket) ?? {};
    if (group === undefined || !place?.isThere) return;
    group.sockets.remove(place);
    if (group.sockets.size === 0 && group.address !== undefined) groups.delete(group.address);
    open -= 1;
  };
  const add = (socket: Socket, group: Group) => {
    heldBy.set(socket, { group, place: group.sockets.add(socket) });
    if (group.address !== undefined) groups.set(group.address, group);
    open += 1;
  };
  const giveRoom = (group: Group): boolean => {
    for (let looks = Math.min(looksMax, group.sockets.size); looks > 0; looks -= 1) {
      const oldest = group.sockets.first;
      if (oldest === undefined) return false;
      remove(oldest);
      if (isIdle(oldest)) {
        oldest.destroy();
        return true;
      }
      add(oldest, group);
    }
    return false;
  };
  // One for all of them: what each had of its own would live as long as the connection.
  function leave(this: Socket) {
    remove(this);
  }
  server.on('connection', (socket: Socket) => {
    const address = peers.openerOf(socket);
    const own = address === undefined ? proxied : (groups.get(address) ?? newGroup(address));
    const isOwn = own !== proxied && own.sockets.size >= each;
    if (isOwn || open >= all) {
      const crowd = isOwn ? own : most(groups.values(), ({ sockets }) => sockets.size);
      tell({ open, address: crowd?.address, ofAddress: crowd?.sockets.size });
      if (crowd === undefined || !giveRoom(crowd)) {
        socket.destroy();
        return;
      }
    }
    add(socket, own);
    socket.once('close', leave);
  });
  return () => open;
}
