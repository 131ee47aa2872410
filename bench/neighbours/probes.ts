import { setTimeout as sleep } from 'node:timers/promises';
import { collectGarbage } from '../../server/test/garbage.ts';
import type { HttpRequest } from '../call.ts';
import { signedRequest } from '../requests.ts';
import { watchSteal } from '../steal.ts';
import { signIn, signInRequest } from '../world.ts';
import { lightCall } from './light-call.ts';
import type { Victim } from './tenants.ts';

export type ProbeName = 'list' | 'ping' | 'sign-in';

/** A second. Hashing a password takes a processor for tens of milliseconds, so there are fewer of these. */
const rates: Record<ProbeName, number> = { list: 60, ping: 60, 'sign-in': 12 };
export const probeNames = Object.keys(rates) as ProbeName[]; // a constant has no other keys

/** As long as the most patient clients wait. */
const patienceMs = 10_000;

/** One request; without a status it was not answered. Of a stolen one the machine was partly away, so its time says nothing. */
export type Shot = { probe: ProbeName; dueMs: number; ms: number; status?: number; isStolen: boolean };
export type Probes = Record<ProbeName, (index: number) => HttpRequest>;

export async function openProbes(port: number, victim: Victim): Promise<Probes> {
  const { institutionBizId, key } = victim;
  // The oldest sign-ins of an account end when it has many: one that lists does not sign in again.
  const [listing = '', ...emails] = victim.emails;
  const list: HttpRequest = {
    method: 'POST',
    path: '/web/v1/files/query/list?size=20',
    headers: await signIn(port, listing),
    body: JSON.stringify({ institutionBizId }),
  };
  return {
    list: () => list,
    ping: () => signedRequest(key, '/api/v1/ping'),
    'sign-in': (index) => signInRequest(emails[index % emails.length] ?? ''),
  };
}

/** The time counts from when it should have been sent, so that what holds this process up is not hidden either. */
async function shoot(
  port: number,
  probe: ProbeName,
  request: () => HttpRequest,
  dueMs: number,
): Promise<Omit<Shot, 'isStolen'>> {
  await sleep(Math.max(0, dueMs - performance.now()));
  const status = await lightCall(port, request(), patienceMs);
  const ms = performance.now() - dueMs;
  return { probe, dueMs, ms, ...(status === undefined ? {} : { status }) };
}

/** Each on a connection of its own, at fixed times, whether or not those before were answered. */
export async function probe(port: number, probes: Probes, seconds: number): Promise<Shot[]> {
  collectGarbage(); // or the collector of this process has both processors for tens of milliseconds while times are taken
  const watch = watchSteal();
  const begun = performance.now();
  const shots = probeNames.flatMap((name, phase) => {
    const everyMs = 1000 / rates[name];
    return Array.from({ length: Math.max(1, Math.round(rates[name] * seconds)) }, (_none, index) =>
      shoot(port, name, () => probes[name](index), begun + everyMs * (index + phase / probeNames.length)),
    );
  });
  const ended = await Promise.all(shots);
  watch.stop();
  return ended.map((shot) => ({ ...shot, isStolen: watch.isStolen(shot.dueMs) }));
}

/** Whether every probe is answered well, one after the other. */
export async function isServed(port: number, probes: Probes): Promise<boolean> {
  for (const name of probeNames) {
    const { status } = await shoot(port, name, () => probes[name](0), performance.now());
    if (status !== 200) return false;
  }
  return true;
}
