import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Agent, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { failing, StorageFailure } from './failure.ts';
import { checkedKey } from './key.ts';
import type { ByteRange } from './range.ts';
import { AnswerBody, codeOf } from './s3-answer.ts';
import {
  ask,
  type Content,
  contentOfFile,
  contentOfText,
  type Question,
  type S3Settings,
  type S3Times,
  s3Times,
} from './s3-request.ts';

const attemptsMax = 3;
/** Apart, so that slow downloads keep no upload waiting. */
const socketsMax = { reading: 1024, writing: 64 };

const isFine = ({ statusCode = 0 }: IncomingMessage) => statusCode >= 200 && statusCode < 300;
const isPassing = ({ statusCode = 0 }: IncomingMessage) => statusCode >= 500 || statusCode === 429;

type Asked = { answer: IncomingMessage; code: string };

/** Asks, and asks again, later each time, where the server is away or says that it cannot now. */
class Client {
  private readonly settings: S3Settings;
  private readonly times: S3Times;
  private readonly agents: { reading: Agent; writing: Agent };

  constructor(settings: S3Settings, times: S3Times) {
    this.settings = settings;
    this.times = times;
    const isSecure = new URL(settings.endpoint).protocol === 'https:';
    const agent = (maxSockets: number) =>
      new (isSecure ? SecureAgent : Agent)({ keepAlive: true, maxSockets });
    this.agents = { reading: agent(socketsMax.reading), writing: agent(socketsMax.writing) };
  }

  async ask(question: Question): Promise<Asked> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.askOnce(question);
      } catch (error) {
        if (!(error instanceof StorageFailure) || attempt === attemptsMax) throw error;
        // Half of it by chance, or all who were refused together would come back together.
        await sleep(this.times.backoffMs * 5 ** (attempt - 1) * (0.5 + Math.random() / 2));
      }
    }
  }

  private async askOnce(question: Question): Promise<Asked> {
    const agent = question.method === 'GET' ? this.agents.reading : this.agents.writing;
    const answer = await ask(this.settings, question, { agent, times: this.times });
    if (isFine(answer)) return { answer, code: '' };
    const code = await codeOf(answer, this.times.silentMs);
    if (isPassing(answer)) throw this.failure(question, { answer, code });
    return { answer, code };
  }

  /** Of an answer that has nothing to read. */
  async tell(question: Question): Promise<Asked> {
    const asked = await this.ask(question);
    asked.answer.on('error', () => {}).resume();
    return asked;
  }

  failure({ method, key }: Question, { answer, code }: Asked): StorageFailure {
    return new StorageFailure(`S3: ${method} ${key}: ${answer.statusCode} ${code}`.trim());
  }

  body(answer: IncomingMessage, what: string, length: number): AnswerBody {
    return new AnswerBody(answer, { what, length, silentMs: this.times.silentMs });
  }

  close(): void {
    this.agents.reading.destroy();
    this.agents.writing.destroy();
  }
}

async function write(client: Client, key: string, content: Content): Promise<void> {
  const question: Question = { method: 'PUT', key, content };
  const asked = await client.tell(question);
  if (!isFine(asked.answer)) throw client.failure(question, asked);
}

async function erase(client: Client, key: string): Promise<void> {
  const question: Question = { method: 'DELETE', key };
  const asked = await client.tell(question);
  if (!isFine(asked.answer) && asked.code !== 'NoSuchKey') throw client.failure(question, asked);
}

async function download(client: Client, key: string, range?: ByteRange): Promise<AnswerBody | undefined> {
  const part = range === undefined ? undefined : `${range.start}-${range.end}`;
  const question: Question = {
    method: 'GET',
    key,
    headers: { 'accept-encoding': 'identity', ...(part === undefined ? {} : { range: `bytes=${part}` }) },
  };
  const asked = await client.ask(question);
  if (asked.code === 'NoSuchKey') return undefined;
  if (!isFine(asked.answer)) throw client.failure(question, asked);
  const given = asked.answer.headers['content-range'];
  if (part !== undefined && !given?.startsWith(`bytes ${part}/`)) {
    asked.answer.destroy();
    throw new StorageFailure(`S3: GET ${key}: not the range that was asked for`);
  }
  // An end means nothing where no length was named: the connection may have been cut.
  const length =
    range === undefined ? Number(asked.answer.headers['content-length']) : range.end - range.start + 1;
  return client.body(asked.answer, `GET ${key}`, length);
}

/** An object of a bucket for each file, in one request: none is ever left in parts. Addressed by path, as not every server has names. */
export function createS3Store(settings: S3Settings, times: S3Times = s3Times) {
  const client = new Client(settings, times);
  return {
    bucket: settings.bucket,

    async put(key: string, file: string) {
      const content = await failing('reading a file', () =>
        contentOfFile(file).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
        }),
      );
      if (content !== undefined) {
        await write(client, checkedKey(key), content);
        await failing('removing a file', () => rm(file, { force: true }));
        return;
      }
      // The same put again, after a crash between its last step and its answer.
      const { answer } = await client.tell({ method: 'HEAD', key: checkedKey(key) });
      if (!isFine(answer)) throw new StorageFailure(`S3: PUT ${key}: neither the file nor the object exists`);
    },

    async read(key: string, range?: ByteRange): Promise<Readable | undefined> {
      return download(client, checkedKey(key), range);
    },

    async remove(key: string) {
      await erase(client, checkedKey(key));
    },

    /** Does what will be asked of it. */
    async check() {
      const key = `check/${randomUUID()}`;
      await write(client, key, contentOfText('check'));
      (await download(client, key))?.destroy();
      await erase(client, key);
    },

    async close() {
      client.close();
    },
  };
}
