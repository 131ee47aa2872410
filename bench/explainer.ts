import { randomUUID } from 'node:crypto';
import { findMistake } from '../server/src/auth/signed/signing-mistakes.ts';
import { median } from './world.ts';

const rounds = 200;

const suspect = {
  parts: {
    method: 'GET',
    path: '/api/v1/transfers',
    query: 'size=5&sort=amount,asc&sort=status,desc',
    timestamp: '1767225600',
    nonce: randomUUID(),
    apiKeyId: 'ak_test_01JGFZ3Q7W8X9Y0Z1A2B3C4D5E',
    body: Buffer.from('{"a": 1}'),
  },
  basePath: '',
  origins: ['https://api.example', 'https://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  secret: 'sk_test_example',
  formerSecrets: ['former'],
  liveSecrets: Array.from({ length: 50 }, (_none, index) => `live ${index}`),
};

/** What an integrator or an attacker may send: the cost must not grow with it. */
const requests = {
  'an ordinary request': {},
  'a query of 8 KB': { query: '%&'.repeat(4000) },
  'a body nested 10,000 deep': { body: Buffer.from('{"a":'.repeat(10_000) + 1 + '}'.repeat(10_000)) },
  'a body of 64 KiB': { body: Buffer.from(JSON.stringify({ a: 'x'.repeat(64 * 1024 - 20) })) },
};

export type ExplainerResult = { name: string; ms: number };

/** All mistakes tried on a wrong TEST signature. */
export async function measureExplainer(): Promise<ExplainerResult[]> {
  const results: ExplainerResult[] = [];
  for (const [name, change] of Object.entries(requests)) {
    const parts = { ...suspect.parts, ...change };
    const times: number[] = [];
    while (times.length < rounds) {
      const begun = performance.now();
      await findMistake({ ...suspect, parts }, '0'.repeat(64), async () => {});
      times.push(performance.now() - begun);
    }
    results.push({ name, ms: median(times) });
  }
  return results;
}
