import { Line, type Place } from './line.ts';
import { most } from './most.ts';

/** No turn is to be had: a caller has used up its own share, or all places are taken. */
export class Crowded extends Error {
  readonly share: 'own' | 'all';

  constructor(share: 'own' | 'all') {
    super(share === 'own' ? 'too many of one caller at once' : 'too many at once');
    this.share = share;
  }
}

export type Shares = {
  /** How many work at once, and how many of them for one household. */
  atOnceMax: number;
  atOnceEach: number;
  /** How many for the household with the longest line, by default no fewer, and how long it rests after each. */
  atOnceLongest?: number;
  restMs?: number;
  /** How many wait, and how many of them of one household. */
  waitingMax: number;
  waitingEach: number;
  /** The longest that one waits. */
  waitMs: number;
};

/** Made once: many are refused together, and where that was says nothing. */
export const crowded = { own: new Crowded('own'), all: new Crowded('all') };

/** Who waits. As little as may be: many wait together, and the collector copies each of them twice. */
type Waiter = {
  name: string;
  household: Household;
  member: string;
  sinceMs: number;
  resolve(leave: () => void): void;
  reject(reason: Crowded): void;
  /** In the line of all, and in that of its member. */
  places?: [Place<Waiter>, Place<Waiter>];
};

/** Members take turns, so that one with many requests does not keep the others of its household waiting. */
type Household = { busy: number; waiting: number; restsUntilMs: number; members: Map<string, Line<Waiter>> };

const newHousehold = (): Household => ({ busy: 0, waiting: 0, restsUntilMs: 0, members: new Map() });

type Wish = {
  /** One of several who share a household's part. */
  member?: string;
  /** Told, if it has to wait, how its place in line is given up. Once it has none, that does nothing. */
  onWait?(giveUp: () => void): void;
};

export type FairQueue = {
  /** Waits for a turn, and gives what ends it. */
  enter(household: string, wish?: Wish): Promise<() => void>;
  /** The same for who does not wait: undefined when there is no place. */
  tryEnter(household: string): (() => void) | undefined;
  run<Result>(household: string, work: () => Promise<Result>, wish?: Wish): Promise<Result>;
  /** Whether anyone but this household works or waits, or, of a member, anyone else of its household waits. */
  hasOther(household: string, member?: string): boolean;
  busy(): number;
  waiting(): number;
};

/** Who has waited in vain is told so, a few at a time: a crowd that came together would fill a turn of the event loop. */
const lookEveryMs = 10;
const givenUpMin = 4;
/** Of a long line so many that the last is told some seconds after the first. */
const givenUpPart = 1 / 400;

/** A line of so many is none of one that asks on and on: its requests came together. */
const shortLine = 16;

/** The first of a map that fits. */
function findKey<Value>(map: Map<string, Value>, fits: (value: Value) => boolean): string | undefined {
  for (const [key, value] of map) if (fits(value)) return key;
  return undefined;
}

/** Whether a map has no key but this. */
const isOnly = (map: Map<string, unknown>, key: string) => map.size === (map.has(key) ? 1 : 0);

/** Moves an entry behind all others. */
function toEnd<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

/**
 * Shares a scarce thing between households: a bounded number work at once, the rest wait for a bounded time in bounded
 * lines, and places that become free go to the households in turn, whatever number of requests each has. Nobody is refused
 * because the line is full of others' requests while one of them has more there.
 */
