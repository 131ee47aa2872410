import { cases, filterCases, plainCases, takesPart } from './cases.ts';
import { connectionCounts, type Field } from './field.ts';
import { type Cost, measure, type Target, targets } from './measure.ts';
import type { Population } from './populations.ts';
import type { Sample } from './recorder.ts';
import { type Ground, openGround, openTask, rehearse } from './task.ts';

/** One line of `--out`. */
export type Line = {
  target: Target;
  case: string;
  rows: number;
  connections: number;
  p50Ms: number;
  p99Ms: number;
  rps: number;
  errors: number;
};
/** What the README tells beside. */
export type Result = Line & { isAtLeast?: true; cpuMs?: number; rssMiB?: number; peakMiB?: number };

const warmUpSeconds = 2;
/** Of the others p50 is looked at, not the tail, so they get less of the time. */
const share: Record<Target, number> = {
  portico: 1,
  'count-offset': 0.4,
  drizzle: 0.4,
  'node-http': 0.4,
  sql: 0.4,
};

type Plan = {
  cases: typeof cases;
  targets: readonly Target[];
  connections: readonly number[];
  seconds: number;
};

function resultOf(
  line: Pick<Line, 'target' | 'case' | 'rows' | 'connections'>,
  sample: Sample & Cost,
): Result {
  const { p50Ms, p99Ms, rps, errors, isAtLeast, cpuMs, memory } = sample;
  return {
    ...line,
    ...{ p50Ms, p99Ms, rps, errors },
    ...(isAtLeast ? { isAtLeast } : {}),
    ...(cpuMs === undefined ? {} : { cpuMs: Number(cpuMs.toFixed(4)) }),
    ...(memory === undefined
      ? {}
      : { rssMiB: Math.round(memory.rssMiB), peakMiB: Math.round(memory.peakMiB) }),
  };
}

/** The targets take turns at every step, so that what disturbs the machine disturbs them alike. */
async function runPlan(field: Field, ground: Ground, plan: Plan): Promise<Result[]> {
  const results: Result[] = [];
  for (const measured of plan.cases) {
    const begun = performance.now();
    const task = await openTask(field, ground, measured);
    await rehearse(field, task);
    for (const connections of plan.connections)
      for (const target of plan.targets.filter((each) => takesPart(each, measured))) {
        const load = { connections, seconds: plan.seconds * share[target] };
        const sample = await measure(field, target, task, load);
        const line = { target, case: measured.name, rows: ground.population.rows, connections };
        results.push(resultOf(line, sample));
      }
    const seconds = Math.round((performance.now() - begun) / 1000);
    process.stderr.write(`${ground.population.name} ${measured.name}: ${seconds} s\n`);
  }
  return results;
}

/** Code is compiled while it runs for the first seconds; on the smallest data, so that it is run often. */
export async function warmUp(field: Field, population: Population, seconds: number): Promise<void> {
  const ground = await openGround(field, population);
  for (const measured of cases.filter(({ name }) => name === 'first' || name === 'signed-first')) {
    const task = await openTask(field, ground, measured);
    await rehearse(field, task);
    for (const target of targets.filter((each) => takesPart(each, measured)))
      await measure(field, target, task, { connections: 16, seconds: seconds * warmUpSeconds });
  }
}

export async function measureRows(field: Field, population: Population, seconds: number): Promise<Result[]> {
  const ground = await openGround(field, population);
  return runPlan(field, ground, { cases, targets, connections: connectionCounts, seconds });
}

/** Of these the middle alone is looked at, which takes less. */
const filtersShare = 0.5;

/** Every combination of filters by one connection. */
export async function measureFilters(
  field: Field,
  population: Population,
  seconds: number,
): Promise<Result[]> {
  const ground = await openGround(field, population);
  const plan = {
    cases: filterCases,
    targets: ['portico', 'count-offset'],
    connections: [1],
    seconds: seconds * filtersShare,
  } as const;
  return runPlan(field, ground, plan);
}

/** The unfiltered pages alone. */
export async function measurePlain(field: Field, population: Population, seconds: number): Promise<Result[]> {
  const ground = await openGround(field, population);
  const plan = {
    cases: plainCases,
    targets: ['portico', 'count-offset'],
    connections: connectionCounts,
    seconds,
  } as const;
  return runPlan(field, ground, plan);
}
