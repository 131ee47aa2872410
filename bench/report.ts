import { parts } from './arguments.ts';
import { goalsTable } from './goals.ts';
import { denseSection, filtersSection, rowsSection, smallSection } from './list-sections.ts';
import { neighboursSection } from './neighbours/section.ts';
import { portalSection } from './portal.ts';
import type { Results, Section } from './results.ts';
import { integer, number, table } from './tables.ts';
import type { Comparison } from './writes.ts';

const machineSection: Section = ({ machine: { cores, memoryGiB, node, postgres, buildSeconds } }) =>
  postgres === undefined
    ? []
    : [
        `${cores} cores and ${memoryGiB} GiB shared by client, server and database, Node ${node}, PostgreSQL ${postgres} as the service starts it.${buildSeconds === undefined ? '' : ` The data were built in ${buildSeconds} s.`}`,
      ];

const writesSection: Section = ({ writes }) => {
  if (writes === undefined) return [];
  const line = (name: string, { with: own, without, foldSeconds }: Comparison) => [
    ...[name, number(own), number(without), number(own / without), number(foldSeconds)],
  ];
  return [
    '### Writes',
    table(
      ['what', 'with the tally', 'without', 'ratio', 'folded after, s'],
      [
        line('single rows by 8 writers, inserts/s', writes.single),
        line('bulk load of 1,000,000 rows of one hour by 2 connections, s', writes.bulk),
      ],
    ),
  ];
};

const keysSection: Section = ({ keys }) => {
  if (keys === undefined) return [];
  const plain = keys[1]?.rps ?? Number.NaN;
  return [
    '### Keys',
    'API keys created by 8 clients, each with an Idempotency-Key, median of 5 rounds in turn.',
    table(
      ['target', 'keys/s', 'ratio', 'p50 ms', 'p99 ms', 'CPU ms', 'errors'],
      keys.map(({ name, rps, p50Ms, p99Ms, cpuMs, errors }) => [
        ...[name, integer(rps), number(rps / plain), number(p50Ms), number(p99Ms), number(cpuMs), errors],
      ]),
    ),
  ];
};

const tailSection: Section = ({ tail }) => {
  if (tail === undefined) return [];
  return [
    '### Tail',
    'First page of 20 of 100,000 files, 64 connections, median of 5 rounds in turn.',
    table(
      ['the tally is', 'requests/s', 'p50 ms', 'p99 ms', 'p99 ÷ p50', 'errors'],
      tail.map(({ name, rps, p50Ms, p99Ms, errors }) => [
        ...[name, integer(rps), number(p50Ms), number(p99Ms), number(p99Ms / p50Ms), errors],
      ]),
    ),
  ];
};

const logSection: Section = ({ log }) => {
  if (log === undefined) return [];
  const { commands, sealing, pages } = log;
  const lines = sealing.map(({ records, perSecond }, index) => [
    ...[integer(records), integer(perSecond)],
    ...[number(pages[index]?.firstMs ?? Number.NaN), number(pages[index]?.middleMs ?? Number.NaN)],
  ]);
  return [
    '### Log',
    `Commands of one row by 8 writers: ${integer(commands.with)} a second with a record of each, ${integer(commands.without)} without.`,
    table(['records', 'sealed a second', 'first page, p50 ms', 'middle page, p50 ms'], lines),
  ];
};

const eventsSection: Section = ({ events }) => {
  if (events === undefined) return [];
  const lines = events.map(({ events: count, ...times }) => [
    integer(count),
    ...Object.values(times).map((ms) => number(ms)),
  ]);
  return [
    '### Events',
    'Pages of 100, pulled one after the other, each on a connection of its own; p50 in ms.',
    table(['events', 'first', 'middle', 'last', 'a rare type', 'a type without any'], lines),
  ];
};

const signingSection: Section = ({ signing }) => {
  if (signing === undefined) return [];
  const unsigned = signing[1]?.rps ?? Number.NaN;
  return [
    '### Signing',
    'Signed transfers, first page of 20 of 240, 64 connections, median of 5 rounds in turn.',
    table(
      ['target', 'requests/s', 'ratio', 'errors'],
      signing.map(({ name, rps, errors }) => [name, integer(rps), number(rps / unsigned), errors]),
    ),
  ];
};

