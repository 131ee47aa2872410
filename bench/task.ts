import { isDeepStrictEqual } from 'node:util';
import { call, dataOf, type HttpRequest } from './call.ts';
import { type Case, countTotals, pagesOf, type Totals } from './cases.ts';
import type { Field } from './field.ts';
import type { Population } from './populations.ts';
import { filesRequest, signedTransfers, unsignedRequest } from './requests.ts';
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
export async function openTask({ portico }: Field, ground: Ground, measured: Case): Promise<Task> {
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
      isFiles ? filesRequest(measured, population, page) : unsignedRequest(measured, population, page),
  };
}

/** Gives node:http the bytes of the service, and says where the service and the plain handler disagree. */
export async function rehearse({ portico, countOffset, nodeHttp }: Field, task: Task): Promise<void> {
  const [page = 0] = task.pages;
  const own = await call(portico.port, task.askPortico(page));
  const plain = await call(countOffset.port, task.askPlain(page));
  const body = own.status === 200 ? own.bytes : plain.bytes;
  await call(nodeHttp.port, { method: 'PUT', path: '/', headers: {}, body });
  const { measured, population } = task;
  if (!isDeepStrictEqual(dataOf(own), dataOf(plain)))
    process.stderr.write(
      `${measured.name} of ${population.name}: not the same answer (${own.status}, plain ${plain.status})\n`,
    );
}
