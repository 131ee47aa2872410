import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isCalm } from '../field.ts';
import { loadHttp } from '../load.ts';
import { percentile } from '../recorder.ts';
import { undisturbed, watchUse } from '../steal.ts';
import { type BenchDatabase, startDatabase, startLimitedPortico, startPortico } from '../world.ts';
import type { Tally } from './attacker.ts';
import { attackerAddress, startAttacker, victimAddress } from './attacker-process.ts';
import { attacks, firstPage, nearby } from './attacks.ts';
import { otherProgram, otherProgramWhat, startOtherProgram } from './other-program.ts';
import { isServed, openProbes, type ProbeName, type Probes, probe, probeNames, type Shot } from './probes.ts';
import { goFirst, weighProcesses } from './scheduling.ts';
import { type Arms, buildTenants, type Sizes, signInAll, type Victim } from './tenants.ts';

const fullSizes: Sizes = {
  victimRows: 10_000,
  spreadRows: 200_000,
  denseRows: 1_000_000,
  revokedKeys: 20_000,
  crowd: 1,
};
const rounds = 3;
const secondsEach = 6;
const triesMax = 2;
/** So many attacks, then alone again. */
const attacksBetween = 6;
/** In which the service finds out how much of an attack it can take; told apart from what comes after. */
const beginningSeconds = 2;
/** Code is compiled while it runs for the first seconds: those of everything at once count for nothing. */
const rehearsalShare = 0.5;
const capacityConnections = 64;
const capacitySeconds = 2;
/** A statement of the first tenant does not take that long: whoever asked for one has left. */
const abandonedMs = 500;
const recoverySecondsMax = 120;
/** A token lasts fifteen minutes, a run may last longer. */
const sessionSecondsMax = 300;

/** Of one probe, alone or under an attack, over all rounds. Times are those of good answers while the machine was not stolen. */
type ProbeResult = {
  probe: ProbeName;
  requests: number;
  stolen: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  limited: number;
  unavailable: number;
  other: number;
  unanswered: number;
};
/** With the part of the processors' time that client, service, database and whoever else used. */
export type Condition = { name: string; what: string; used: number; probes: ProbeResult[] };
/** The same of its beginning, what became of the attacker's own requests, a second, and how long after its end the service was itself again. */
type Attacked = Condition & { beginning: ProbeResult[]; perSecond: Tally; recoverySeconds: number };
export type Neighbours = Sizes & {
  buildSeconds: number;
  capacity: number;
  /** Whether who asks was scheduled as if on another machine, and what gives way as one that does. */
  isApart: boolean;
  alone: Condition;
  /** While the processors are used by a program that has nothing to do with the service. */
  beside: Condition;
  attacked: Attacked[];
};

type Plan = { name: string; what: string; attacks: string[]; address: string };
type Stage = {
  database: BenchDatabase;
  port: number;
  /** Share of the attacker's clients that take part. */
  crowd: number;
  seconds: number;
  /** How often a round is measured at most, when the machine below is busy with others. */
  tries: number;
  arms: Arms;
  probes: Probes;
  signedInMs: number;
};
/** What goes on while it is measured; an attack knows what became of it. */
type Disturbance = { name: string; begin(stage: Stage): Promise<{ stop(): Promise<Tally | undefined> }> };
type Taken = { beginning: Shot[]; shots: Shot[]; used: number; tallies: Tally[]; recoverySeconds: number };

const rounded = (value: number) => Number(value.toFixed(2));

function probeResult(name: ProbeName, shots: readonly Shot[]): ProbeResult {
  const own = shots.filter((shot) => shot.probe === name);
  const good = own.filter(({ status }) => status === 200);
  const calm = good.filter(({ isStolen }) => !isStolen);
  const counted = calm.length * 2 >= good.length ? calm : good;
  const sorted = counted.map(({ ms }) => ms).sort((a, b) => a - b);
  const ended = (matches: (status: number | undefined) => boolean) =>
    own.filter(({ status }) => matches(status)).length;
  return {
    probe: name,
    requests: own.length,
    stolen: good.length - counted.length,
    p50Ms: rounded(percentile(sorted, 0.5)),
    p99Ms: rounded(percentile(sorted, 0.99)),
    maxMs: rounded(sorted.at(-1) ?? 0),
    limited: ended((status) => status === 429),
    unavailable: ended((status) => status === 503),
    other: ended((status) => status !== undefined && ![200, 429, 503].includes(status)),
    unanswered: ended((status) => status === undefined),
  };
}

