import { integer, number, table } from '../tables.ts';
import { nearby } from './attacks.ts';
import type { Condition, Neighbours } from './neighbours.ts';

/** Less than this is the scheduling of processes that share two cores, and no measure of the service. */
const floorMs = 10;

/** Alone, a ping takes a few milliseconds of a machine that has nothing else to do. */
const busyMs = 100;

type Probe = Condition['probes'][number];
type Shown = Pick<Condition, 'name' | 'probes'>;

const failures = ({ limited, unavailable, other, unanswered }: Probe) =>
  limited + unavailable + other + unanswered;

const isLost = (probe: Probe) => failures(probe) === probe.requests;

/** How many times as long the slowest requests take; without a good answer there is no telling. */
function slowdown(probe: Probe, alone: Probe | undefined): number {
  if (isLost(probe)) return Number.POSITIVE_INFINITY;
  return probe.p99Ms / Math.max(alone?.p99Ms ?? 0, floorMs);
}

const timesText = (times: number) => (Number.isFinite(times) ? `${number(times)}×` : 'no measure');

const named = ({ probes }: Condition, name: string) => probes.find(({ probe }) => probe === name);

/** Which kinds there were of what is no good answer. */
function failed(probe: Probe): string {
  const kinds = [
    ['429', probe.limited],
    ['503', probe.unavailable],
    ['other', probe.other],
    ['unanswered', probe.unanswered],
  ] as const;
  const found = kinds.filter(([, count]) => count > 0).map(([kind, count]) => `${count} × ${kind}`);
  return found.length === 0 ? '0' : `${found.join(', ')} of ${probe.requests}`;
}

const isBusy = (alone: Condition) => (named(alone, 'ping')?.p99Ms ?? 0) > busyMs;

function cells(condition: Shown, alone: Condition): string[] {
  return condition.probes.flatMap((probe) => [
    ...[probe.p50Ms, probe.p99Ms, probe.maxMs].map((ms) => (isLost(probe) ? '–' : number(ms))),
    condition === alone ? '' : timesText(slowdown(probe, named(alone, probe.probe))),
    failed(probe),
  ]);
}

function stolenText({ alone, beside, attacked }: Neighbours): string {
  const probes = [alone, beside, ...attacked].flatMap((condition) => condition.probes);
  const sum = (read: (probe: Probe) => number) => probes.reduce((total, probe) => total + read(probe), 0);
  return `${integer(sum(({ stolen }) => stolen))} of ${integer(sum(({ requests }) => requests))} times are left out, as other machines had the processors meanwhile.`;
}

const apartText = ({ isApart }: Neighbours) =>
  isApart
    ? 'Who asks is on another machine in truth: the first tenant waits for no processor here, the attacker gets what nobody else wants, and Linux weighs processes and not sessions (docs/operating.md).'
    : 'Who asks is on another machine in truth, and shares the processors with the service here: this one did not let them be told apart.';

/** What the first table leaves out. */
function beginnings({ alone, attacked }: Neighbours, head: string[]): string[] {
  const rows = attacked.map(({ name, beginning }) => [name, ...cells({ name, probes: beginning }, alone)]);
  return [
    'The first two seconds of each attack, which the table above leaves out: what comes of one that begins again and again.',
    table(['attack', ...head], rows),
  ];
}

export function neighboursSection(neighbours: Neighbours | undefined): string[] {
  if (neighbours === undefined) return [];
  const { alone, beside, attacked, victimRows, spreadRows, denseRows, revokedKeys, capacity, buildSeconds } =
    neighbours;
  const head = alone.probes.flatMap(({ probe }) => [`${probe} p50 ms`, 'p99', 'max', 'times', 'not 2xx']);
  return [
    '### Neighbours',
    `One tenant with ${integer(victimRows)} files and as many transfers, alone and while another does its worst, which has ${integer(spreadRows + denseRows)} (${integer(denseRows)} of them in one hour) and ${integer(revokedKeys)} revoked keys. Built in ${buildSeconds} s. The service answers ${integer(capacity)} first pages a second. Times is p99 against p99 alone, or against ${floorMs} ms where that is less. ${stolenText(neighbours)}`,
    apartText(neighbours),
    ...(isBusy(alone) ? ['The machine was busy with something else, so these ratios say nothing.'] : []),
    table(
      ['attack', 'processors used', ...head],
      [alone, beside, ...attacked].map((condition) => [
        ...[condition.name, `${integer(condition.used * 100)} %`],
        ...cells(condition, alone),
      ]),
    ),
    `\`${beside.name}\` is ${beside.what}.`,
    ...beginnings(neighbours, head),
    'What the attacker got, requests a second, and how long after its end the first tenant was served and no statement was left.',
    table(
      ['attack', 'what it is', 'answered', '429', '503', 'other', 'left or lost', 'recovered after, s'],
      attacked.map(
        ({ name, what, perSecond: { answered, limited, unavailable, other, left }, recoverySeconds }) => [
          ...[
            name,
            what,
            integer(answered),
            integer(limited),
            integer(unavailable),
            integer(other),
            integer(left),
          ],
          number(recoverySeconds),
        ],
      ),
    ),
  ];
}

/** The worst of what is promised, and whether anyone was turned away, in the beginning too. */
export function worstNeighbour({ alone, attacked }: Neighbours): string {
  const promised = attacked.filter(({ name }) => name !== nearby);
  const all = promised.flatMap((condition) =>
    condition.probes.map((probe) => ({
      name: `${probe.probe} under ${condition.name}`,
      times: slowdown(probe, named(alone, probe.probe)),
    })),
  );
  const [worst] = [...all].sort((a, b) => b.times - a.times);
  const asked = promised.flatMap(({ probes, beginning = [] }) => [...probes, ...beginning]);
  const failed = asked.reduce((sum, probe) => sum + failures(probe), 0);
  const requests = asked.reduce((sum, probe) => sum + probe.requests, 0);
  return `${timesText(worst?.times ?? Number.NaN)} at worst (${worst?.name}), ${integer(failed)} of ${integer(requests)} not answered well${isBusy(alone) ? ', on a machine that was busy with something else' : ''}`;
}
