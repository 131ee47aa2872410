import { createFairQueue, type Shares } from './fair-queue.ts';

type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void };

export type BatchOptions<Item, Result> = {
  /** Results in the order of the items; what fails, fails for all of them. */
  work(items: readonly Item[]): Promise<readonly Result[]>;
  /** Two of one name are never in one batch. */
  nameOf(item: Item): string;
  /** How large one is, and how many are under way. */
  sizeMax: number;
  atOnceMax: number;
  /** Of those who wait for their place in a batch. */
  waiting: Pick<Shares, 'waitingMax' | 'waitingEach' | 'waitMs'>;
};

/**
 * What is asked at the same time is done together, and as soon as may be: one that comes alone waits for nobody. Places go to
 * households in turn, so that one with many does not fill the batches.
 */
export function createBatches<Item, Result>(options: BatchOptions<Item, Result>) {
  const { work, nameOf, sizeMax, atOnceMax, waiting: bounds } = options;
  const places = sizeMax * atOnceMax;
  const turns = createFairQueue({ ...bounds, atOnceMax: places, atOnceEach: places - atOnceMax });
  let gathered: Waiting<Item, Result>[] = [];
  let underway = 0;
  let isScheduled = false;

  const takeBatch = () => {
    const batch = new Map<string, Waiting<Item, Result>>();
    const left: typeof gathered = [];
    for (const each of gathered) {
      const name = nameOf(each.item);
      if (batch.size < sizeMax && !batch.has(name)) batch.set(name, each);
      else left.push(each);
    }
    gathered = left;
    return [...batch.values()];
  };
  const send = async (batch: readonly Waiting<Item, Result>[]) => {
    try {
      const results = await work(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result); // as many as items
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const flush = () => {
    isScheduled = false;
    if (underway >= atOnceMax || gathered.length === 0) return;
    underway += 1;
    void send(takeBatch()).finally(() => {
      underway -= 1;
      schedule();
    });
    schedule();
  };
  /** At once while nothing is under way; otherwise after what has arrived by now, which may belong to it. */
  const schedule = () => {
    if (isScheduled || underway >= atOnceMax || gathered.length === 0) return;
    isScheduled = true;
    if (underway === 0) process.nextTick(flush);
    else setImmediate(flush);
  };

  return {
    run: (household: string, member: string, item: Item): Promise<Result> =>
      turns.enter(household, { member }).then((leave) =>
        new Promise<Result>((resolve, reject) => {
          gathered.push({ item, resolve, reject });
          schedule();
        }).finally(leave),
      ),
  };
}