const conditionOf = (
  name: string,
  what: string,
  { shots, used }: Pick<Taken, 'shots' | 'used'>,
): Condition => ({
  ...{ name, what, used: rounded(used) },
  probes: probeResults(shots),
});

const probeResults = (shots: readonly Shot[]) => probeNames.map((name) => probeResult(name, shots));

/** Until the probes are answered and no statement is left that someone gave up. Returns the seconds it took. */
async function recover({ database, port, probes }: Stage, after: string): Promise<number> {
  const begun = performance.now();
  const elapsed = () => (performance.now() - begun) / 1000;
  while (elapsed() < recoverySecondsMax) {
    if ((await isCalm(database, abandonedMs)) && (await isServed(port, probes))) return elapsed();
    await sleep(100);
  }
  throw new Error(`the service was not itself again ${recoverySecondsMax} s after ${after}`);
}

async function signInBoth(port: number, victim: Victim, arms: Arms) {
  arms.sessions = await signInAll(port, arms.emails);
  return { arms, probes: await openProbes(port, victim), signedInMs: performance.now() };
}

const attackOf = ({ name, attacks: names, address }: Plan): Disturbance => ({
  name,
  begin: ({ arms, crowd }) => startAttacker(names, { arms, address, crowd }),
});

async function measureOnce(stage: Stage, victim: Victim, disturbance?: Disturbance): Promise<Taken> {
  const { port, seconds } = stage;
  if (performance.now() - stage.signedInMs > sessionSecondsMax * 1000)
    Object.assign(stage, await signInBoth(port, victim, stage.arms));
  const { probes } = stage;
  const begun = await disturbance?.begin(stage);
  const beginning = await probe(port, probes, seconds * beginningSeconds);
  const usedSince = watchUse();
  const shots = await probe(port, probes, seconds * secondsEach);
  const used = usedSince();
  const tally = await begun?.stop();
  const recoverySeconds = await recover(stage, disturbance?.name ?? 'no attack at all');
  return { beginning, shots, used, tallies: tally === undefined ? [] : [tally], recoverySeconds };
}

function merge(taken: readonly Taken[]): Taken {
  return {
    beginning: taken.flatMap(({ beginning }) => beginning),
    shots: taken.flatMap(({ shots }) => shots),
    used: taken.reduce((sum, { used }) => sum + used, 0) / taken.length,
    tallies: taken.flatMap(({ tallies }) => tallies),
    recoverySeconds: Math.max(...taken.map(({ recoverySeconds }) => recoverySeconds)),
  };
}

/** First pages a second of an instance without limits, by so few connections that none is refused. The measurement before warms up. */
async function findCapacity({ port, seconds, tries }: Stage, arms: Arms): Promise<number> {
  let account = 0;
  const request = () => firstPage(arms, account++);
  const load = { port, request, connections: capacityConnections, seconds: seconds * capacitySeconds };
  await loadHttp(load);
  const { rps } = await undisturbed(tries, () => loadHttp(load));
  return Math.max(1, Math.round(rps));
}

/** The last one comes when all others are done: what it uses up of the limits of their common address, they would miss. */
async function plansOf(): Promise<{ apart: Plan[]; near: Plan }> {
  const all = attacks.map(({ name }) => name);
  const everything = [
    ...attacks.map(({ name, what }) => ({ name, what, attacks: [name] })),
    { name: 'everything', what: 'all of these at once', attacks: all },
  ];
  const what = 'the same from the address of the first tenant';
  return {
    apart: await Promise.all(
      everything.map(async (plan, index) => ({ ...plan, address: await attackerAddress(index) })),
    ),
    near: { name: nearby, what, attacks: all, address: victimAddress },
  };
}

