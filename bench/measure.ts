import type { HttpRequest } from './call.ts';
import { cpuMsOf, type Memory, memoryOf } from './cost.ts';
import { awaitCalm, cancelPeer, cancelSql, type Field, peers } from './field.ts';
import { loadHttp, loadSql } from './load.ts';
import type { ServerProcess } from './processes.ts';
import { type Load, patienceMs, type Sample } from './recorder.ts';
import { bareStatement } from './statements.ts';
import type { Task } from './task.ts';

export const targets = ['portico', ...peers, 'node-http', 'sql'] as const;
export type Target = (typeof targets)[number];

/** What a measurement says of the server's process, where the system tells. */
export type Cost = { cpuMs?: number; memory?: Memory };

/** Each in turn, over and over. */
function cycle<Item>(items: readonly Item[]): () => Item {
  let next = 0;
  return () => items[next++ % items.length] as Item; // there is at least one page
}

async function loadServer(
  { port, pid }: ServerProcess,
  request: HttpRequest | (() => HttpRequest),
  load: Load,
): Promise<Sample & Cost> {
  const before = cpuMsOf(pid);
  const sample = await loadHttp({ ...load, port, request });
  const after = cpuMsOf(pid);
  const memory = memoryOf(pid);
  return {
    ...sample,
    ...(before === undefined || after === undefined ? {} : { cpuMs: (after - before) / sample.responses }),
    ...(memory === undefined ? {} : { memory }),
  };
}

function loadDatabase(field: Field, task: Task, { connections, seconds }: Load): Promise<Sample> {
  const { measured, population, pages } = task;
  const statements = pages.map((page) => bareStatement(measured, population, page));
  const clients = field.sqlClients.slice(0, connections);
  return loadSql(clients, seconds, cycle(statements), () => cancelSql(field));
}

/** A request is made once where every one is the same, so that the client costs as little as it can. */
function requests(pages: number[], isSigned: boolean, ask: (page: number) => HttpRequest) {
  const next = cycle(pages);
  if (isSigned) return () => ask(next());
  if (pages.length === 1) return ask(next());
  return cycle(pages.map(ask));
}

export async function measure(field: Field, target: Target, task: Task, load: Load): Promise<Sample & Cost> {
  const { pages, askPlain, askPortico, measured } = task;
  if (target === 'sql') return loadDatabase(field, task, load);
  if (target === 'node-http') return loadServer(field.nodeHttp, requests(pages, false, askPlain), load);
  const isSigned = measured.resource === 'transfers';
  const sample =
    target === 'portico'
      ? await loadServer(field.portico, requests(pages, isSigned, askPortico), load)
      : await loadServer(field.peers[target], requests(pages, false, askPlain), load);
  if (target !== 'portico' && sample.waitingMs > patienceMs) await cancelPeer(field, target);
  await awaitCalm(field);
  return sample;
}
