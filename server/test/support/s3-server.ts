import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import aws4 from 'aws4';
import type { S3Settings } from '../../src/storage/s3-request.ts';
import { freePort } from '../service-process.ts';

const script = fileURLToPath(new URL('swift-server.py', import.meta.url));
/** Debian's, which has the packages; another may come first in the path. */
const python = '/usr/bin/python3';
const credentials = { accessKeyId: 'test:tester', secretAccessKey: 'of-the-tests' };

export type S3Server = {
  settings: S3Settings;
  port: number;
  /** The keys in the bucket. */
  keys(): Promise<string[]>;
  /** It keeps its connections and says nothing any more. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
};

/** A request of S3 that the service itself never makes. */
async function ask(port: number, method: string, path: string): Promise<string> {
  const options = { service: 's3', region: 'us-east-1', host: `127.0.0.1:${port}`, path, method };
  const { headers = {} } = aws4.sign({ ...options, headers: {} }, credentials);
  const sent = request({ host: '127.0.0.1', port, path, method, headers }).end();
  const [answer] = await once(sent, 'response');
  let text = '';
  for await (const chunk of answer) text += chunk;
  if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
  return text;
}

/** OpenStack Swift with its S3 API, on loopback, with a bucket. */
export async function startS3(): Promise<S3Server> {
  const home = mkdtempSync(join(tmpdir(), 'portico-swift-'));
  const port = await freePort();
  const args = [script, home, String(port), credentials.secretAccessKey];
  const child: ChildProcess = spawn(python, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  process.once('exit', () => child.kill('SIGKILL'));
  let trouble = '';
  child.stderr?.on('data', (data) => (trouble += data));
  if (child.stdout === null) throw new Error('swift has no output');
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), once(child, 'exit')]);
  if (line !== 'ready') throw new Error(`swift did not start: install python3-swift\n${trouble}`);
  await ask(port, 'PUT', '/portico');
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket: 'portico',
      ...credentials,
    },
    port,
    async keys() {
      const text = await ask(port, 'GET', '/portico');
      return [...text.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key);
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
      rmSync(home, { recursive: true, force: true });
    },
  };
}
