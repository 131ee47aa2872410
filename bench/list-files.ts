import type { AddressInfo } from 'node:net';
import autocannon from 'autocannon';
import { sql } from '../server/src/db/sql.ts';
import { freePort, startProcess, startSiteverify } from './processes.ts';
import { median, type Server, signIn, startDatabase, startPortico } from './world.ts';

const connections = 64;
const rounds = 5;
const roundSeconds = 4;
const path = '/web/v1/files/query/list';
const requestBody = JSON.stringify({ institutionBizId: 'INST_DEMO' });

type Target = Server & {
  name: string;
  headers: Record<string, string>;
  perSecond: number[];
  p50Ms: number[];
};

/** With a Turnstile secret that is no dummy, so that the memory of solved challenges is used. */
async function startService(databaseUrl: string): Promise<Target> {
  const siteverify = await startSiteverify('127.0.0.1');
  siteverify.unref();
  const server = await startPortico(databaseUrl, {
    PORTICO_TURNSTILE_SECRET: 'bench-secret',
    PORTICO_TURNSTILE_VERIFY_URL: `http://127.0.0.1:${(siteverify.address() as AddressInfo).port}/`, // it listens on TCP
  });
  return {
    ...server,
    name: 'portico',
    headers: await signIn(server.port, 'bench'),
    perSecond: [],
    p50Ms: [],
  };
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

const postgres = await startDatabase();
const targets: Target[] = [];
try {
  const portico = await startService(postgres.url);
  targets.push(portico);
  const sample = await fetch(`http://127.0.0.1:${portico.port}${path}`, {
    method: 'POST',
    headers: portico.headers,
    body: requestBody,
  });
  const bytes = Buffer.from(await sample.arrayBuffer());
  const { strings, values } = sql`
    select (select count(*) from files where institution_id = 1 and deleted_at is null) as total, f.*
    from files f where institution_id = 1 and deleted_at is null order by created_at desc, id desc limit 20`;
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
}
