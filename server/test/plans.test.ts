import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageStatement } from '../src/contract/page-statement.ts';
import { bagOf } from '../src/contract/page-values.ts';
import type { Served } from '../src/contract/served.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { prepareOnce, sql, trusted } from '../src/db/sql.ts';
import { createFolder } from '../src/db/tally.ts';
import { createSealer } from '../src/log/sealer.ts';
import { transfers } from '../src/resources/transfers/collection.ts';
import { createDatabase, openSession, type TestDatabase } from './database.ts';
import { servedCollections } from './support/served-collections.ts';

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  Filter?: string;
  'Index Name'?: string;
  Plans?: Plan[];
};

const tallied = (await servedCollections()).flatMap(({ name, declared }) =>
  declared.tallies === undefined ? [] : [{ name, declared, table: declared.from.text.split(' ')[0] ?? '' }],
);

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  db = openDatabase(database.connection, { isPatient: true });
  await db.query(sql`
    insert into files (biz_id, institution_id, workspace_id, bucket, object_key, original_filename, file_size, content_type, category, status, etag, created_at, created_by)
    select 'P' || n, f.institution_id, f.workspace_id, bucket, object_key, md5(n::text), n % 1000, content_type, category, status, etag, f.created_at + n * interval '1 minute', created_by
    from (select * from files where institution_id = 1 order by id limit 100) f cross join generate_series(1, 100) k cross join lateral (select k * 1000 + f.id as n) x`);
  await db.query(sql`
    insert into transfers (biz_id, workspace_id, mode, amount, currency, status, created_at, updated_at)
    select 'P' || n, t.workspace_id, mode, amount + case when scale(amount) = 0 then n else 0 end, currency, status, t.created_at + n * interval '1 minute', t.updated_at + n * interval '1 minute'
    from (select * from transfers order by id limit 100) t cross join generate_series(1, 100) k cross join lateral (select k * 1000 + t.id as n) x`);
  await db.query(sql`
    insert into audit_waiting (audit_id, occurred_at, actor_type, actor_id, actor_name, action, subject_type, subject_id, changes, workspace_id)
    select 'P' || n, '2024-01-01Z'::timestamptz + n * interval '1 minute', 'ACCOUNT', 'ACC_' || n % 7, 'A', 'action.' || n % 11, 'API_KEY', 'S' || n % 500, '{}', 'WS_' || n % 3
    from generate_series(1, 10000) n`);
  await db.query(sql`
    insert into deliveries (channel_id, event_sequence, event_type, status, created_at, updated_at)
    select n % 7, n, 'transfer.created', (enum_range(null::delivery_status))[n % 4 + 1], at, at
    from generate_series(1, 10000) n cross join lateral (select '2024-01-01Z'::timestamptz + n * interval '1 minute' as at) t`);
  await createSealer(db)();
  await db.query(sql`vacuum analyze deliveries`);
  await db.query(sql`vacuum analyze audit_log`);
  await db.query(sql`vacuum analyze files`);
  await db.query(sql`vacuum analyze transfers`);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

