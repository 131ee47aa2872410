import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Portico, type PorticoEvent } from '../../sdk/src/index.ts';
import { createSealer } from '../../server/src/log/sealer.ts';
import { createSettler } from '../../server/src/transfers/settle.ts';
import { freePort } from '../../server/test/service-process.ts';
import { breakOff, type Loopback, listenOnLoopback, readText } from '../../server/test/support/loopback.ts';
import { createKey, type Key } from '../../server/test/world.ts';
import { triggeredTypes } from '../src/event-trigger.ts';
import { binary, openSite, outcomeOf, Person, type Site } from './harness.ts';

const scopes = ['events:read', 'transfers:read', 'transfers:write', 'files:read', 'files:write'];

let site: Site;
let key: Key;
let person: Person;
let client: Portico;
let seal: () => Promise<void>;
beforeAll(async () => {
  site = await openSite();
  seal = createSealer(site.world.db);
  key = await createKey(site.world, { mode: 2, scopes });
  person = new Person(keyEnv(key));
  client = new Portico({ baseUrl: site.url, ...key });
  await make(); // what was before is told by none of the commands
});
afterAll(async () => {
  person.remove();
  await site.world.close();
});

const keyEnv = ({ apiKeyId, secret }: Key) => ({
  PORTICO_URL: site.url,
  PORTICO_KEY_ID: apiKeyId,
  PORTICO_SECRET: secret,
});

/** Stays PENDING. */
async function make(): Promise<string> {
  const { transferId } = await client.transfers.create({ amount: '17.00', currency: 'USD' });
  await seal();
  return transferId;
}
async function cancel(transferId: string): Promise<void> {
  await client.transfers.cancel(transferId);
  await seal();
}

/** Ten seconds later. */
async function settled(): Promise<void> {
  for (let step = 0; step < 2; step++) {
    site.world.clock.advance(5);
    await createSettler(site.world.db, site.world.clock.now)();
  }
  await seal();
}

type Running = { stdout: () => string; stderr: () => string; end: () => Promise<number | null> };

/** The real binary, until it is interrupted, as by Ctrl-C. */
function start(args: readonly string[], env: Record<string, string> = {}): Running {
  const child = person.start(process.execPath, [binary, ...args], { env });
  const text = { out: '', err: '' };
  child.stdout.on('data', (data: Buffer) => (text.out += data));
  child.stderr.on('data', (data: Buffer) => (text.err += data));
  const outcome = outcomeOf(child);
  const end = async () => {
    child.kill('SIGINT');
    return (await outcome).code;
  };
  return { stdout: () => text.out, stderr: () => text.err, end };
}

type Received = { path: string; headers: Record<string, string>; body: string };

/** A server of someone who develops: what it answers can be changed. */
async function openReceiver(port = 0) {
  const received: Received[] = [];
  const answers = { status: 204 };
  const loopback: Loopback = await listenOnLoopback(async (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    received.push({ path: request.url ?? '', headers, body: await readText(request) });
    response.writeHead(answers.status, { location: '/elsewhere' }).end('thanks');
  }, port);
  return { ...loopback, received, answers };
}

async function listen(to: string, args: string[] = [], env: Record<string, string> = {}) {
  const running = start(['listen', '--forward-to', to, ...args], env);
  await expect.poll(running.stderr).toMatch(/^signing secret: whsec_\S+$/m);
  const secret = /whsec_\S+/.exec(running.stderr())?.[0] ?? '';
  return { ...running, secret };
}

const linesOf = (text: string) => text.split('\n').filter(Boolean);
const typesIn = (text: string) => linesOf(text).map((line) => line.split(/ {2}/)[1]);

