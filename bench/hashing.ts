import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { call, dataOf } from './call.ts';
import { percentile } from './recorder.ts';
import { portalHeaders, signInRequest, startDatabase, startPortico } from './world.ts';

const sizes = { signInsAtOnce: 60, rounds: 5 };
const secondsEach = 4;
/** Longer than the turns of an address rest, so that none waits for the one before. */
const pauseMs = 30;

type Renewals = { count: number; p50Ms: number; p99Ms: number };
export type HashingResult = {
  signInsAtOnce: number;
  idle: Renewals;
  crowded: Renewals;
  /** Sign-ins a second meanwhile, and how many of them were refused. */
  signInsPerSecond: number;
  refused: number;
};

const emailOf = (index: number) => `crowd-${index}@bench.test`;

async function insertAccounts(db: pg.Pool, count: number): Promise<void> {
  await db.query(
    `insert into accounts (biz_id, email, name, password_hash)
     select 'ACC_CROWD_' || n, 'crowd-' || n || '@bench.test', 'Crowd', a.password_hash
     from generate_series(0, $1::int - 1) n, accounts a where a.email = 'owner@demo.test'`,
    [count],
  );
}

/** Renews one sign-in on and on, and gives the time of each renewal. */
async function renewFor(port: number, seconds: number): Promise<number[]> {
  const first = await call(port, signInRequest('owner@demo.test'));
  let { refreshToken } = dataOf<{ refreshToken: string }>(first);
  const taken: number[] = [];
  const endsMs = performance.now() + seconds * 1000;
  while (performance.now() < endsMs || taken.length === 0) {
    const body = JSON.stringify({ refreshToken });
    const begun = performance.now();
    const answer = await call(port, {
      ...{ method: 'POST', path: '/web/v1/auth/refresh', headers: portalHeaders, body },
    });
    taken.push(performance.now() - begun);
    ({ refreshToken } = dataOf<{ refreshToken: string }>(answer));
    await sleep(pauseMs);
  }
  return taken;
}

/** Accounts that sign in again and again, each from an address of its own where there are any, so that no address waits for itself. */
function startCrowd(port: number, count: number) {
  let isOver = false;
  const statuses: number[] = [];
  const repeat = async (index: number) => {
    const localAddress = process.platform === 'linux' ? `127.0.1.${index + 1}` : '127.0.0.1';
    while (!isOver) statuses.push((await call(port, signInRequest(emailOf(index)), { localAddress })).status);
  };
  const all = Array.from({ length: count }, (_none, index) => repeat(index));
  return {
    async stop(): Promise<number[]> {
      isOver = true;
      await Promise.all(all);
      return statuses;
    },
  };
}

function summary(taken: number[]): Renewals {
  const sorted = taken.sort((a, b) => a - b);
  const ms = (share: number) => Number(percentile(sorted, share).toFixed(2));
  return { count: taken.length, p50Ms: ms(0.5), p99Ms: ms(0.99) };
}

/** How long a renewal takes by itself, and while passwords are hashed as fast as they can be; in turn. */
export async function measureHashing(
  seconds: number,
  { signInsAtOnce, rounds } = sizes,
): Promise<HashingResult> {
  const database = await startDatabase();
  const { port, stop } = await startPortico(database.url);
  await insertAccounts(database.admin, signInsAtOnce);
  await renewFor(port, seconds); // warms up
  const [idle, crowded, statuses]: [number[], number[], number[]] = [[], [], []];
  let crowdSeconds = 0;
  for (let round = 0; round < rounds; round += 1) {
    idle.push(...(await renewFor(port, seconds * secondsEach)));
    const begun = performance.now();
    const crowd = startCrowd(port, signInsAtOnce);
    crowded.push(...(await renewFor(port, seconds * secondsEach)));
    statuses.push(...(await crowd.stop()));
    crowdSeconds += (performance.now() - begun) / 1000;
  }
  await stop();
  await database.stop();
  const isGood = (status: number) => status === 200;
  return {
    signInsAtOnce,
    idle: summary(idle),
    crowded: summary(crowded),
    signInsPerSecond: Math.round(statuses.filter(isGood).length / crowdSeconds),
    refused: statuses.filter((status) => !isGood(status)).length,
  };
}
