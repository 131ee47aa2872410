import { hourToYears } from './dense.ts';
import type { EventsResult } from './events.ts';
import { worstNeighbour } from './neighbours/section.ts';
import { clsWorst } from './portal.ts';
import type { RequestsResult } from './request-log.ts';
import type { Results } from './results.ts';
import type { Result } from './rows.ts';
import { find, integer, number, sizesOf, table, timesFaster } from './tables.ts';
import type { TailResult } from './tail.ts';

type Goal = { what: string; wanted: string; found: string | undefined };

const flatCases = ['first', 'middle', 'last', 'filtered-first', 'filtered-middle'];

/** The case whose p50 grows most from the smallest to the largest size. */
function growth({ rows = [], filters = [] }: Results): string | undefined {
  const sizes = sizesOf(rows);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  if (sizes.length < 2) return undefined;
  const flat = [...rows.filter((each) => flatCases.includes(each.case)), ...filters];
  const names = [...new Set(flat.map((each) => each.case))];
  const p50Ms = (name: string, size: number) => {
    const found = find(flat, 'portico', name, size, 1);
    return found === undefined || found.rps === 0 ? Number.POSITIVE_INFINITY : found.p50Ms;
  };
  const grown = names
    .map((name) => ({ name, by: p50Ms(name, most) / p50Ms(name, least) }))
    .sort((a, b) => b.by - a.by);
  const [worst] = grown;
  return (
    worst && `${number(worst.by)}× at worst (${worst.name}, ${integer(most)} against ${integer(least)} rows)`
  );
}

function middleAgainstOffset(rows: readonly Result[]): string | undefined {
  const most = Math.max(...sizesOf(rows));
  const [own, other] = (['portico', 'count-offset'] as const).map((target) =>
    find(rows, target, 'middle', most, 1),
  );
  return own && other && `${timesFaster(own, other)}× at ${integer(most)} rows`;
}

function smallRatio({ small = [] }: Results, target: string, read: 'rps' | 'cpuMs'): string | undefined {
  const value = (name: string) => small.find((each) => each.target === name)?.[read];
  const [own, other] = [value('portico'), value(target)];
  return own === undefined || other === undefined ? undefined : number(own / other);
}

function memory({ rows = [], small = [] }: Results): string | undefined {
  const loaded = [...rows.filter(({ connections }) => connections === 64), ...small];
  const known = loaded.filter(({ target, rssMiB }) => target === 'portico' && rssMiB !== undefined);
  if (known.length === 0) return undefined;
  const most = (read: 'rssMiB' | 'peakMiB') => Math.max(...known.map((each) => each[read] ?? 0));
  return `${most('rssMiB')} MiB (peak ${most('peakMiB')})`;
}

/** By one connection how long it takes; by a hundred, which leave no processor idle, how much work it is. */
function denseRatios({ dense }: Results): string | undefined {
  if (dense === undefined) return undefined;
  const wait = hourToYears(dense.middles, 1, ({ p50Ms }) => p50Ms);
  const work = hourToYears(dense.middles, 100, ({ rps }) => 1 / rps);
  return `${number(wait)}× p50 by one connection, ${number(work)}× work by 100`;
}

function firstAgainstSecond(results: readonly { rps: number }[] | undefined): string | undefined {
  const [first, second] = results ?? [];
  return first && second && number(first.rps / second.rps);
}

/** Writes beside reads of one machine. Before they had a log and idempotency keys, it was 412 of 4,093; one and a half times that is wanted. */
function keysAgainstPages({ keys, tail }: Results): string | undefined {
  const [created, pages] = [keys?.[0], tail?.find(({ name }) => name === 'resting')];
  return created && pages && `${number(created.rps / pages.rps)} (${integer(created.rps)} a second)`;
}

function tailRatio(tail: readonly TailResult[]): string | undefined {
  const folding = tail.find(({ name }) => name === 'folding');
  return folding && `${number(folding.p99Ms / folding.p50Ms)}×`;
}

function eventsGrowth(events: EventsResult): string | undefined {
  const [least, most] = [events[0], events.at(-1)];
  if (least === undefined || most === undefined || least === most) return undefined;
  const pages = ['firstMs', 'middleMs', 'lastMs', 'rareMs', 'noneMs'] as const;
  return `${number(Math.max(...pages.map((page) => most[page] / least[page])))}× at worst`;
}

function requestsGrowth({ slices }: RequestsResult): string | undefined {
  const [least, most] = [slices[0], slices.at(-1)];
  if (least === undefined || most === undefined || least === most) return undefined;
  const pages = ['firstMs', 'middleMs', 'filteredMs'] as const;
  return `${number(Math.max(...pages.map((page) => most[page] / least[page])))}× at worst (${integer(most.rows)} against ${integer(least.rows)} rows)`;
}

