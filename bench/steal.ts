import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The part of the processors' time that other machines may have had while something is measured. */
const stolenMax = 0.03;
const pauseMs = 3000;

/** Of all processors since the start, in ticks; a system that does not tell has lost and used none. */
function readTicks(): { stolen: number; used: number; all: number } {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, stolen = 0] = line
      .split(/\s+/)
      .slice(1)
      .map(Number);
    const used = user + nice + system + irq + soft;
    return { stolen, used, all: used + idle + wait + stolen };
  } catch {
    return { stolen: 0, used: 0, all: 1 };
  }
}

type Ticks = ReturnType<typeof readTicks>;

const share = (of: 'stolen' | 'used', before: Ticks, after: Ticks) =>
  (after[of] - before[of]) / Math.max(1, after.all - before.all);

/** Gives, when it is called, the part of the processors' time that this machine has used since. */
export function watchUse(): () => number {
  const before = readTicks();
  return () => share('used', before, readTicks());
}

/** Measures again when the machine below was busy with others meanwhile. What was disturbed least counts. */
export async function undisturbed<Found>(triesMax: number, measure: () => Promise<Found>): Promise<Found> {
  let best: { found: Found; stolen: number } | undefined;
  for (let tries = 1; ; tries += 1) {
    const before = readTicks();
    const found = await measure();
    const stolen = share('stolen', before, readTicks());
    if (best === undefined || stolen < best.stolen) best = { found, stolen };
    if (stolen <= stolenMax || tries >= triesMax) return best.found;
    await sleep(pauseMs);
  }
}

const sliceMs = 100;

/** Knows of every moment since whether other machines had the processors, be it for a single tick, which is ten milliseconds. */
export type Watch = {
  /** Of what was due then. How long it took plays no part, or what took long would be left out more often. */
  isStolen(dueMs: number): boolean;
  stop(): void;
};

export function watchSteal(): Watch {
  const stolen: { fromMs: number; untilMs: number }[] = [];
  let last = { ...readTicks(), ms: performance.now() };
  const look = () => {
    const next = { ...readTicks(), ms: performance.now() };
    if (next.stolen > last.stolen) stolen.push({ fromMs: last.ms - sliceMs, untilMs: next.ms });
    last = next;
  };
  const timer = setInterval(look, sliceMs);
  return {
    isStolen: (dueMs) => stolen.some(({ fromMs, untilMs }) => fromMs <= dueMs && dueMs < untilMs),
    stop() {
      clearInterval(timer);
      look();
    },
  };
}