export function createFairQueue(shares: Shares): FairQueue {
  const households = new Map<string, Household>();
  /** All who wait, in the order in which they came. */
  const line = new Line<Waiter>();
  let busy = 0;
  let isWatched = false;
  /** How many waited in one household when it was last looked. */
  let longest = 0;

  const isLongest = ({ waiting }: Household) => waiting > shortLine && waiting * 2 > longest;
  const isFull = (household: Household) =>
    household.busy >= shares.atOnceEach ||
    (isLongest(household) &&
      (household.busy >= (shares.atOnceLongest ?? shares.atOnceEach) ||
        household.restsUntilMs > performance.now()));
  const settle = (name: string, household: Household) => {
    if (household.busy === 0 && household.waiting === 0) households.delete(name);
  };
  const takeFrom = (name: string, household: Household) => {
    const [entry] = household.members;
    if (entry === undefined) return;
    const [member, own] = entry;
    toEnd(households, name, household);
    toEnd(household.members, member, own);
    if (own.first !== undefined) admit(own.first);
  };
  const next = () => {
    while (busy < shares.atOnceMax && line.size > 0) {
      const name = findKey(households, (each) => each.waiting > 0 && !isFull(each));
      const household = name === undefined ? undefined : households.get(name);
      if (name === undefined || household === undefined) return;
      takeFrom(name, household);
    }
  };
  const begin = (name: string, household: Household) => {
    busy += 1;
    household.busy += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      busy -= 1;
      household.busy -= 1;
      if (shares.restMs && isLongest(household)) household.restsUntilMs = performance.now() + shares.restMs;
      settle(name, household);
      next();
    };
  };
  /** False for who has left before. */
  const leaveLine = ({ household, member, places }: Waiter): boolean => {
    const own = household.members.get(member);
    if (places === undefined || own === undefined || !places[0].isThere) return false;
    line.remove(places[0]);
    own.remove(places[1]);
    if (own.size === 0) household.members.delete(member);
    household.waiting -= 1;
    return true;
  };
  const admit = (waiter: Waiter) => {
    const { name, household, resolve } = waiter;
    if (leaveLine(waiter)) resolve(begin(name, household));
  };
  const giveUp = (waiter: Waiter) => {
    const { name, household, reject } = waiter;
    if (!leaveLine(waiter)) return;
    settle(name, household);
    reject(crowded[isFull(household) ? 'own' : 'all']);
  };
  const watch = () => {
    isWatched = line.size > 0;
    if (isWatched) setTimeout(look, lookEveryMs).unref();
  };
  const look = () => {
    const oldestMs = performance.now() - shares.waitMs;
    for (let left = Math.max(givenUpMin, line.size * givenUpPart); left > 0; left -= 1) {
      const { first } = line;
      if (first === undefined || first.sinceMs > oldestMs) break;
      giveUp(first);
    }
    longest = Math.max(0, ...Array.from(households.values(), ({ waiting }) => waiting));
    next(); // who rested may go on
    watch();
  };
  /** Of a full line, whoever has most of it gives up a place to one who has less. */
  const displaceFor = (newcomer: Household): boolean => {
    const household = most(households.values(), ({ waiting }) => waiting);
    if (household === undefined || household.waiting <= newcomer.waiting + 1) return false;
    const oldest = most(household.members.values(), ({ size }) => size)?.first;
    if (oldest !== undefined) giveUp(oldest);
    return oldest !== undefined;
  };
  const wait = (name: string, household: Household, { member = '', onWait }: Wish) =>
    new Promise<() => void>((resolve, reject) => {
      const own = household.members.get(member) ?? new Line<Waiter>();
      household.members.set(member, own);
      const sinceMs = performance.now();
      const waiter: Waiter = { name, household, member, sinceMs, resolve, reject };
      waiter.places = [line.add(waiter), own.add(waiter)];
      household.waiting += 1;
      if (!isWatched) watch();
      onWait?.(() => giveUp(waiter));
    });

  // A free place is nobody's who waits: those who could take it were admitted when it became free.
  const tryEnter: FairQueue['tryEnter'] = (name) => {
    const household = households.get(name) ?? newHousehold();
    if (busy >= shares.atOnceMax || isFull(household)) return undefined;
    households.set(name, household);
    return begin(name, household);
  };

  const enter: FairQueue['enter'] = async (name, wish = {}) => {
    const place = tryEnter(name);
    if (place !== undefined) return place;
    const household = households.get(name) ?? newHousehold();
    // Who has nothing itself, where nobody may wait, is refused for the others.
    if (household.waiting >= shares.waitingEach)
      throw crowded[household.waiting > 0 || isFull(household) ? 'own' : 'all'];
    if (line.size >= shares.waitingMax && !displaceFor(household)) throw crowded.all;
    households.set(name, household);
    return wait(name, household, wish);
  };

  return {
    enter,
    tryEnter,
    async run(name, work, wish) {
      const leave = await enter(name, wish);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    hasOther(name, member) {
      if (!isOnly(households, name)) return true;
      const own = households.get(name);
      return own !== undefined && member !== undefined && !isOnly(own.members, member);
    },
    busy: () => busy,
    waiting: () => line.size,
  };
}