describe('portico listen', () => {
  it('forwards each event from now on, as it is pulled and signed with the secret it shows, a line each', async () => {
    const receiver = await openReceiver();
    const after = await client.events.latest();
    const listening = await listen(`${receiver.origin}/hooks?x=1`);
    expect(listening.stderr()).toContain(`TEST events of WS_DEMO go to ${receiver.origin}/hooks?x=1`);
    await cancel(await make());
    await expect.poll(() => linesOf(listening.stdout())).toHaveLength(2);
    const { events } = await client.events.list({ after });
    expect(receiver.received.map(({ path, body }) => [path, body])).toEqual(
      events.map((event) => ['/hooks?x=1', JSON.stringify(event)]),
    );
    for (const { body, headers } of receiver.received) {
      const event = await Portico.webhooks.verify(body, headers, listening.secret);
      expect(headers).toMatchObject({ 'webhook-id': event.eventId, 'content-type': 'application/json' });
      await expect(Portico.webhooks.verify(`${body} `, headers, listening.secret)).rejects.toThrow();
    }
    expect(linesOf(listening.stdout())).toEqual(
      events.map(({ type, eventId }) =>
        expect.stringMatching(new RegExp(`^2\\d{3}-\\S+Z  ${type}  ${eventId}  204  \\d+ ms$`)),
      ),
    );
    expect(await listening.end()).toBe(0);
    expect(listening.stderr()).not.toContain(key.secret);
    await receiver.close();
  });

  it('goes on when the local server is away, refuses or redirects, and says so', async () => {
    const first = await openReceiver();
    const listening = await listen(first.origin, ['--json']);
    const tell = async (count: number) => {
      await make();
      await expect.poll(() => linesOf(listening.stdout())).toHaveLength(count);
    };
    await tell(1);
    await first.close();
    await tell(2);
    const second = await openReceiver(first.port);
    for (const [count, status] of [
      [3, 500],
      [4, 302],
      [5, 200],
    ] as const) {
      second.answers.status = status;
      await tell(count);
    }
    const lines = linesOf(listening.stdout()).map((line) => JSON.parse(line));
    expect(lines.map(({ status }) => status)).toEqual([204, null, 500, 302, 200]);
    expect(lines[1]).toMatchObject({
      type: 'transfer.created',
      error: expect.stringContaining('ECONNREFUSED'),
    });
    expect(second.received.map(({ path }) => path)).toEqual(['/', '/', '/']);
    expect(await listening.end()).toBe(0);
    await second.close();
  });

  it('forwards only the types that are wanted, signed with the secret that is given', async () => {
    const receiver = await openReceiver();
    const secret = Portico.webhooks.newSecret();
    const types = ['--types', 'transfer.cancelled,transfer.failed', '--types', 'file.created'];
    const listening = await listen(receiver.origin, [...types, '--secret', secret]);
    expect(listening.secret).toBe(secret);
    await cancel(await make());
    await expect.poll(() => typesIn(listening.stdout())).toEqual(['transfer.cancelled']);
    const [got] = receiver.received;
    const event = await Portico.webhooks.verify(got?.body ?? '', got?.headers ?? {}, secret);
    expect(event.type).toBe('transfer.cancelled');
    await listening.end();
    await receiver.close();
  });

  it('waits for a service that goes away meanwhile, says so, and misses nothing', async () => {
    const receiver = await openReceiver();
    let isAway = false;
    let asked = 0;
    const proxy = await listenOnLoopback(async (request, response) => {
      asked += 1;
      if (isAway) return breakOff(response);
      const headers = Object.entries(request.headers).filter(([name]) => name.startsWith('x-'));
      const answer = await fetch(`${site.url}${request.url}`, {
        headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
    const listening = await listen(receiver.origin, [], { PORTICO_URL: proxy.origin });
    const before = asked;
    await expect.poll(() => asked).toBeGreaterThanOrEqual(before + 2); // whoever asks again has taken an answer
    isAway = true;
    await make();
    await expect.poll(listening.stderr).toMatch(/^portico: no answer.*; asking on$/m);
    isAway = false;
    await expect.poll(() => typesIn(listening.stdout())).toEqual(['transfer.created']);
    expect(await listening.end()).toBe(0);
    await proxy.close();
    await receiver.close();
  });

  it('takes a LIVE key only when it is told to', async () => {
    const live = keyEnv(await createKey(site.world, { mode: 1, scopes }));
    const args = ['listen', '--forward-to', 'http://127.0.0.1:9/hooks'];
    expect(await person.run(args, { env: live })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^portico: ak_live_\S+ is a LIVE key: .*--live.*\n$/),
    });
    const listening = await listen('http://127.0.0.1:9/hooks', ['--live'], live);
    expect(listening.stderr()).toContain('LIVE events of WS_DEMO');
    expect(await listening.end()).toBe(0);
  });

  it('needs a key that may read events', async () => {
    const env = keyEnv(await createKey(site.world, { mode: 2, scopes: ['transfers:read'] }));
    expect(await person.run(['listen', '--forward-to', 'http://127.0.0.1:9/'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^portico: 4031 .*events:read/),
    });
  });

  const to = ['--forward-to', 'http://localhost:3000/hooks'];
  it.each([
    [[], '--forward-to is missing'],
    [['--forward-to', 'localhost:3000/hooks'], '--forward-to must be an http or https address'],
    [['--forward-to', 'http://a:b@localhost/'], '--forward-to must not carry a password'],
    [[...to, '--types', 'transfer.complete'], 'did you mean transfer.completed?'],
    [[...to, '--types', 'ping'], '--types: there is no ping'],
    [[...to, '--types', 'transfer.created,'], 'there is no empty type'],
    [[...to, '--secret', 'hunter2'], '--secret: the secret does not begin with whsec_'],
    [[...to, '--secret', 'whsec_aHVudGVyMg=='], '--secret: the secret is cut'],
  ])('%j is told in one line', async (args, expected) => {
    const { code, stdout, stderr } = await person.perform(['listen', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^portico: .+\n$/);
    expect(stderr).toContain(expected);
    expect(stderr).not.toMatch(/hunter2|aHVudGVyMg/);
  });
});

describe('the five minutes of docs/webhooks-developers.md', () => {
  const guide = readFileSync(new URL('../../docs/webhooks-developers.md', import.meta.url), 'utf8');
  const root = fileURLToPath(new URL('../../', import.meta.url));

  it('end with a server that has verified what a transfer went through, and takes nothing that is forged', async () => {
    const [, code = ''] = /## Try it.*?```js\n(.*?)```/s.exec(guide) ?? [];
    const port = await freePort();
    const url = `http://localhost:${port}/hooks`;
    await seal();
    const listening = await listen(url);
    const args = ['--input-type=module', '--eval', code.replace('3000', String(port))];
    const server = person.start(process.execPath, args, {
      cwd: root,
      env: { PORTICO_WEBHOOK_SECRET: listening.secret },
    });
    let printed = '';
    server.stdout.on('data', (data: Buffer) => (printed += data));
    const forge = () =>
      fetch(url, { method: 'POST', body: '{}' }).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(forge).toBe(400);
    await person.run(['events', 'trigger', 'transfer.completed']);
    await settled();
    const types = ['transfer.created', 'transfer.processing', 'transfer.completed'];
    await expect.poll(() => printed.match(/(?<=^verified )\S+/gm)).toEqual(types);
    expect(printed).toMatch(/^refused the header webhook-id is missing$/m);
    await expect.poll(() => typesIn(listening.stdout())).toEqual(types);
    server.kill();
    await listening.end();
  });

  it('name what can be triggered', () => {
    for (const type of triggeredTypes) expect(guide).toContain(`\`${type}\``);
  });
});

describe('portico events tail', () => {
  it('prints what happens from now on, until it is interrupted', async () => {
    await seal();
    const tailing = start(['events', 'tail']);
    await expect.poll(tailing.stderr).toContain('waiting for events');
    const transferId = await make();
    await expect
      .poll(tailing.stdout)
      .toMatch(new RegExp(`^2\\d{3}-\\S+Z  transfer\\.created  EVT_\\d+  TEST  ${transferId}\n$`));
    expect(await tailing.end()).toBe(0);
  });

  it('goes on after an event, by type, as lines of JSON', async () => {
    const after = await client.events.latest();
    const ids = [await make(), await make(), await make()];
    for (const id of ids) await cancel(id);
    const tailing = start([
      'events',
      'tail',
      '--after',
      after ?? '',
      '--types',
      'transfer.cancelled',
      '--json',
    ]);
    await expect.poll(() => linesOf(tailing.stdout())).toHaveLength(3);
    const events = linesOf(tailing.stdout()).map((line): PorticoEvent => JSON.parse(line));
    expect(events).toEqual((await client.events.list({ after, types: ['transfer.cancelled'] })).events);
    expect(await tailing.end()).toBe(0);
  });

  it('is told in one line what is no place', async () => {
    const { code, stdout, stderr } = await person.perform(['events', 'tail', '--after', 'yesterday']);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^portico: 4000 .*after.*\n$/)]);
  });
});

