import type pg from 'pg';
import { pageDefaults, type Sort } from '../server/src/contract/page.ts';
import { institutionFiles } from '../server/src/resources/files/collection.ts';
import { filtered, type Population } from './populations.ts';

const dimensions = ['workspace', 'category', 'status'] as const;
type Dimension = (typeof dimensions)[number];
type Place = 'first' | 'middle' | 'last';

export type Case = {
  name: string;
  resource: 'files' | 'transfers';
  place: Place;
  filters: readonly Dimension[];
  sort?: Sort;
  /** Consecutive pages, of which the first is in the middle. */
  isWalk?: true;
};

const walkPages = 1000;
export const { size } = pageDefaults;

const unfiltered = { resource: 'files', filters: [] } as const;
const byBoth = { resource: 'files', filters: ['category', 'status'] } as const;
const otherSorts = Object.keys(institutionFiles.sortable).filter(
  (field) => field !== institutionFiles.defaultSort.field,
);

/** Those of `--out`, in the order in which they are measured. */
export const cases: readonly Case[] = [
  { name: 'first', place: 'first', ...unfiltered },
  { name: 'middle', place: 'middle', ...unfiltered },
  { name: 'last', place: 'last', ...unfiltered },
  { name: 'filtered-first', place: 'first', ...byBoth },
  { name: 'filtered-middle', place: 'middle', ...byBoth },
  { name: 'walk', place: 'middle', isWalk: true, ...unfiltered },
  ...otherSorts.map(
    (field): Case => ({
      name: `sort-${field}`,
      place: 'first',
      sort: { field, direction: 'asc' },
      ...unfiltered,
    }),
  ),
  { name: 'signed-first', place: 'first', resource: 'transfers', filters: [] },
  { name: 'signed-middle', place: 'middle', resource: 'transfers', filters: [] },
];

/** The peer with tokens serves lists of files in their default order, without filters. */
export const takesPart = (target: string, { resource, filters, sort, isWalk }: Case): boolean =>
  target !== 'drizzle' || (resource === 'files' && filters.length === 0 && sort === undefined && !isWalk);

export const places: readonly Place[] = ['first', 'middle', 'last'];

export const plainCases: readonly Case[] = places.map((place) => ({ name: place, place, ...unfiltered }));

/** Every combination of filters, at the first, the middle and the last page of what it leaves. */
export const filterCases: readonly Case[] = Array.from({ length: 2 ** dimensions.length }, (_none, bits) =>
  dimensions.filter((_dimension, index) => (bits & (1 << index)) !== 0),
)
  .filter((chosen) => chosen.length > 0)
  .flatMap((filters) =>
    places.map(
      (place): Case => ({ name: `${filters.join('+')} ${place}`, place, resource: 'files', filters }),
    ),
  );

/** What the rows of a population are when counted one by one: by which filters, how many. */
export type Totals = (measured: Case) => number;

export async function countTotals(db: pg.Pool, population: Population): Promise<Totals> {
  const { rows } = await db.query<Record<Dimension, boolean> & { count: string }>(
    `select workspace_id = $2 as workspace, category = $3 as category, status = $4 as status, count(*) as count
    from files where institution_id = $1 group by 1, 2, 3`,
    [population.institutionId, population.workspaceIds[0], filtered.category.name, filtered.status.name],
  );
  return ({ resource, filters }) => {
    if (resource === 'transfers') return population.rows;
    const counted = rows.filter((row) => filters.every((dimension) => row[dimension]));
    return counted.reduce((sum, { count }) => sum + Number(count), 0);
  };
}

/** The pages that a case asks for, in turn. */
export function pagesOf({ place, isWalk }: Case, total: number): number[] {
  const count = Math.max(1, Math.ceil(total / size));
  const from = { first: 0, middle: Math.floor(count / 2), last: count - 1 }[place];
  return Array.from({ length: isWalk ? walkPages : 1 }, (_none, index) => (from + index) % count);
}
