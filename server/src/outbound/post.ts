import {
  type ClientRequest,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plainRequest,
} from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import type { ConnectionOptions } from 'node:tls';
import type { Network } from '../contract/address.ts';
import { createLookup, createResolve, type Resolve, refuseTarget, Unreachable } from './reach.ts';

/** Connections that are kept for the next request to the same host, and how long. */
const kept = { each: 64, all: 256, idleMs: 4000 };

export type Posting = {
  url: string;
  headers: { [name: string]: string };
  body: string;
  /** For all of it: the name, the connection, the answer and its body. */
  timeoutMs: number;
  /** What is read of the answer. When there is more, the connection ends. */
  bytesMax: number;
  signal: AbortSignal;
};
export type Posted = { status: number; text: string };

export type PosterOptions = {
  allowed: readonly Network[];
  resolve?: Resolve;
  /** For tests: whom to trust. */
  tls?: Pick<ConnectionOptions, 'ca'>;
};

type Failing = { status?: number | null; isStale?: boolean; cause?: unknown };

/** No complete answer came. Its message is for who owns the receiver. */
export class NotPosted extends Error {
  readonly status: number | null;
  /** A connection that was kept had ended meanwhile: nothing was heard on it. */
  readonly isStale: boolean;

  constructor(message: string, { status = null, isStale = false, cause }: Failing = {}) {
    super(message, { cause });
    this.status = status;
    this.isStale = isStale;
  }
}

function reasonOf(error: Error & { code?: string }): string {
  if (error instanceof Unreachable) return error.message;
  const { code = '' } = error;
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/.test(code)) return `its certificate is not accepted: ${code}`;
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  return `the connection failed${code === '' ? '' : `: ${code}`}`;
}

/** So many idle connections and not more, however many hosts there are. */
function bounded<Agent extends PlainAgent>(agent: Agent): Agent {
  const idle = new Set<Duplex>();
  const { reuseSocket } = agent;
  const keepSocketAlive = agent.keepSocketAlive as (socket: Duplex) => boolean | undefined; // the types forget what it gives
  return Object.assign(agent, {
    keepSocketAlive(socket: Duplex) {
      if (idle.size >= kept.all || !keepSocketAlive.call(agent, socket)) return false;
      idle.add(socket);
      if (socket.listenerCount('close', forget) === 0) socket.on('close', forget);
      return true;
    },
    reuseSocket(socket: Duplex, request: ClientRequest) {
      idle.delete(socket);
      reuseSocket.call(agent, socket, request);
    },
  });

  function forget(this: Duplex) {
    idle.delete(this);
  }
}

/** Invalid bytes and a character that was cut off are left out; so is what a text of the database cannot hold. */
const textOf = (bytes: Buffer) => new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '');

function readAnswer(
  answer: IncomingMessage,
  bytesMax: number,
  done: (posted: Posted, isAll: boolean) => void,
) {
  const status = answer.statusCode ?? 0;
  const chunks: Buffer[] = [];
  let length = 0;
  const text = () => textOf(Buffer.concat(chunks).subarray(0, bytesMax));
  answer.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > bytesMax) done({ status, text: text() }, false);
  });
  answer.on('end', () => done({ status, text: text() }, true));
}

function agentsOf({ allowed, resolve = createResolve(), tls }: PosterOptions, isPlain: boolean) {
  const lookup = createLookup({ isPlain, allowed, resolve });
  const secure = { rejectUnauthorized: true, minVersion: 'TLSv1.2' as const, ...tls };
  const make = (keepAlive: boolean) => {
    const options = { keepAlive, maxFreeSockets: kept.each, timeout: kept.idleMs, lookup };
    return bounded(isPlain ? new PlainAgent(options) : new SecureAgent({ ...options, ...secure }));
  };
  return { keeping: make(true), fresh: make(false) };
}

/** Calls back once, when the time is over or the service stops, unless it is told that it need not. */
function deadline({ timeoutMs, signal }: Posting, onEnd: (reason: string) => void): () => void {
  const cancel = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  };
  const stop = () => onEnd('the service stopped');
  const timer = setTimeout(() => onEnd(`no complete answer within ${timeoutMs / 1000} s`), timeoutMs);
  signal.addEventListener('abort', stop);
  return cancel;
}

function converse(posting: Posting, agent: PlainAgent): Promise<Posted> {
  const { url, headers, body, bytesMax } = posting;
  return new Promise((resolve, reject) => {
    const sent = (agent instanceof SecureAgent ? secureRequest : plainRequest)(url, {
      method: 'POST',
      agent,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      maxHeaderSize: 8192,
    });
    let status: number | null = null;
    let isDone = false;
    const end = () => {
      isDone = true;
      cancel();
    };
    const fail = (message: string, cause?: Error & { code?: string }) => {
      if (isDone) return;
      end();
      const isStale = sent.reusedSocket && status === null && /^(ECONNRESET|EPIPE)$/.test(cause?.code ?? '');
      reject(new NotPosted(message, { status, isStale, cause }));
      sent.destroy();
    };
    const cancel = deadline(posting, fail);
    sent.on('response', (answer) => {
      status = answer.statusCode ?? null;
      readAnswer(answer, bytesMax, (posted, isAll) => {
        end();
        resolve(posted);
        if (!isAll) sent.destroy();
      });
    });
    sent.on('error', (error) => fail(reasonOf(error), error));
    sent.on('close', () => fail('the connection ended before the answer did'));
    sent.end(body);
  });
}

export type Poster = { post(posting: Posting): Promise<Posted>; close(): void };

/** Posts to whom a partner named. Follows no redirect, heeds no proxy, and reads little. */
export function createPoster(options: PosterOptions): Poster {
  const agents = { 'http:': agentsOf(options, true), 'https:': agentsOf(options, false) };
  return {
    async post(posting) {
      const refusal = refuseTarget(posting.url, options.allowed);
      if (refusal !== undefined) throw new NotPosted(`its URL ${refusal}`);
      const { keeping, fresh } = agents[new URL(posting.url).protocol as keyof typeof agents]; // no other is let through
      return converse(posting, keeping).catch((error: unknown) => {
        if (error instanceof NotPosted && error.isStale) return converse(posting, fresh);
        throw error;
      });
    },
    close: () => {
      for (const { keeping } of Object.values(agents)) keeping.destroy();
    },
  };
}