const requestsSection: Section = ({ requests }) => {
  if (requests === undefined) return [];
  const { with: own, without, slices, minutes, dropped } = requests;
  const lines = slices.map(({ rows, bytesPerRow, ...rest }) => [
    ...[integer(rows), integer(rest.rps), bytesPerRow],
    ...[rest.firstMs, rest.middleMs, rest.filteredMs].map((ms) => number(ms)),
  ]);
  const [least, most] = [slices[0], slices.at(-1)];
  const grown = (name: keyof (typeof slices)[number]) =>
    least && most ? `${number(most[name] / least[name])}×` : '';
  const growth = ['rows', 'rps', 'bytesPerRow', 'firstMs', 'middleMs', 'filteredMs'] as const;
  return [
    '### List of requests',
    `Signed transfers, 64 connections: ${integer(own.rps)} requests a second with the list, ${integer(without.rps)} without, median of 5 rounds in turn; ${own.errors + without.errors} errors. Then ${minutes} min of the same, in parts; ${integer(dropped)} requests were not listed. Pages of 20, of which those of the middle lie between a quarter and three quarters; the last line is the last part against the first.`,
    table(
      ['rows', 'requests/s', 'bytes a row', 'first page, p50 ms', 'middle pages', 'middle pages, filtered'],
      [...lines, growth.map(grown)],
    ),
  ];
};

const linesSection: Section = ({ lines }) => {
  if (lines === undefined) return [];
  const silent = lines[1]?.rps ?? Number.NaN;
  return [
    '### Lines of the log',
    'First page of 20 files, 64 connections, the log in a file, median of 5 rounds in turn.',
    table(
      ['for each request', 'requests/s', 'ratio', 'p50 ms', 'p99 ms', 'errors'],
      lines.map(({ name, rps, p50Ms, p99Ms, errors }) => [
        ...[name, integer(rps), number(rps / silent), number(p50Ms), number(p99Ms), errors],
      ]),
    ),
  ];
};

const coldSection: Section = ({ cold }) => {
  if (cold === undefined) return [];
  return [
    '### Cold',
    'An instance that has just said that it is ready, one connection; medians of 5 starts.',
    table(
      [
        'request',
        'first, ms',
        'first hundred, p50 ms',
        'warm, p50 ms',
        'first ÷ warm',
        'hundred ÷ warm',
        'errors',
      ],
      cold.map(({ name, firstMs, earlyMs, warmMs, errors }) => [
        ...[name, number(firstMs), number(earlyMs), number(warmMs)],
        ...[number(firstMs / warmMs), number(earlyMs / warmMs), errors],
      ]),
    ),
  ];
};

const refusalsSection: Section = ({ refusals }) => {
  if (refusals === undefined) return [];
  const lines = refusals.map(({ kind, samples, known, unknown }) => {
    const cell = ({ median, low, high }: typeof known) =>
      `${median.toFixed(1)} (${low.toFixed(1)} to ${high.toFixed(1)})`;
    const difference = ((unknown.median / known.median - 1) * 100).toFixed(2);
    return [kind.toUpperCase(), samples, cell(known), cell(unknown), `${difference} %`];
  });
  return [
    '### Refusals',
    'Refusal of a wrong signature, one connection, known and unknown key in turn; median in µs (95 % confidence interval).',
    table(['key id', 'samples each', 'known key', 'unknown key', 'difference'], lines),
  ];
};

const explainerSection: Section = ({ explainer }) => {
  if (explainer === undefined) return [];
  const ordinary = explainer[0]?.ms ?? Number.NaN;
  return [
    '### Explainer',
    'All mistakes tried on a wrong TEST signature, median of 200.',
    table(
      ['request', 'ms', 'ratio'],
      explainer.map(({ name, ms }) => [name, ms.toFixed(1), (ms / ordinary).toFixed(1)]),
    ),
  ];
};

