import { plainCases } from './cases.ts';
import type { Field } from './field.ts';
import { measure } from './measure.ts';
import type { Population } from './populations.ts';
import { openGround, openTask, rehearse, type Task } from './task.ts';
import { median } from './world.ts';

const connectionCounts = [1, 64, 100] as const;
const rounds = 5;

type Spread = 'hour' | 'years';
export type Middle = {
  spread: Spread;
  connections: number;
  p50Ms: number;
  p99Ms: number;
  rps: number;
  errors: number;
};

async function openMiddle(field: Field, population: Population): Promise<Task> {
  const middle = plainCases.find(({ place }) => place === 'middle');
  if (middle === undefined) throw new Error('no case is of the middle page');
  const task = await openTask(field, await openGround(field, population), middle);
  await rehearse(field, task);
  return task;
}

/** The middle page of as many rows of one hour and of three years: medians of rounds in which the two take turns. */
export async function measureMiddles(
  field: Field,
  populations: Record<Spread, Population>,
  seconds: number,
): Promise<Middle[]> {
  const spreads = ['hour', 'years'] as const;
  const tasks = {
    hour: await openMiddle(field, populations.hour),
    years: await openMiddle(field, populations.years),
  };
  const results: Middle[] = [];
  for (const connections of connectionCounts) {
    const samples = { hour: [], years: [] } as Record<Spread, Awaited<ReturnType<typeof measure>>[]>; // filled below
    for (let round = -1; round < rounds; round += 1)
      for (const spread of spreads) {
        const sample = await measure(field, 'portico', tasks[spread], { connections, seconds });
        if (round >= 0) samples[spread].push(sample); // the first round warms up
      }
    for (const spread of spreads) {
      const middle = (read: 'p50Ms' | 'p99Ms' | 'rps') =>
        median(samples[spread].map((sample) => sample[read]));
      const errors = samples[spread].reduce((sum, sample) => sum + sample.errors, 0);
      const numbers = { p50Ms: middle('p50Ms'), p99Ms: middle('p99Ms'), rps: middle('rps') };
      results.push({ spread, connections, ...numbers, errors });
    }
  }
  return results;
}

/** How many times what it is for three years a number is for one hour. */
export function hourToYears(
  middles: readonly Middle[],
  connections: number,
  read: (middle: Middle) => number,
): number {
  const [hour, years] = (['hour', 'years'] as const).map((spread) =>
    middles.find((each) => each.spread === spread && each.connections === connections),
  );
  return hour === undefined || years === undefined ? Number.NaN : read(hour) / read(years);
}