async function planOf(declared: Served, shape: Parameters<typeof pageStatement>[2]): Promise<Plan> {
  const { text } = pageStatement(declared, declared.place.select, shape);
  const explain = trusted(`explain (generic_plan, format json) ${text}`);
  const [row] = await db.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(explain);
  return (row as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan; // EXPLAIN gives one row
}

/** What a plan does with the table that it must not: read it all, sort it, or fetch rows only to drop them. */
function faults(plan: Plan, table: string, isBounded = false, sorting = false): string[] {
  const type = plan['Node Type'];
  const isTable = plan['Relation Name'] === table;
  const here = isTable
    ? [
        ...(/^(Seq|Bitmap|Sample)/.test(type) ? [`${type} of ${table}`] : []),
        ...(sorting && !isBounded ? [`sort of ${table}`] : []),
        ...(plan.Filter === undefined ? [] : [`filter ${plan.Filter}`]),
      ]
    : [];
  const below = (plan.Plans ?? []).flatMap((child) =>
    faults(
      child,
      table,
      isBounded || type === 'Limit',
      /Sort$/.test(type) ? (isBounded ? sorting : true) : type === 'Limit' ? false : sorting,
    ),
  );
  return [...here, ...below];
}

function subsets<Value>(values: readonly Value[]): Value[][] {
  return values.reduce<Value[][]>((all, value) => all.concat(all.map((set) => [...set, value])), [[]]);
}

describe.each(tallied)('plans of $name', ({ declared, table }) => {
  it('read a page of every single order from its index alone, both ways, near and far', async () => {
    for (const field of Object.keys(declared.sortable)) {
      for (const direction of ['asc', 'desc'] as const) {
        for (const isFirst of [true, false]) {
          const plan = await planOf(declared, { sort: [{ field, direction }], filters: [], isFirst });
          expect([field, direction, isFirst, faults(plan, table)]).toEqual([field, direction, isFirst, []]);
        }
      }
    }
  });

  it('read a page in the order of a tally from an index, whatever of its dimensions is filtered by', async () => {
    for (const { dimensions, time } of declared.tallies ?? []) {
      const names = Object.values(dimensions).filter((each) => typeof each === 'string');
      for (const filters of subsets(names)) {
        for (const isFirst of [true, false]) {
          const sort = [{ field: time, direction: 'desc' as const }];
          const plan = await planOf(declared, { sort, filters, isFirst });
          expect([time, filters, isFirst, faults(plan, table)]).toEqual([time, filters, isFirst, []]);
        }
      }
    }
  });
});

describe('transfers by their reference', () => {
  it('are found, counted and put in the default order by one index', async () => {
    for (const isFirst of [true, false]) {
      const shape = { sort: [transfers.defaultSort], filters: ['reference'], isFirst };
      expect(faults(await planOf(transfers, shape), 'transfers')).toEqual([]);
    }
  });
});

describe('the middle page', () => {
  const rows = 20_000;
  const spreadSeconds = { years: 3 * 365 * 86_400, hour: 3600, minute: 60 };
  type Analyzed = Omit<Plan, 'Plans'> & { 'Actual Rows': number; 'Actual Loops': number; Plans?: Analyzed[] };

  async function fill(name: string, seconds: number): Promise<number> {
    const [workspace] = await db.query<{ id: number }>(
      sql`insert into workspaces (biz_id, institution_id, name) values (${name}, 1, ${name}) returning id`,
    );
    const id = workspace?.id ?? 0;
    await db.query(sql`
      insert into transfers (biz_id, workspace_id, mode, amount, currency, status, created_at, updated_at)
      select ${name} || n, ${id}, 'LIVE', 1.00, 'EUR', 'PENDING', at, at from generate_series(1, ${rows}::int) n
      cross join lateral (select '2022-02-02T02:02Z'::timestamptz + n * ${seconds / rows}::float8 * interval '1 second' as at) t`);
    return id;
  }

  const entriesOf = (plan: Analyzed): number =>
    (plan['Relation Name'] === 'transfers' ? plan['Actual Rows'] * plan['Actual Loops'] : 0) +
    (plan.Plans ?? []).reduce((sum, child) => sum + entriesOf(child), 0);

  /** Entries of indexes that the statement reads, and pages of the database that it and its functions touch. */
  async function costOf(workspaceId: number) {
    const shape = { sort: [transfers.defaultSort], filters: [], isFirst: false };
    const { text, bind } = prepareOnce(pageStatement(transfers, transfers.place.select, shape), 'brief');
    const values = bind(
      bagOf({ place: { workspaceId, mode: 'LIVE' }, filter: {}, page: { offset: rows / 2, size: 20 } }),
    );
    const session = await openSession(database);
    await session.query(text, values); // what is read to plan is not counted
    const explained = await session.query(`explain (analyze, buffers, format json) ${text}`, values);
    await session.end();
    const plan = explained.rows[0]['QUERY PLAN'][0].Plan;
    return { entries: entriesOf(plan), pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] };
  }

  it('of rows of one hour or one minute reads few entries, and at most three times what it reads of three years', async () => {
    const ids = await Promise.all(Object.entries(spreadSeconds).map((spread) => fill(...spread)));
    await createFolder(db)();
    for (const table of ['transfers', 'tally_buckets', 'tally_deltas', 'tally_totals'])
      await db.query(sql`vacuum analyze ${trusted(table)}`);
    const [years, ...dense] = await Promise.all(ids.map(costOf));
    for (const cost of dense) {
      expect(cost.entries).toBeLessThan(1100);
      expect(cost.pages).toBeLessThan(3 * (years?.pages ?? 0));
    }
  });
});
