import { isDeepStrictEqual } from 'node:util';
import { call, callUntilGood, dataOf, type HttpAnswer, type HttpRequest } from './call.ts';
import { type Case, countTotals, pagesOf, type Totals, takesPart } from './cases.ts';
import { cancelPeer, type Field, type Peer, peers } from './field.ts';
import type { Population } from './populations.ts';
import { oneLimitSeconds } from './recorder.ts';
import { filesRequest, json, signedTransfers, unsignedRequest } from './requests.ts';
import { createKey, type Key, signIn } from './world.ts';

/** A population with what its callers need. */
export type Ground = { population: Population; totals: Totals; key: Key };

export async function openGround({ database, portico }: Field, population: Population): Promise<Ground> {
  return {
    population,
    totals: await countTotals(database.admin, population),
    key: await createKey(portico.port, 1, population.workspaceBizIds[0]),
  };
}

/** One case on one population: which pages, and how each server is asked for one. */
export type Task = Ground & {
  measured: Case;
  pages: number[];
  askPortico(page: number): HttpRequest;
  askPlain(page: number): HttpRequest;
};

/** Signed in anew each time: a token lasts fifteen minutes, a run may last longer. */
export async function openTask({ portico, token }: Field, ground: Ground, measured: Case): Promise<Task> {
  const { population, totals, key } = ground;
  const headers = await signIn(portico.port);
  const isFiles = measured.resource === 'files';
  return {
    ...ground,
    measured,
    pages: pagesOf(measured, totals(measured)),
    askPortico: (page) =>
      isFiles ? filesRequest(measured, population, page, headers) : signedTransfers(measured, key, page),
    askPlain: (page) =>
      isFiles
        ? filesRequest(measured, population, page, { ...json, authorization: `Bearer ${token}` })
        : unsignedRequest(measured, population, page),
  };
}

/** What a peer answers. One that takes longer than a measurement lasts has none: its last page can take a minute. */
async function askPeer(field: Field, name: Peer, ask: () => HttpRequest): Promise<HttpAnswer | undefined> {
  const signal = AbortSignal.timeout(oneLimitSeconds * 1000);
  try {
    return await callUntilGood(field.peers[name].port, ask, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    await cancelPeer(field, name);
    return undefined;
  }
}

function disagreement(own: HttpAnswer, other: HttpAnswer | undefined): string | undefined {
  if (other === undefined) return `not compared, no answer within ${oneLimitSeconds} s`;
  return isDeepStrictEqual(dataOf(own), dataOf(other))
    ? undefined
    : `not the same answer (${other.status}, the service ${own.status})`;
}

/** Gives node:http the bytes of the service, and says where the service and its peers disagree. */
export async function rehearse(field: Field, task: Task): Promise<void> {
  const [page = 0] = task.pages;
  const { measured, population } = task;
  const own = await callUntilGood(field.portico.port, () => task.askPortico(page));
  const others = await Promise.all(
    peers
      .filter((name) => takesPart(name, measured))
      .map(async (name) => ({ name, answer: await askPeer(field, name, () => task.askPlain(page)) })),
  );
  const body = own.status === 200 ? own.bytes : (others[0]?.answer?.bytes ?? own.bytes);
  await call(field.nodeHttp.port, { method: 'PUT', path: '/', headers: {}, body });
  for (const { name, answer } of others) {
    const found = disagreement(own, answer);
    if (found !== undefined)
      process.stderr.write(`${measured.name} of ${population.name}, ${name}: ${found}\n`);
  }
}
