import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { pageStatement } from '../server/src/contract/collection.ts';
import { startEmbeddedPostgres } from '../server/src/db/embedded/embedded-postgres.ts';
import { sql } from '../server/src/db/sql.ts';
import { institutionFiles } from '../server/src/resources/files/collection.ts';
import { freePort, startProcess, startSiteverify } from './processes.ts';

const connections = 64;
const rounds = 5;
const roundSeconds = 4;
const path = '/web/v1/files/query/list';
const requestBody = JSON.stringify({ institutionBizId: 'INST_DEMO' });
const turnstileToken = 'bench';

type Target = {
  name: string;
  port: number;
  process: ChildProcess;
  headers: Record<string, string>;
  perSecond: number[];
  p50Ms: number[];
};

async function signIn(port: number): Promise<Record<string, string>> {
  const base = { 'content-type': 'application/json', 'x-turnstile-token': turnstileToken };
  const body = JSON.stringify({ email: 'owner@demo.test', password: 'portico-demo' });
  const response = await fetch(`http://127.0.0.1:${port}/web/v1/auth/login`, {
    method: 'POST',
    headers: base,
    body,
  });
  const { data } = (await response.json()) as { data: { accessToken: string } };
  return { ...base, authorization: `Bearer ${data.accessToken}` };
}

async function startPortico(databaseUrl: string): Promise<Target> {
  const siteverify = await startSiteverify('127.0.0.1');
  siteverify.unref();
  const port = await freePort();
  const env = {
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    PORTICO_DEMO: '1',
    PORTICO_MASTER_KEY: randomBytes(32).toString('base64'),
    PORTICO_LIMIT_PORTAL: 'off',
    PORTICO_LOG_LEVEL: 'warn',
    PORTICO_TURNSTILE_SECRET: 'bench-secret',
    PORTICO_TURNSTILE_VERIFY_URL: `http://127.0.0.1:${(siteverify.address() as AddressInfo).port}/`, // it listens on TCP
  };
  const process = await startProcess(['server/dist/main.js'], env);
  return { name: 'portico', port, process, headers: await signIn(port), perSecond: [], p50Ms: [] };
}

async function startOther(name: string, file: string, env: Record<string, string>): Promise<Target> {
  const port = await freePort();
  const process = await startProcess(['--import', 'tsx', file], { ...env, PORT: String(port) });
  return { name, port, process, headers: { 'content-type': 'application/json' }, perSecond: [], p50Ms: [] };
}

async function measure({ port, headers, perSecond, p50Ms, name }: Target): Promise<void> {
  const url = `http://127.0.0.1:${port}${path}`;
  const result = await autocannon({
    url,
    method: 'POST',
    headers,
    body: requestBody,
    connections,
    duration: roundSeconds,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${name}: ${result.non2xx} refusals, ${result.errors} errors`);
  perSecond.push(result.requests.average);
  p50Ms.push(result.latency.p50);
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function print(targets: Target[]): void {
  const [portico] = targets;
  const own = median(portico?.perSecond ?? []);
  const lines = targets.map(
    ({ name, perSecond, p50Ms }) =>
      `| ${name} | ${Math.round(median(perSecond))} | ${median(p50Ms)} | ${(own / median(perSecond)).toFixed(2)} |`,
  );
  process.stdout.write(
    `list files, first page of 20 of 250, ${connections} connections, median of ${rounds} interleaved rounds of ${roundSeconds} s\n\n` +
      `| target | requests/s | p50 ms | portico is this many times as fast |\n|---|---|---|---|\n${lines.join('\n')}\n`,
  );
}

const home = mkdtempSync(join(tmpdir(), 'portico-bench-'));
const postgres = await startEmbeddedPostgres({ home });
const { host, port, user, password, database } = postgres.connection;
const databaseUrl = `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
const targets: Target[] = [];
try {
  const portico = await startPortico(databaseUrl);
  targets.push(portico);
  const sample = await fetch(`http://127.0.0.1:${portico.port}${path}`, {
    method: 'POST',
    headers: portico.headers,
    body: requestBody,
  });
  const bytes = Buffer.from(await sample.arrayBuffer());
  const { strings, values } = pageStatement(
    institutionFiles,
    [sql`f.institution_id = 1`, sql`f.deleted_at is null`],
    {
      page: 0n,
      size: 20,
      sort: [institutionFiles.defaultSort],
    },
  );
  const statement = JSON.stringify({ strings, values: values.map(String) });
  const connection = JSON.stringify(postgres.connection);
  targets.push(
    await startOther('plain Fastify, same SQL, no authentication', 'bench/targets/plain-fastify.ts', {
      BENCH_STATEMENT: statement,
      BENCH_CONNECTION: connection,
    }),
  );
  targets.push(
    await startOther('bare node:http, same bytes', 'bench/targets/node-http.ts', {
      BENCH_BODY: bytes.toString('base64'),
    }),
  );
  for (let round = -1; round < rounds; round += 1) {
    for (const target of targets) await measure(target);
    if (round === -1) for (const target of targets) Object.assign(target, { perSecond: [], p50Ms: [] }); // the first round warms up
  }
  print(targets);
} finally {
  for (const { process } of targets) process.kill();
  await postgres.stop();
  rmSync(home, { recursive: true, force: true });
}
