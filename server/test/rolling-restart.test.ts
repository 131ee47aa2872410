import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from './database.ts';
import { buildOnce, freePort, makeFolder, removeFolder, Service } from './service-process.ts';
import { type Nginx, startNginx } from './support/nginx-server.ts';
import { patientTimes } from './world.ts';

const unit = readFileSync(new URL('../../docs/portico.service', import.meta.url), 'utf8');
const drainMs = Number(/^Environment=PORTICO_DRAIN_MS=(\d+)$/m.exec(unit)?.[1]);
/** What a proxy on an overloaded machine may need beyond what the unit gives it. */
const slackMs = 2000;

const rounds = Number(process.env['RESTART_ROUNDS'] ?? 1);
let folder: string;
let database: TestDatabase;
let nginx: Nginx;
let ports: number[];

beforeAll(async () => {
  buildOnce();
  folder = makeFolder();
  database = await createDatabase();
  ports = [await freePort(), await freePort()];
  nginx = await startNginx(ports);
});
afterAll(async () => {
  await nginx?.stop();
  await removeFolder(folder);
  await database?.drop();
});

function start(port: number): Promise<Service> {
  const env = {
    PORT: String(port),
    DATABASE_URL: database.url,
    PORTICO_DEMO: '1',
    PORTICO_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
    PORTICO_TRUSTED_PROXIES: '127.0.0.1',
    PORTICO_PUBLIC_URL: nginx.origin,
    PORTICO_LIMIT_PORTAL: 'off',
    PORTICO_LOG_LEVEL: 'info',
    PORTICO_DRAIN_MS: String(drainMs + slackMs),
    // A slow machine is not what fails here.
    ...patientTimes,
  };
  return new Service({ cwd: folder, env }).ready(180_000);
}

async function untilReady(port: number): Promise<void> {
  const isReady = async () =>
    (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200;
  await expect.poll(isReady).toBe(true);
}

type Answer = { status: number; body: string };
type Call = { method: 'GET' | 'POST'; path: string; body?: object };

/** Clients with kept connections, which write down what was not answered as it should be. */
function openLoad(headers: Record<string, string> = {}) {
  const agent = new Agent({ keepAlive: true });
  const failures: string[] = [];
  const counts = { answered: 0 };
  let isOver = false;
  const send = ({ method, path, body }: Call) =>
    new Promise<Answer>((resolve, reject) => {
      const common = { 'content-type': 'application/json', 'x-turnstile-token': 'x', ...headers };
      const options = { method, agent, headers: common };
      const sent = request(`${nginx.origin}${path}`, options, (response) => {
        let text = '';
        response.on('data', (data) => (text += data)).on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      });
      sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  const clients: Promise<void>[] = [];
  const repeat = async (call: Call, pauseMs: number) => {
    while (!isOver) {
      const answer = await send(call).catch((error: Error) => ({ status: 0, body: error.message }));
      counts.answered += 1;
      if (answer.status !== 200)
        failures.push(`${call.method} ${call.path}: ${answer.status} ${answer.body.slice(0, 200)}`);
      await sleep(pauseMs);
    }
  };
  const end = async () => {
    isOver = true;
    await Promise.all(clients);
    agent.destroy();
  };
  const add = (call: Call, pauseMs: number) => void clients.push(repeat(call, pauseMs));
  return { send, add, failures, counts, end };
}

it('no request of kept connections fails while both instances behind the documented nginx are restarted', async () => {
  const services = await Promise.all(ports.map(start));
  const login = { email: 'owner@demo.test', password: 'portico-demo' };
  const visitor = openLoad();
  const { body } = await visitor.send({ method: 'POST', path: '/web/v1/auth/login', body: login });
  await visitor.end();
  const { data } = JSON.parse(body) as { data: { accessToken: string } };
  const load = openLoad({ authorization: `Bearer ${data.accessToken}` });
  const list: Call = {
    method: 'POST',
    path: '/web/v1/files/query/list?size=5',
    body: { institutionBizId: 'INST_DEMO' },
  };
  const config: Call = { method: 'GET', path: '/web/v1/auth/config' };
  // Some come often and some seldom: the connections of those are idle when an instance stops.
  for (const pauseMs of [5, 10, 40, 300, 900])
    for (const call of [list, list, config]) load.add(call, pauseMs);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, port] of ports.entries()) {
      expect(await services[index]?.stop('SIGTERM')).toBe(0);
      services[index] = await start(port);
      await untilReady(port);
    }
  await load.end();
  expect(load.counts.answered).toBeGreaterThan(500);
  expect({
    failures: load.failures,
    proxy: nginx.errors().match(/reset by peer|no live upstreams/g),
  }).toEqual({
    failures: [],
    proxy: null,
  });
}, 600_000);
