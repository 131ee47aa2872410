import type { Config } from '../config.ts';
import { addressGroup, addressSite } from '../contract/address.ts';
import { ApiError } from '../contract/api-error.ts';

type LimitName = keyof Config['limits'] | keyof typeof fixedLimits;

/** A bucket in the form of GCRA: one number, the time at which it would be full again, in whole microseconds. */
type Bucket = { intervalUs: number; burst: number };
/** How long the bucket needs to be full again, and how long until one can be taken; 0: it was taken. */
type Level = { emptyUs: number; waitUs: number };

export type BucketStore = {
  /** Takes one out of the bucket of this key, or puts one back. */
  take(key: string, bucket: Bucket, cost: 1 | -1): Promise<Level>;
};

/** The headers are the RateLimit fields of the IETF draft: what is allowed, and what is left of it. */
export type Verdict = { allowed: boolean; retryAfterMs: number; headers: Record<string, string> };

const unlimited: Verdict = { allowed: true, retryAfterMs: 0, headers: {} };

/** All others are by the minute. */
const bySecond: readonly LimitName[] = ['live', 'test', 'portal'];

type Rate = { rate: number; burst: number };

const signInAddress: Rate = { rate: 30, burst: 30 };
const challenge: Rate = { rate: 60, burst: 60 };
const device: Rate = { rate: 10, burst: 10 };
const userCodeAddress: Rate = { rate: 60, burst: 60 };
const passwordResetAddress: Rate = { rate: 10, burst: 20 };
const invitation: Rate = { rate: 60, burst: 60 };
const tenTimes = ({ rate, burst }: Rate): Rate => ({ rate: 10 * rate, burst: 10 * burst });

/** How often a program may ask whether its sign-in was confirmed. */
export const devicePollSeconds = 5;

/** What else belongs to signing in; off with it. */
const fixedLimits = {
  /** Failed sign-ins of one account over all addresses, but those it has signed in from. */
  account: { rate: 20, burst: 20 },
  /** Failed sign-ins of one address over all accounts, and of all addresses of one site. */
  signInAddress,
  signInAddressSite: tenTimes(signInAddress),
  /** Renewals of one sign-in. A browser that opens again renews once for each of its tabs. */
  renewal: { rate: 60, burst: 60 },
  /** Renewals from one address, with tokens that are known and others. */
  renewalAddress: { rate: 600, burst: 600 },
  /** Turnstile challenges from one address, and of one site, that were not solved. */
  challenge,
  challengeSite: tenTimes(challenge),
  /** Steps of sign-ins by OpenID Connect from one address; each takes two. */
  openIdConnect: { rate: 120, burst: 240 },
  /** Sign-ins of devices that one address asks for, and one site. */
  device,
  deviceSite: tenTimes(device),
  /** Polls of one of them; two at once, as the way there is not always equally long. */
  devicePoll: { rate: 60 / devicePollSeconds, burst: 2 },
  /** Polls from one address, with codes that are known and others. */
  devicePollAddress: { rate: 600, burst: 600 },
  /** User codes that one account looks at or decides on. */
  userCode: { rate: 20, burst: 20 },
  /** The same of one address, and of one site, over all accounts. */
  userCodeAddress,
  userCodeAddressSite: tenTimes(userCodeAddress),
  /** What an account of any role changes about itself; each leaves a record. */
  accountChange: { rate: 60, burst: 60 },
  /** Mails that reset the password of one e-mail address, whether it has an account or not: three an hour. */
  passwordReset: { rate: 3 / 60, burst: 3 },
  /** Resets that one address asks for or confirms, and one site. */
  passwordResetAddress,
  passwordResetAddressSite: tenTimes(passwordResetAddress),
  /** Links of invitations that one address, and one site, looks at or accepts, those that work and others. */
  invitation,
  invitationSite: tenTimes(invitation),
  /** Invitations that are mailed to one address: ten, then one every six minutes. */
  invited: { rate: 1 / 6, burst: 10 },
};

/** A bucket by its limit and the name of whoever it is for. */
export type Count = readonly [LimitName, string];

type LimitOfAddress =
  | 'signInAddress'
  | 'challenge'
  | 'device'
  | 'userCodeAddress'
  | 'passwordResetAddress'
  | 'invitation';

