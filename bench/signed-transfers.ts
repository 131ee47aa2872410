import { loadHttp } from './load.ts';
import { startProcess } from './processes.ts';
import type { Sample } from './recorder.ts';
import { signedRequest } from './requests.ts';
import { createKey, median, startDatabase, startPortico } from './world.ts';

const connections = 64;
const rounds = 5;
const secondsEach = 4;
const path = '/api/v1/transfers';

export type SigningResult = { name: string; rps: number; errors: number };
type Target = { name: string; port: number; samples: Sample[] };

/**
 * The signed transfers of the demo world, against the same endpoint with nothing checked before. Both are sent the same signed
 * requests, as signing costs the client, and it shares the processors with them.
 */
export async function measureSigning(seconds: number): Promise<SigningResult[]> {
  const database = await startDatabase();
  const portico = await startPortico(database.url);
  const unsigned = await startProcess(['--import', 'tsx', 'bench/targets/unsigned-transfers.ts'], {
    DATABASE_URL: database.url,
  });
  const key = await createKey(portico.port, 1);
  const request = () => signedRequest(key, path);
  const targets: Target[] = [
    { name: 'signed, all checks, durable nonce', port: portico.port, samples: [] },
    { name: 'the same endpoint without them', port: unsigned.port, samples: [] },
  ];
  for (let round = -1; round < rounds; round += 1) {
    for (const target of targets) {
      const { port, samples } = target;
      const sample = await loadHttp({ port, request, connections, seconds: seconds * secondsEach });
      if (round >= 0) samples.push(sample); // the first round warms up
    }
  }
  await Promise.all([portico.stop(), unsigned.stop()]);
  await database.stop();
  return targets.map(({ name, samples }) => ({
    name,
    rps: median(samples.map(({ rps }) => rps)),
    errors: samples.reduce((sum, { errors }) => sum + errors, 0),
  }));
}
