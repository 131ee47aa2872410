import { cases } from './cases.ts';
import type { Field } from './field.ts';
import { measure, type Target } from './measure.ts';
import type { Population } from './populations.ts';
import { openGround, openTask, rehearse } from './task.ts';
import { median } from './world.ts';

export const smallRows = 400;
const connections = 64;
const rounds = 5;
/** Longer than the other measurements, as ratios are wanted of it and not orders of magnitude. */
const secondsEach = 3;

export type SmallResult = {
  target: Target;
  rps: number;
  p50Ms: number;
  p99Ms: number;
  errors: number;
  cpuMs?: number;
  rssMiB?: number;
  peakMiB?: number;
};

type Measured = Awaited<ReturnType<typeof measure>>;

function summary(target: Target, samples: Measured[]): SmallResult {
  const middle = (read: (sample: Measured) => number) => Number(median(samples.map(read)).toFixed(3));
  const peak = (read: (sample: Measured) => number) => Math.round(Math.max(...samples.map(read)));
  return {
    target,
    rps: middle(({ rps }) => rps),
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
    errors: samples.reduce((sum, { errors }) => sum + errors, 0),
    ...(samples[0]?.cpuMs === undefined ? {} : { cpuMs: middle(({ cpuMs = 0 }) => cpuMs) }),
    ...(samples[0]?.memory === undefined
      ? {}
      : {
          rssMiB: peak(({ memory }) => memory?.rssMiB ?? 0),
          peakMiB: peak(({ memory }) => memory?.peakMiB ?? 0),
        }),
  };
}

/** The first page of a small institution by many connections: medians of rounds in which the targets take turns. */
export async function measureSmall(
  field: Field,
  population: Population,
  seconds: number,
): Promise<SmallResult[]> {
  const [first] = cases;
  if (first === undefined) return [];
  const task = await openTask(field, await openGround(field, population), first);
  await rehearse(field, task);
  const samples = new Map<Target, Measured[]>([
    ['portico', []],
    ['count-offset', []],
    ['drizzle', []],
    ['node-http', []],
  ]);
  for (let round = -1; round < rounds; round += 1) {
    for (const [target, taken] of samples) {
      const sample = await measure(field, target, task, { connections, seconds: seconds * secondsEach });
      if (round >= 0) taken.push(sample); // the first round warms up
    }
  }
  return [...samples].map(([target, taken]) => summary(target, taken));
}
