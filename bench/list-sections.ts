import type { Middle } from './dense.ts';
import type { Section } from './results.ts';
import { casesOfSize, costAgainstRows, integer, number, sizesOf, table } from './tables.ts';

export const rowsSection: Section = ({ rows }) =>
  rows === undefined
    ? []
    : [
        '### Cost against rows',
        costAgainstRows(rows),
        ...sizesOf(rows).flatMap((size) => [`### ${integer(size)} rows`, casesOfSize(rows, size)]),
      ];

export const filtersSection: Section = ({ filters }) =>
  filters === undefined ? [] : ['### Every combination of filters', costAgainstRows(filters)];

function middlesTable(middles: readonly Middle[]): string[] {
  const lines = middles.map(({ spread, connections, p50Ms, p99Ms, rps, errors }) => [
    ...[spread === 'hour' ? 'one hour' : 'three years', connections],
    ...[number(p50Ms), number(p99Ms), integer(rps), errors],
  ]);
  return [
    'The middle page, beside that of as many rows of three years: medians of 5 rounds in turn.',
    table(['rows within', 'connections', 'p50 ms', 'p99 ms', 'requests/s', 'errors'], lines),
  ];
}

export const denseSection: Section = ({ dense }) =>
  dense === undefined
    ? []
    : [
        `### ${integer(dense.rows)} files within one hour`,
        casesOfSize(dense.results, dense.rows),
        ...middlesTable(dense.middles),
      ];

export const smallSection: Section = ({ small }) => {
  const own = small?.find(({ target }) => target === 'portico');
  if (small === undefined || own === undefined) return [];
  const lines = small.map(({ target, rps, p50Ms, p99Ms, errors, cpuMs = Number.NaN, ...memory }) => [
    ...[target, integer(rps), number(p50Ms), number(p99Ms), number(cpuMs), errors],
    `${memory.rssMiB ?? '–'} (${memory.peakMiB ?? '–'})`,
    number(own.rps / rps),
    number((own.cpuMs ?? Number.NaN) / cpuMs),
  ]);
  const head = ['target', 'requests/s', 'p50 ms', 'p99 ms', 'CPU ms', 'errors', 'RSS MiB (peak)'];
  return [
    '### Small institution',
    'First page of 20 of 400 files, 64 connections, median of 5 rounds in turn.',
    table([...head, 'portico is this many times as fast', 'CPU of portico to its'], lines),
  ];
};
