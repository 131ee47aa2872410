import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type Agent, type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { type Readable, Readable as Stream } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import aws4 from 'aws4';
import { StorageFailure } from './failure.ts';

export type S3Settings = {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** Until there is a connection, and how long a connection may say nothing while it is waited for. */
export const s3Times = { connectMs: 10_000, silentMs: 20_000, backoffMs: 200 };
export type S3Times = typeof s3Times;

/** What is sent, with what has to be said of it before. It can be sent again. */
export type Content = { size: number; sha256: string; open(): Readable };

export function contentOfText(text: string): Content {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { size: Buffer.byteLength(text), sha256, open: () => Stream.from([Buffer.from(text)]) };
}

export async function contentOfFile(path: string): Promise<Content> {
  const { size } = await stat(path);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { size, sha256: hash.digest('hex'), open: () => createReadStream(path) };
}

const nothing = contentOfText('');

export type Question = {
  method: 'GET' | 'PUT' | 'HEAD' | 'DELETE';
  key: string;
  headers?: Record<string, string>;
  content?: Content;
};

function prepare(
  settings: S3Settings,
  { method, key, headers = {}, content = nothing }: Question,
  agent: Agent,
) {
  const { protocol, host, pathname } = new URL(settings.endpoint);
  const path = `${pathname.replace(/\/$/, '')}/${settings.bucket}/${key}`;
  const { size, sha256 } = content;
  const told = { ...headers, 'Content-Length': size, 'X-Amz-Content-Sha256': sha256 };
  const { accessKeyId, secretAccessKey } = settings;
  const signed = aws4.sign(
    { service: 's3', region: settings.region, host, path, method, headers: told },
    { accessKeyId, secretAccessKey },
  );
  const start = protocol === 'https:' ? overHttps : overHttp;
  return start(new URL(path, settings.endpoint), { method, headers: signed.headers, agent });
}

/** Gives up a request that gets no connection, or whose connection moves no byte in either direction. */
function watch(request: ClientRequest, { connectMs, silentMs }: S3Times): void {
  const late = (what: string) => request.destroy(new Error(what));
  const timer = setTimeout(() => late('no connection in time'), connectMs);
  request.once('socket', (socket) => {
    // One that was used before is connected, and would gather listeners.
    if (socket.connecting) socket.once('connect', () => clearTimeout(timer));
    else clearTimeout(timer);
  });
  request.once('close', () => clearTimeout(timer));
  request.setTimeout(silentMs, () => late('no answer in time'));
}

/** The head of the answer. A server that answers before it has the whole content is sent no more of it, and left after its answer. */
export async function ask(
  settings: S3Settings,
  question: Question,
  { agent, times }: { agent: Agent; times: S3Times },
): Promise<IncomingMessage> {
  const request = prepare(settings, question, agent);
  watch(request, times);
  const content = (question.content ?? nothing).open();
  try {
    return await new Promise<IncomingMessage>((resolve, reject) => {
      request.on('error', reject).once('response', (answer) => {
        if (!request.writableEnded) answer.once('end', () => request.destroy());
        resolve(answer);
      });
      content.on('error', reject).pipe(request);
    });
  } catch (error) {
    request.destroy();
    throw new StorageFailure(`S3: ${question.method} ${question.key}: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    request.setTimeout(0);
    content.destroy();
  }
}