/** Those of an address, and of its site. */
export function countsOfAddress(limit: LimitOfAddress, address: string | undefined): Count[] {
  const site = addressSite(address);
  const own: Count = [limit, addressGroup(address)];
  return site === undefined ? [own] : [own, [`${limit}Site`, site]];
}

export type Limits = {
  take(name: LimitName, key: string): Promise<Verdict>;
  /** Where only failures count, each attempt is taken first and a success given back: parallel attempts cannot slip by. */
  giveBack(name: LimitName, key: string): Promise<void>;
};

function judge(name: LimitName, { intervalUs, burst }: Bucket, { emptyUs, waitUs }: Level): Verdict {
  const windowSeconds = Math.max(1, Math.round((intervalUs * burst) / 1_000_000));
  const remaining = waitUs > 0 ? 0 : Math.floor(burst - emptyUs / intervalUs);
  const resetSeconds = Math.ceil(emptyUs / 1_000_000);
  const headers = {
    'ratelimit-policy': `"${name}";q=${burst};w=${windowSeconds}`,
    ratelimit: `"${name}";r=${remaining};t=${resetSeconds}`,
  };
  return { allowed: waitUs === 0, retryAfterMs: waitUs / 1000, headers };
}

export function createLimits(limits: Config['limits'], store: BucketStore): Limits {
  const ask = async (name: LimitName, key: string, cost: 1 | -1): Promise<Verdict> => {
    const isFixed = Object.hasOwn(fixedLimits, name);
    const given = limits[isFixed ? 'signIn' : (name as keyof Config['limits'])]; // the other names
    if (given === 'off') return unlimited;
    const { rate, burst } = isFixed ? fixedLimits[name as keyof typeof fixedLimits] : given; // as above
    // Whole numbers: added as fractions, times of this size would round a burst up or down.
    const seconds = bySecond.includes(name) ? 1 : 60;
    const intervalUs = Math.max(1, Math.round((seconds * 1_000_000) / rate));
    const level = await store.take(`${name}:${key}`, { intervalUs, burst }, cost);
    return judge(name, { intervalUs, burst }, level);
  };
  return {
    take: (name, key) => ask(name, key, 1),
    giveBack: async (name, key) => void (await ask(name, key, -1)),
  };
}

export function refuseIfLimited({ allowed, retryAfterMs, headers }: Verdict, what: string): void {
  if (allowed) return;
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  throw new ApiError('4290', `too many ${what}; try again in ${seconds} s`, {
    headers: { 'retry-after': String(seconds), ...headers },
  });
}

/** One after the other: what one of them refuses is not taken from those behind it. */
export async function takeAll(limits: Limits, counts: readonly Count[], what: string): Promise<void> {
  for (const [name, key] of counts) refuseIfLimited(await limits.take(name, key), what);
}

export async function giveBackAll(limits: Limits, counts: readonly Count[]): Promise<void> {
  await Promise.all(counts.map(([name, key]) => limits.giveBack(name, key)));
}

const keysMax = 100_000;

/** Buckets of this process alone. Full ones are as good as none and are dropped. */
export function memoryBuckets(now: () => number): BucketStore {
  /** In the order of their last use. */
  const fullAt = new Map<string, number>();
  const makeRoom = (time: number) => {
    for (const [key, at] of fullAt) if (at <= time) fullAt.delete(key);
    for (const key of fullAt.keys()) {
      if (fullAt.size <= keysMax / 2) break;
      fullAt.delete(key);
    }
  };
  return {
    async take(key, { intervalUs, burst }, cost) {
      const time = Math.round(now() * 1000);
      // Never further ahead than an empty bucket: a clock that was set back would otherwise lock everyone out.
      const before = Math.min(Math.max(fullAt.get(key) ?? 0, time), time + intervalUs * burst);
      const after = before + cost * intervalUs;
      const waitUs = Math.max(0, after - time - intervalUs * burst);
      fullAt.delete(key);
      const next = waitUs === 0 ? after : before;
      fullAt.set(key, next);
      if (fullAt.size > keysMax) makeRoom(time);
      return { emptyUs: Math.max(0, next - time), waitUs };
    },
  };
}
