import { ArgumentError, type Options, type Part, readArguments } from './arguments.ts';
import { closeAll, closeOnSignal } from './closing.ts';
import { measureCold } from './cold.ts';
import { buildSizes } from './data.ts';
import { measureDeliveries } from './deliveries.ts';
import { measureMiddles } from './dense.ts';
import { measureEvents } from './events.ts';
import { measureExplainer } from './explainer.ts';
import { startField } from './field.ts';
import { measureHashing } from './hashing.ts';
import { measureKeys } from './keys.ts';
import { measureLines } from './lines.ts';
import { measureLog } from './log.ts';
import { measureNeighbours } from './neighbours/neighbours.ts';
import { measurePortal } from './portal.ts';
import { writeReadme } from './readme.ts';
import { report } from './report.ts';
import { measureRequests } from './request-log.ts';
import { keepResults, newResults, type Results, writeJson } from './results.ts';
import { type Line, measureFilters, measurePlain, measureRows, warmUp } from './rows.ts';
import { measureSigning } from './signed-transfers.ts';
import { measureSmall, smallRows } from './small.ts';
import { measureTail } from './tail.ts';
import { measureRefusals } from './unknown-key-timing.ts';
import { measureUploads } from './uploads.ts';
import { startDatabase, startPorticoWithTurnstile } from './world.ts';
import { measureWrites } from './writes.ts';

const denseRowsKept = 1_000_000;

/** The parts that read the large data, on one database. */
async function runReading({ parts, rows, seconds, isKept }: Options, results: Results): Promise<void> {
  const keep = () => {
    if (isKept) keepResults(results); // half an hour is long, and runs are broken off
  };
  const database = await startDatabase();
  const portico = await startPorticoWithTurnstile(database.url);
  const large = parts.has('rows') || parts.has('filters') ? rows : [];
  const denseRows = isKept ? denseRowsKept : Math.max(...rows);
  const sizes = new Set([
    ...(parts.has('small') ? [smallRows] : []),
    ...large,
    ...(parts.has('dense') ? [denseRows] : []),
  ]);
  const built = await buildSizes(database, [...sizes], parts.has('dense') ? denseRows : undefined);
  const buildSeconds = Math.round(built.seconds);
  if (large.length > 0) results.machine.buildSeconds = buildSeconds;
  results.machine.postgres = await database.version();
  process.stderr.write(`built in ${buildSeconds} s\n`);
  const field = await startField(database, portico);
  const [smallest] = built.populations;
  if (smallest !== undefined) await warmUp(field, smallest, seconds);
  const measured = built.populations.filter((population) => rows.includes(population.rows));
  const small = built.populations.find((population) => population.rows === smallRows);
  if (parts.has('small') && small !== undefined) results.small = await measureSmall(field, small, seconds);
  keep();
  if (parts.has('rows'))
    for (const population of measured)
      results.rows = [...(results.rows ?? []), ...(await measureRows(field, population, seconds))];
  keep();
  if (parts.has('filters'))
    for (const population of [measured[0], measured.slice(1).at(-1)])
      if (population !== undefined)
        results.filters = [...(results.filters ?? []), ...(await measureFilters(field, population, seconds))];
  keep();
  const years = built.populations.find((population) => population.rows === denseRows);
  const { hour } = built;
  if (hour !== undefined && years !== undefined) {
    const middles = await measureMiddles(field, { hour, years }, seconds);
    results.dense = { rows: denseRows, middles, results: await measurePlain(field, hour, seconds) };
  }
}

/** What fails is told, and costs nobody the results of the rest. What is found is kept at once. */
async function attempt(
  names: readonly Part[],
  { parts, isKept }: Options,
  results: Results,
  work: () => Promise<void>,
): Promise<void> {
  if (!names.some((each) => parts.has(each))) return;
  const name = names.join(' ');
  const begun = performance.now();
  try {
    await work();
    if (names.every((each) => parts.has(each)))
      results.seconds[name] = Math.round((performance.now() - begun) / 1000);
    if (isKept) keepResults(results);
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.stack : error}\n`);
    process.exitCode = 1;
  }
  await closeAll();
  process.stderr.write(`${name}: ${Math.round((performance.now() - begun) / 1000)} s\n`);
}

const reading = ['rows', 'filters', 'dense', 'small'] as const;

async function run(options: Options): Promise<Results> {
  const { seconds, minutes } = options;
  const results = newResults();
  await attempt(reading, options, results, () => runReading(options, results));
  const others: { [Name in Part]?: () => Promise<void> } = {
    writes: async () => {
      results.writes = await measureWrites(seconds);
    },
    keys: async () => {
      results.keys = await measureKeys(seconds);
    },
    tail: async () => {
      results.tail = await measureTail(seconds);
    },
    log: async () => {
      results.log = await measureLog(seconds);
    },
    events: async () => {
      results.events = await measureEvents();
    },
    signing: async () => {
      results.signing = await measureSigning(seconds);
    },
    requests: async () => {
      results.requests = await measureRequests(seconds, minutes);
    },
    lines: async () => {
      results.lines = await measureLines(seconds);
    },
    cold: async () => {
      results.cold = await measureCold();
    },
    refusals: async () => {
      results.refusals = await measureRefusals();
    },
    explainer: async () => {
      results.explainer = await measureExplainer();
    },
    hashing: async () => {
      results.hashing = await measureHashing(seconds);
    },
    uploads: async () => {
      results.uploads = await measureUploads();
    },
    deliveries: async () => {
      results.deliveries = await measureDeliveries(seconds);
    },
    neighbours: async () => {
      results.neighbours = await measureNeighbours(seconds);
    },
    portal: async () => {
      results.portal = await measurePortal();
    },
  };
  for (const [part, work] of Object.entries(others)) await attempt([part as Part], options, results, work); // its own names
  return results;
}

function lines({ rows = [] }: Results): Line[] {
  return rows.map(({ target, case: name, rows: size, connections, p50Ms, p99Ms, rps, errors }) => ({
    ...{ target, case: name, rows: size, connections },
    ...{ p50Ms, p99Ms, rps, errors },
  }));
}

async function main(): Promise<void> {
  const options = readArguments(process.argv.slice(2));
  closeOnSignal();
  const begun = performance.now();
  const results = await run(options);
  if (options.out !== undefined) writeJson(options.out, lines(results));
  if (options.isKept) writeReadme();
  process.stdout.write(`${report(results)}\n`);
  process.stderr.write(`${Math.round((performance.now() - begun) / 1000)} s in all\n`);
}

main().catch((error: unknown) => {
  const isExpected = error instanceof ArgumentError;
  process.stderr.write(
    `bench: ${isExpected ? error.message : error instanceof Error ? error.stack : error}\n`,
  );
  process.exit(1);
});
