import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import { sign, stringToSign } from '../server/src/auth/signature.ts';
import { freePort, startProcess } from './processes.ts';
import { createKey, type Key, median, type Server, startDatabase, startPortico } from './world.ts';

const connections = 64;
const rounds = 5;
const roundSeconds = 4;
/** Signed before a round begins, so that signing costs the client nothing while it is measured. */
const signedAhead = 40_000;
const path = '/api/v1/transfers';

type Target = Server & { name: string; key?: Key; perSecond: number[] };

function signedHeaders({ apiKeyId, secret }: Key): Record<string, string> {
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), randomUUID()];
  const parts = { method: 'GET', path, query: '', timestamp, nonce, apiKeyId, body: Buffer.alloc(0) };
  return {
    'x-api-key': apiKeyId,
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    'x-signature': sign(secret, stringToSign(parts)),
  };
}

async function measure({ port, key, name, perSecond }: Target): Promise<void> {
  const stock = key === undefined ? [] : Array.from({ length: signedAhead }, () => signedHeaders(key));
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${path}`,
    connections,
    duration: roundSeconds,
    requests: [
      { setupRequest: (request) => ({ ...request, headers: { ...request.headers, ...stock.pop() } }) },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${name}: ${result.non2xx} refusals, ${result.errors} errors`);
  perSecond.push(result.requests.average);
}

const database = await startDatabase();
const targets: Target[] = [];
try {
  const portico = await startPortico(database.url);
  targets.push({
    ...portico,
    name: 'signed, all checks, durable nonce',
    key: await createKey(portico.port, 1),
    perSecond: [],
  });
  const port = await freePort();
  const process = await startProcess(['--import', 'tsx', 'bench/targets/unsigned-transfers.ts'], {
    PORT: String(port),
    DATABASE_URL: database.url,
  });
  targets.push({ port, process, name: 'the same endpoint without them', perSecond: [] });
  for (let round = -1; round < rounds; round += 1) {
    for (const target of targets) await measure(target);
    if (round === -1) for (const target of targets) target.perSecond.length = 0; // the first round warms up
  }
  const [signed = 0, plain = 1] = targets.map(({ perSecond }) => median(perSecond));
  const rows = targets.map(
    ({ name, perSecond }) =>
      `| ${name} | ${Math.round(median(perSecond))} | ${(median(perSecond) / plain).toFixed(2)} |`,
  );
  globalThis.process.stdout.write(
    `signed transfers, page of 20 of 240, ${connections} connections, median of ${rounds} interleaved rounds of ${roundSeconds} s\n\n` +
      `| target | requests/s | ratio |\n|---|---|---|\n${rows.join('\n')}\n\nratio ${(signed / plain).toFixed(2)}\n`,
  );
} finally {
  for (const { process } of targets) process.kill();
  await database.stop();
}