function perSecond(tallies: readonly Tally[], seconds: number): Tally {
  const rate = (read: (tally: Tally) => number) =>
    Math.round(tallies.reduce((sum, tally) => sum + read(tally), 0) / tallies.length / seconds);
  return {
    answered: rate(({ answered }) => answered),
    limited: rate(({ limited }) => limited),
    unavailable: rate(({ unavailable }) => unavailable),
    other: rate(({ other }) => other),
    left: rate(({ left }) => left),
  };
}

/** Alone and under attacks in turn, so that what disturbs the machine disturbs both alike. */
async function measureInTurn(
  stage: Stage,
  victim: Victim,
  { apart, near }: { apart: readonly Plan[]; near: Plan },
  roundsEach: number,
) {
  const alone: Taken[] = [];
  const beside: Taken[] = [];
  const attacked = new Map<Plan, Taken[]>([...apart, near].map((plan) => [plan, []]));
  const take = (disturbance?: Disturbance) =>
    undisturbed(stage.tries, () => measureOnce(stage, victim, disturbance));
  const attack = async (plan: Plan) => {
    attacked.get(plan)?.push(await take(attackOf(plan)));
    process.stderr.write(`neighbours ${plan.name}\n`);
  };
  for (let round = 0; round < roundsEach; round += 1) {
    beside.push(await take({ name: otherProgram, begin: startOtherProgram }));
    for (const [index, plan] of apart.entries()) {
      if (index % attacksBetween === 0) alone.push(await take());
      await attack(plan);
    }
  }
  await attack(near);
  return {
    alone: merge(alone),
    beside: merge(beside),
    attacked: [...attacked].map(([plan, taken]) => ({ plan, ...merge(taken) })),
  };
}

export async function measureNeighbours(
  seconds: number,
  sizes = fullSizes,
  roundsEach = rounds,
): Promise<Neighbours> {
  const isFull = sizes === fullSizes; // a rehearsal leaves the machine as it is
  const isWeighed = isFull && weighProcesses();
  const database = await startDatabase();
  // So that tokens of the one are good at the other.
  const env = {
    PORTICO_MASTER_KEY: randomBytes(32).toString('base64'),
    PORTICO_PUBLIC_URL: 'http://127.0.0.1:8080',
  };
  const { port, stop } = await startLimitedPortico(database.url, env);
  const { victim, arms, seconds: buildSeconds } = await buildTenants(database, port, sizes);
  process.stderr.write(`built in ${Math.round(buildSeconds)} s\n`);
  const tries = isFull ? triesMax : 1;
  const { crowd } = sizes;
  const stage = { database, port, crowd, seconds, tries, ...(await signInBoth(port, victim, arms)) };
  const unlimited = await startPortico(database.url, env);
  arms.capacity = await findCapacity({ ...stage, port: unlimited.port }, arms);
  await unlimited.stop();
  await recover(stage, 'the trial');
  const isFirst = isFull && goFirst();
  const plans = await plansOf();
  const rehearsal = { ...stage, seconds: seconds * rehearsalShare };
  for (const plan of plans.apart.filter(({ attacks: names }) => names.length > 1))
    await measureOnce(rehearsal, victim, attackOf(plan));
  const { alone, beside, attacked } = await measureInTurn(stage, victim, plans, roundsEach);
  await stop();
  await database.stop();
  const attackSeconds = seconds * (beginningSeconds + secondsEach);
  return {
    ...sizes,
    buildSeconds: Math.round(buildSeconds),
    capacity: arms.capacity,
    isApart: isWeighed && isFirst,
    alone: conditionOf('alone', 'nobody else', alone),
    beside: conditionOf(otherProgram, otherProgramWhat, beside),
    attacked: attacked.map(({ plan: { name, what }, beginning, tallies, recoverySeconds, ...taken }) => ({
      ...conditionOf(name, what, taken),
      beginning: probeResults(beginning),
      perSecond: perSecond(tallies, attackSeconds),
      recoverySeconds: rounded(recoverySeconds),
    })),
  };
}
