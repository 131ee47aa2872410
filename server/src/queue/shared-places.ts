import { createFairQueue, type FairQueue } from './fair-queue.ts';

/** Several callers of one tenant have its share together. */
type Sharer = { tenant: string | number; caller: string };

export type SharedPlaces = {
  /** Gives what ends it, or refuses at once: with `own` who has its share, with `all` who finds all places taken. */
  enter(sharer: Sharer): Promise<() => void>;
  run<Result>(sharer: Sharer, work: () => Promise<Result>): Promise<Result>;
  busy(): number;
};

const nobodyWaits = { waitingMax: 0, waitingEach: 0, waitMs: 0 };

/** A tenant that has a third of what it leaves free has a quarter of all. */
const partOfFree = 1 / 3;

/**
 * Places for what takes as long as its client does, so that nobody could wait for one. A tenant gets another while it has less
 * than a third of what is free: a quarter of all when it is alone, and less the more is taken, so that a few tenants who take all they get
 * leave room for the next.
 */
export function createSharedPlaces(bounds: { all: number; caller: number }): SharedPlaces {
  const { all, caller: atOnceEach } = bounds;
  const callers = createFairQueue({ atOnceMax: all, atOnceEach, ...nobodyWaits });
  const tenants: FairQueue = createFairQueue({
    atOnceMax: all,
    get atOnceEach() {
      return Math.max(1, Math.floor((all - tenants.busy()) * partOfFree));
    },
    ...nobodyWaits,
  });
  const enter: SharedPlaces['enter'] = async ({ tenant, caller }) => {
    const leaveTenant = await tenants.enter(String(tenant));
    try {
      const leaveCaller = await callers.enter(caller);
      return () => {
        leaveCaller();
        leaveTenant();
      };
    } catch (refusal) {
      leaveTenant();
      throw refusal;
    }
  };
  return {
    enter,
    async run(sharer, work) {
      const leave = await enter(sharer);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    busy: () => tenants.busy(),
  };
}
