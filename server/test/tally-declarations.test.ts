import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tally } from '../src/contract/page-statement.ts';
import type { Served } from '../src/contract/served.ts';
import { type Sql, sql } from '../src/db/sql.ts';
import { servedCollections } from './support/served-collections.ts';
import { openWorld, type World } from './world.ts';

type Attached = {
  name: string;
  relation: string;
  counted: string;
  scope: string[];
  dimensions: string[];
  time: string;
};

let world: World;
let attached: Attached[];
beforeAll(async () => {
  world = await openWorld();
  attached = await world.db.query<Attached>(sql`
    select name, relation, counted, scope_columns as scope, dim_columns as dimensions, time_column as time from tallies`);
});
afterAll(() => world.close());

const served = await servedCollections();
const tallied = served.flatMap(({ name, declared }) =>
  (declared.tallies ?? []).map((tally) => ({ name, declared, tally })),
);

/** What the declaration says of columns, in the words of the database. */
function claims({ from, sortable, filterBy, within }: Served, tally: Tally) {
  const [relation, alias] = from.text.split(' ');
  const bare = ({ text }: Sql) => text.replace(new RegExp(`\\b${alias}\\.`, 'g'), '');
  const asked = Object.entries(tally.dimensions);
  const fixed = [...Object.entries(tally.scope), ...asked].flatMap(([column, value]) =>
    typeof value === 'string' ? [] : [`${column} = ${value.text}`],
  );
  const conditions = within.map(bare);
  const others = conditions.filter((condition) => !fixed.includes(condition)).join(' and ');
  // Rows without a scope are in no place.
  const inScope = Object.keys(tally.scope).map((column) => `${column} is not null`);
  return {
    /** Conditions that select what the place shows. */
    counted: others === '' ? ['true', ...inScope] : [others],
    attached: {
      name: tally.name,
      relation,
      scope: Object.keys(tally.scope),
      dimensions: Object.keys(tally.dimensions),
      time: bare(sortable[tally.time] ?? sql``),
    },
    /** A place that is wider or narrower than the tally counts. */
    unsaid: fixed.filter((condition) => !conditions.includes(condition)),
    /** A filter by another column than the dimension that it stands for. */
    crossed: asked.filter(
      ([column, filter]) =>
        typeof filter === 'string' &&
        !bare(filterBy[filter]?.where(sql`given`) ?? sql``).startsWith(`${column} = `),
    ),
  };
}

describe.each(tallied)('the tally that $name declares', ({ declared, tally }) => {
  it('is the one in the database: table, rows that count, scope, dimensions by name and order, time', () => {
    const claimed = claims(declared, tally);
    const found = attached.find(({ name }) => name === tally.name);
    expect(found).toMatchObject(claimed.attached);
    expect(claimed.counted).toContain(found?.counted);
    expect(claimed).toMatchObject({ unsaid: [], crossed: [] });
  });

  it('has the ends of its range among the filters, by the column of its time', () => {
    const ends = [tally.from, tally.to].filter((end) => end !== undefined);
    for (const end of ends)
      expect(declared.filterBy[end]?.where(sql`given`).text).toContain(declared.sortable[tally.time]?.text);
  });
});

describe('tallies', () => {
  it('of the database are each declared by a collection, and collections are found in the app', () => {
    expect(new Set(tallied.map(({ tally }) => tally.name))).toEqual(
      new Set(attached.map(({ name }) => name)),
    );
    expect(served.length).toBeGreaterThan(new Set(tallied.map(({ declared }) => declared)).size);
  });

  it('are told apart when columns are swapped, renamed or filtered by another', () => {
    const [{ declared, tally } = { declared: undefined, tally: undefined }] = tallied;
    if (declared === undefined) throw new Error('no collection has a tally');
    const [first, ...others] = Object.entries(tally.dimensions);
    const swapped = { ...tally, dimensions: Object.fromEntries([...others, first ?? ['', '']]) };
    expect(attached).not.toContainEqual(expect.objectContaining(claims(declared, swapped).attached));
    const [scope] = Object.values(tally.scope);
    const renamed = { ...tally, scope: { other: scope ?? sql`` } };
    expect(claims(declared, renamed).unsaid).toHaveLength(1);
    const names = Object.keys(tally.dimensions);
    const values = Object.values(tally.dimensions).reverse();
    const crossed = Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
    expect(claims(declared, { ...tally, dimensions: crossed }).crossed).not.toEqual([]);
  });
});

describe('a table that is counted', () => {
  it('is analysed again when a hundredth of it is new: its counts are read by statistics that know every large tenant', async () => {
    const loose = await world.db.query(sql`
      select relname from pg_class where oid in (select relation::regclass from tallies)
        and not coalesce(reloptions, '{}') @> '{autovacuum_analyze_scale_factor=0.01,autovacuum_analyze_threshold=1000}'`);
    expect(loose).toEqual([]);
  });
});