const hashingSection: Section = ({ hashing }) => {
  if (hashing === undefined) return [];
  const { signInsAtOnce, idle, crowded, signInsPerSecond, refused } = hashing;
  const line = (name: string, { count, p50Ms, p99Ms }: typeof idle) => [
    ...[name, integer(count), number(p50Ms), number(p99Ms)],
  ];
  const ratio = ['ratio', '', number(crowded.p50Ms / idle.p50Ms), number(crowded.p99Ms / idle.p99Ms)];
  return [
    '### Hashing',
    `Renewals of a sign-in, alone and beside ${signInsAtOnce} others that sign in on and on: ${signInsPerSecond} a second, ${refused} refused.`,
    table(
      ['renewals', 'count', 'p50 ms', 'p99 ms'],
      [line('alone', idle), line('beside sign-ins', crowded), ratio],
    ),
  ];
};

const uploadsSection: Section = ({ uploads }) => {
  if (uploads === undefined) return [];
  const { sizeMiB, porticoMiBps, bareMiBps, hashMiBps, atOnce, atOnceMiBps, idleMiB, busyMiB, errors } =
    uploads;
  return [
    '### Uploads',
    `Files of ${sizeMiB} MiB to a disk; ${errors} errors.`,
    table(
      ['what', 'MiB/s', 'ratio', 'RSS MiB'],
      [
        ['bare server, one at a time', integer(bareMiBps), '', ''],
        ['portico, one at a time', integer(porticoMiBps), number(porticoMiBps / bareMiBps), idleMiB ?? '–'],
        ['SHA-256 alone, on one core', integer(hashMiBps), number(hashMiBps / bareMiBps), ''],
        [`portico, ${atOnce} at once`, integer(atOnceMiBps), '', busyMiB ?? '–'],
      ],
    ),
  ];
};

const deliveriesSection: Section = ({ deliveries }) => {
  if (deliveries === undefined) return [];
  const { channels, deliveries: count, perSecond, idle, alive, dead, outage } = deliveries;
  const line = (name: string, late: typeof idle) => [
    ...[name, integer(late.count), integer(late.p50Ms), integer(late.p99Ms)],
  ];
  return [
    '### Deliveries',
    `${integer(count)} deliveries of ${channels} channels at once: ${integer(perSecond)} a second. A backlog of ${integer(outage.backlog)} was delivered in ${number(outage.seconds)} s.`,
    table(
      ['from commit to arrival', 'deliveries', 'p50 ms', 'p99 ms'],
      [
        line('idle', idle),
        line('a stream to all', alive),
        line('the same while a receiver hangs', dead),
        line('the same while a backlog is delivered', outage.beside),
      ],
    ),
  ];
};

const secondsSection: Section = ({ seconds }) => {
  const known = Object.entries(seconds);
  const names = known.flatMap(([each]) => each.split(' '));
  if (!parts.every((part) => names.includes(part))) return []; // a sum of some would be taken for that of all
  const all = known.reduce((sum, [, each]) => sum + each, 0);
  return [
    '### How long it took',
    'What a part builds, starts and waits for is in its time.',
    table(
      ['parts', 'seconds'],
      [...known.map(([each, taken]) => [each, integer(taken)]), ['together', integer(all)]],
    ),
  ];
};

const sections: Section[] = [
  machineSection,
  goalsTable,
  rowsSection,
  filtersSection,
  denseSection,
  smallSection,
  writesSection,
  keysSection,
  tailSection,
  logSection,
  eventsSection,
  signingSection,
  requestsSection,
  linesSection,
  coldSection,
  refusalsSection,
  explainerSection,
  hashingSection,
  uploadsSection,
  deliveriesSection,
  ({ neighbours }) => neighboursSection(neighbours),
  ({ portal }) => portalSection(portal),
  secondsSection,
];

/** Everything there is, in Markdown. */
export function report(results: Results): string {
  return `${sections.flatMap((section) => section(results)).join('\n\n')}\n`;
}
