import { type RequestOptions, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export type HttpRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
};

export type HttpAnswer = { status: number; bytes: Buffer };

type Way = Pick<RequestOptions, 'agent' | 'localAddress' | 'signal'>;

/** By default on a connection of its own: one that is kept may be closed by the server as it is used. */
export function call(port: number, { body, ...options }: HttpRequest, way: Way = {}): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, agent: false, ...way, ...options }, (response) => {
      buffer(response).then((bytes) => resolve({ status: response.statusCode ?? 0, bytes }), reject);
    })
      .on('error', reject)
      .end(body);
  });
}

const triesMax = 60;

/** Asked again while there is no good answer: the machine may be busy with others, or the address still limited after an attack. */
export async function callUntilGood(port: number, next: () => HttpRequest, way?: Way): Promise<HttpAnswer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await call(port, next(), way);
    if (answer.status === 200 || tries === triesMax) return answer;
    await sleep(1000);
  }
}

/** What the envelope of an answer holds. */
export function dataOf<Data>({ bytes }: HttpAnswer): Data {
  return (JSON.parse(bytes.toString()) as { data: Data }).data;
}