describe('portico events trigger', () => {
  it.each([
    ['transfer.created', ['transfer.created']],
    ['transfer.processing', ['transfer.created', 'transfer.processing']],
    ['transfer.completed', ['transfer.created', 'transfer.processing', 'transfer.completed']],
    ['transfer.failed', ['transfer.created', 'transfer.processing', 'transfer.failed']],
    ['transfer.cancelled', ['transfer.created', 'transfer.cancelled']],
    ['file.created', ['file.created']],
    ['file.deleted', ['file.created', 'file.deleted']],
  ])('makes %s happen, and what leads there', async (type, expected) => {
    const { code, stdout, stderr } = await person.perform(['events', 'trigger', type, '--json']);
    expect([code, stderr]).toEqual([0, '']);
    const { transferId, bizId, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({ type });
    await settled();
    const told: string[] = [];
    for await (const { type, data } of client.events.each())
      if (Object.values(data)[0] === (transferId ?? bizId)) told.push(type);
    expect(told).toEqual(expected);
  });

  it('shows what it made', async () => {
    const { stdout } = await person.run(['events', 'trigger', 'transfer.created']);
    expect(stdout).toMatch(/^type +transfer\.created\ntransferId +TRF_\w+\n$/);
  });

  it.each([
    ['member.added', 'member.added cannot be triggered; what can: transfer.created, transfer.processing'],
    ['transfer.complete', 'did you mean transfer.completed?'],
    ['__proto__', 'cannot be triggered'],
  ])('refuses %s with what can be triggered', async (type, expected) => {
    const { code, stdout, stderr } = await person.perform(['events', 'trigger', type]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^portico: .+file\.deleted\n$/);
    expect(stderr).toContain(expected);
  });

  it('makes nothing happen with a LIVE key', async () => {
    const live = await createKey(site.world, { mode: 1, scopes });
    const other = new Portico({ baseUrl: site.url, ...live });
    const before = (await other.transfers.list()).page.totalElements;
    const outcome = await person.run(['events', 'trigger', 'transfer.created'], { env: keyEnv(live) });
    expect(outcome).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('is a LIVE key') });
    expect((await other.transfers.list()).page.totalElements).toBe(before);
  });
});
