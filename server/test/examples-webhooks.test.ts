import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Portico } from '../../sdk/src/index.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const vectorsFile = 'docs/webhook-vectors.json';
const { vectors } = JSON.parse(readFileSync(join(root, vectorsFile), 'utf8')) as { vectors: object[] };
const folder = mkdtempSync(join(tmpdir(), 'portico-webhooks-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [secret, previous] = [Portico.webhooks.newSecret(), Portico.webhooks.newSecret()];
const body = JSON.stringify({ eventId: 'EVT_7', type: 'ping', data: { name: 'Zürich "送金" \\n 💸' } });

type Started = { child: ChildProcess; text: () => string };

function start(command: string, args: string[], env: Record<string, string> = {}): Started {
  const child = spawn(command, args, { cwd: root, env: { PATH: process.env['PATH'] ?? '', ...env } });
  let text = '';
  child.stderr.on('data', (data: Buffer) => (text += data));
  // The standard output of a receiver in a shell is its answer.
  if (command !== 'bash' || args.length > 1) child.stdout.on('data', (data: Buffer) => (text += data));
  return { child, text: () => text };
}

async function run(command: string, args: string[]): Promise<[number | null, string]> {
  const { child, text } = start(command, args);
  child.stdin?.end();
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return [code, text()];
}

type Receiver = { url: string; text: () => string; stop: () => void };

/** It says where it listens. */
async function serve(command: string, script: string, env: Record<string, string>): Promise<Receiver> {
  const { child, text } = start(command, [script], { ...env, PORT: '0' });
  const url = await vi.waitFor(
    () => {
      const [, found] = /^listening on (\S+)$/m.exec(text()) ?? [];
      if (found === undefined) throw new Error(`it does not listen: ${text()}`);
      return found;
    },
    { timeout: 60_000 },
  );
  return { url, text, stop: () => child.kill() };
}

/** A process for each connection, as socat and inetd do it. */
async function serveByProcess(
  command: string,
  script: string,
  env: Record<string, string>,
): Promise<Receiver> {
  const all: Started[] = [];
  const server = createServer((socket) => {
    const started = start(command, [script], env);
    all.push(started);
    const { stdin, stdout } = started.child;
    stdin?.on('error', () => {}); // it need not read all
    if (stdin) socket.pipe(stdin);
    stdout?.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const stop = () => {
    server.close();
    for (const { child } of all) child.kill();
  };
  return { url: `http://127.0.0.1:${port}`, text: () => all.map(({ text }) => text()).join(''), stop };
}

const isMissing = (command: string) =>
  spawnSync(command, [command === 'openssl' ? 'version' : '--version'], { stdio: 'ignore' }).status !== 0;

const samples = [
  {
    name: 'bash',
    command: 'bash',
    script: 'examples/bash/receive.sh',
    needs: ['bash', 'openssl'],
    open: serveByProcess,
  },
  {
    name: 'Python',
    command: 'python3',
    script: 'examples/python/receive.py',
    needs: ['python3'],
    open: serve,
  },
  { name: 'Node', command: process.execPath, script: 'examples/node/receive.mjs', needs: [], open: serve },
].map((sample) => {
  const missing = sample.needs.filter(isMissing);
  const why = missing.length > 0 ? ` (skipped: ${missing.join(', ')} is not installed)` : '';
  return { ...sample, isSkipped: missing.length > 0, title: `${sample.name}${why}` };
});

describe.each(samples)('the receiver in $title', ({ command, script, open, isSkipped }) => {
  let receiver: Receiver;
  beforeAll(async () => {
    if (!isSkipped)
      receiver = await open(command, script, { PORTICO_WEBHOOK_SECRET: `${secret} ${previous}` });
  });
  afterAll(() => receiver?.stop());

  const post = async (text: string, headers: Record<string, string>) =>
    (await fetch(`${receiver.url}/hooks`, { method: 'POST', body: text, headers })).status;

  it.skipIf(isSkipped)('judges all vectors rightly, and says which one it does not', async () => {
    const { length } = vectors;
    expect(await run(command, [script, '--vectors', vectorsFile])).toEqual([
      0,
      `${length} of ${length} vectors hold\n`,
    ]);
    const broken = join(folder, 'vectors.json');
    const few = JSON.stringify({ vectors: vectors.slice(0, 2) }, null, 2);
    writeFileSync(broken, few.replace('v1,', 'v1,0'));
    const [code, text] = await run(command, [script, '--vectors', broken]);
    expect([code, text.split('\n').sort()]).toEqual([
      1,
      ['', '1 of 2 vectors hold', 'wrong: one secret, one signature'],
    ]);
  });

  it.skipIf(isSkipped)('prints what was signed with either secret, as it came', async () => {
    for (const [each, id] of [
      [secret, 'EVT_7'],
      [previous, 'EVT_8'],
    ] as const) {
      const text = body.replace('EVT_7', id);
      expect(await post(text, await Portico.webhooks.sign(text, each, { id }))).toBe(204);
      await expect.poll(() => receiver.text().split('\n')).toContain(text);
    }
  });

  it.skipIf(isSkipped)(
    'refuses what was forged, is old or has no signature, and does not print it',
    async () => {
      const text = body.replace('EVT_7', 'EVT_FORGED');
      const right = await Portico.webhooks.sign(text, secret, { id: 'EVT_7' });
      const old = await Portico.webhooks.sign(text, secret, { id: 'EVT_7', now: () => Date.now() - 302_000 });
      const other = await Portico.webhooks.sign(text, Portico.webhooks.newSecret(), { id: 'EVT_7' });
      expect(await post(`${text} `, right)).toBe(400);
      expect(await post(text, { ...right, 'webhook-id': 'EVT_8' })).toBe(400);
      expect(await post(text, { ...right, 'webhook-signature': '*' })).toBe(400);
      for (const headers of [old, other, {}]) expect(await post(text, headers)).toBe(400);
      await expect
        .poll(() =>
          receiver
            .text()
            .match(/^refused: .*$/gm)
            ?.sort(),
        )
        .toEqual([
          'refused: a header is missing',
          ...Array.from({ length: 4 }, () => 'refused: the signature is wrong'),
          'refused: too old, or a clock is wrong',
        ]);
      expect(receiver.text()).not.toContain('EVT_FORGED');
    },
  );

  it.skipIf(isSkipped)('does not start without a secret', async () => {
    expect(await run(command, [script])).toEqual([1, 'set PORTICO_WEBHOOK_SECRET\n']);
  });

  it('has at most a hundred lines', () => {
    expect(readFileSync(join(root, script), 'utf8').split('\n').length).toBeLessThanOrEqual(101);
  });
});