/** What is to be reached, and what was. */
export function goalsTable(results: Results): string[] {
  const {
    rows,
    writes,
    tail,
    log,
    events,
    signing,
    lines: logged,
    cold,
    requests,
    hashing,
    uploads,
    deliveries,
    neighbours,
    portal,
  } = results;
  const goals: Goal[] = [
    {
      what: 'p50 of first, middle and last page, default order, every filter: largest against smallest size',
      wanted: 'within 2×',
      found: growth(results),
    },
    {
      what: 'middle page against count and offset',
      wanted: '200× faster',
      found: rows && middleAgainstOffset(rows),
    },
    {
      what: `middle page of ${integer(results.dense?.rows ?? 0)} rows of one hour against as many of three years`,
      wanted: 'within 3×',
      found: denseRatios(results),
    },
    {
      what: 'small institution, 64 connections, against the plain Fastify handler without authentication',
      wanted: '1.5',
      found: smallRatio(results, 'count-offset', 'rps'),
    },
    {
      what: 'the same against Fastify with Drizzle and tokens (HS256)',
      wanted: '2',
      found: smallRatio(results, 'drizzle', 'rps'),
    },
    {
      what: 'the same against bare `node:http`',
      wanted: '0.16',
      found: smallRatio(results, 'node-http', 'rps'),
    },
    {
      what: 'CPU of the server process per request against the plain Fastify handler',
      wanted: '0.6 or less',
      found: smallRatio(results, 'count-offset', 'cpuMs'),
    },
    {
      what: 'single-row inserts with the tally against without, 8 writers',
      wanted: '0.5',
      found: writes && number(writes.single.with / writes.single.without),
    },
    {
      what: 'bulk load of 1 million rows with the tally against without',
      wanted: 'within 2×',
      found: writes && `${number(writes.bulk.with / writes.bulk.without)}×`,
    },
    {
      what: 'keys created by 8 clients with Idempotency-Key and log, against first pages of files by 64 connections',
      wanted: '0.15',
      found: keysAgainstPages(results),
    },
    {
      what: 'p99 of the first page of files against its p50 while the tally is folded, 64 connections',
      wanted: 'within 4×',
      found: tail && tailRatio(tail),
    },
    {
      what: 'single-row commands with the log against without, 8 writers',
      wanted: '0.8',
      found: log && number(log.commands.with / log.commands.without),
    },
    {
      what: 'records that are sealed, a second, at the largest size',
      wanted: '5,000',
      found: log && integer(log.sealing.at(-1)?.perSecond ?? 0),
    },
    {
      what: 'signed list with all checks and a durable nonce against the same unsigned, 64 connections',
      wanted: '0.5',
      found: firstAgainstSecond(signing),
    },
    {
      what: 'signed list with the list of requests against without, 64 connections',
      wanted: '0.97',
      found: requests && number(requests.with.rps / requests.without.rps),
    },
    {
      what: 'pages of the list of requests: at its largest against at its smallest',
      wanted: 'within 2×',
      found: requests && requestsGrowth(requests),
    },
    {
      what: 'list with a line of the log for each request against without, 64 connections',
      wanted: '0.95',
      found: firstAgainstSecond(logged),
    },
    {
      what: 'first request and median of the first hundred after a start, against a warm instance, at worst',
      wanted: 'within 10× and 1.5×',
      found:
        cold &&
        `${number(Math.max(...cold.map((each) => each.firstMs / each.warmMs)))}× and ${number(Math.max(...cold.map((each) => each.earlyMs / each.warmMs)))}×`,
    },
    {
      what: 'events pulled, first, middle and last page and a rare type: largest against smallest size',
      wanted: 'within 2×',
      found: events && eventsGrowth(events),
    },
    {
      what: `renewal of a sign-in beside ${hashing?.signInsAtOnce} sign-ins at once, against alone`,
      wanted: 'within 2×',
      found:
        hashing &&
        `${number(hashing.crowded.p50Ms / hashing.idle.p50Ms)}× p50, ${number(hashing.crowded.p99Ms / hashing.idle.p99Ms)}× p99`,
    },
    {
      what: `upload of ${uploads?.sizeMiB} MiB against a bare server that writes the stream to disk with fsync`,
      wanted: '0.5',
      found: uploads && number(uploads.porticoMiBps / uploads.bareMiBps),
    },
    {
      what: `server RSS while ${uploads?.atOnce} uploads of ${uploads?.sizeMiB} MiB arrive at once, above idle`,
      wanted: 'within 64 MiB',
      found: uploads?.idleMiB === undefined ? undefined : `${(uploads.busyMiB ?? 0) - uploads.idleMiB} MiB`,
    },
    {
      what: 'deliveries a second to a receiver on the same machine',
      wanted: '1,000',
      found: deliveries && integer(deliveries.perSecond),
    },
    {
      what: 'p99 from commit to arrival when idle',
      wanted: 'under 1 s',
      found: deliveries && `${integer(deliveries.idle.p99Ms)} ms`,
    },
    {
      what: `p99 of deliveries while one receiver of ${deliveries?.channels} hangs, against while none does`,
      wanted: 'within 1.2×',
      found: deliveries && `${number(deliveries.dead.p99Ms / deliveries.alive.p99Ms)}×`,
    },
    {
      what: `the same while a receiver that was away is sent ${integer(deliveries?.outage.backlog ?? 0)} deliveries`,
      wanted: 'within 2×',
      found: deliveries && `${number(deliveries.outage.beside.p99Ms / deliveries.alive.p99Ms)}×`,
    },
    {
      what: 'p99 of list, signed ping and sign-in of one tenant while another does its worst, against alone',
      wanted: 'within 2×, every one answered',
      found: neighbours && worstNeighbour(neighbours),
    },
    {
      what: 'layout shifts of sign-in, overview and transfers, at worst',
      wanted: 'under 0.02',
      found: portal && clsWorst(portal).toFixed(3),
    },
    { what: 'server RSS at 64 connections', wanted: 'under 200 MiB', found: memory(results) },
  ];
  const known = goals.filter(({ found }) => found !== undefined);
  const lines = known.map(({ what, wanted, found = '' }) => [what, wanted, found]);
  return known.length === 0 ? [] : ['### Ratios', table(['what', 'wanted', 'measured'], lines)];
}
