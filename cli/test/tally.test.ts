import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../server/src/db/database.ts';
import { verifyTally } from '../../server/src/db/tally.ts';
import { createDatabase, openSession, type TestDatabase } from '../../server/test/database.ts';
import { buildOnce, freePort } from '../../server/test/service-process.ts';
import { type Outcome, Person } from './harness.ts';

type Session = Awaited<ReturnType<typeof openSession>>;

let person: Person;
let database: TestDatabase;
let client: Session;

beforeAll(() => {
  buildOnce();
  person = new Person();
});
afterAll(() => person.remove());
beforeEach(async () => {
  database = await createDatabase();
  client = await openSession(database);
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const run = (...args: string[]): Promise<Outcome> =>
  person.perform(['tally', ...args], { env: { DATABASE_URL: database.url } });

async function numberOf(statement: string): Promise<number> {
  const { rows } = await client.query<{ n: string }>(`select (${statement}) as n`);
  return Number(rows[0]?.n);
}

/** The other columns are as in any row of the demo world. */
const insertFiles = (count: number, tag: string) => `
  insert into files (biz_id, institution_id, workspace_id, bucket, object_key, original_filename, file_size, content_type,
    category, status, etag, created_at, created_by)
  select '${tag}_' || i, f.institution_id, f.workspace_id, f.bucket, '${tag}_' || i, f.original_filename, f.file_size,
    f.content_type, f.category, f.status, f.etag, '2024-02-03T04:00Z'::timestamptz + i * interval '1 minute', f.created_by
  from (select * from files where deleted_at is null order by id limit 1) f, generate_series(1, ${count}) i`;

const fold = () => client.query('select tally_fold(1000000)');
/** More rows than a total without buckets has. */
const deepen = async () => {
  await client.query(insertFiles(1500, 'FILE_DEEP'));
  await fold();
  while ((await numberOf('select tally_grow()::int')) > 0);
};

async function exactLine(name: string, counted: string, table = name): Promise<string> {
  const rows = await numberOf(`select count(*) from ${table} where ${counted}`);
  const totals = `select count(*) from tally_totals where tally = '${name}'`;
  const buckets = `select count(*) from tally_buckets b join tally_totals t on t.id = b.total_id where t.tally = '${name}'`;
  return `${name}: ${rows} rows, ${await numberOf(`(${totals}) + (${buckets})`)} counts, all exact\n`;
}

/** One table is counted twice: by when its rows were made, and by when they changed. */
const transferLines = async () => [
  await exactLine('transfers', 'true'),
  await exactLine('transfers_updated', 'true', 'transfers'),
];

const exact = async (): Promise<Outcome> => {
  const lines = [
    await exactLine('audit_log', 'workspace_id is not null'),
    await exactLine('deliveries', 'true'),
    await exactLine('files', 'deleted_at is null'),
    ...(await transferLines()),
  ];
  return { code: 0, stdout: lines.join(''), stderr: '' };
};

const complaint = 'portico: wrong counts in files: portico tally rebuild counts anew\n';

describe('portico tally verify', () => {
  it('finds the demo world exact, with deltas waiting and after they were folded', async () => {
    expect(await numberOf('select count(*) from tally_deltas')).toBeGreaterThan(0);
    expect(await run('verify')).toEqual(await exact());
    await fold();
    expect(await numberOf('select count(*) from tally_deltas')).toBe(0);
    expect(await numberOf('select count(*) from tally_totals')).toBeGreaterThan(0);
    expect(await run('verify')).toEqual(await exact());
  });

  it('finds buckets exact, and one tally when it is named', async () => {
    await deepen();
    expect(await numberOf('select count(*) from tally_buckets')).toBeGreaterThan(0);
    const line = await exactLine('files', 'deleted_at is null');
    expect(await run('verify', '--name', 'files')).toEqual({ code: 0, stdout: line, stderr: '' });
  });

  it('finds a total that was changed, says whose it is, and exits with 1', async () => {
    await fold();
    const { rows } = await client.query<{ scope: string[]; n: string }>(
      `update tally_totals set n = n + 7 where id = (select id from tally_totals
       where tally = 'files' and dims = array[null, null, 'ACTIVE'] limit 1) returning scope, n`,
    );
    const [total] = rows;
    const files = await numberOf('select count(*) from files where deleted_at is null');
    const { code, stdout, stderr } = await run('verify');
    expect([code, stderr]).toEqual([1, complaint]);
    const [first, second, headline, header, row, ...rest] = stdout.split('\n');
    expect(`${first}\n`).toBe(await exactLine('audit_log', 'workspace_id is not null'));
    expect(`${second}\n`).toBe(await exactLine('deliveries', 'true'));
    expect(headline).toMatch(new RegExp(`^files: ${files} rows, \\d+ counts, 1 wrong$`));
    expect(header?.split(/ {2,}/)).toEqual(['scope', 'dims', 'level', 'start', 'counted', 'tallied']);
    const tallied = Number(total?.n);
    expect(row?.trim().split(/ {2,}/)).toEqual([
      total?.scope.join(', '),
      'any, any, ACTIVE',
      'total',
      '-',
      `${tallied - 7}`,
      `${tallied}`,
    ]);
    expect(rest.join('\n')).toBe((await transferLines()).join(''));
  });

  it('finds a bucket that was changed, with its length and start', async () => {
    await deepen();
    await client.query(
      `update tally_buckets set n = n - 2 where level = 2 and start = '2024-02-03T00:00Z' and total_id = (
       select id from tally_totals where tally = 'files' and dims = array[null, null, null]::text[] and n > 1000)`,
    );
    const { code, stdout, stderr } = await run('verify', '--name', 'files', '--json');
    expect([code, stderr]).toEqual([1, complaint]);
    const [report] = JSON.parse(stdout);
    expect(report).toMatchObject({ name: 'files', wrong: 1 });
    const [{ counted, tallied, ...where }] = report.shown;
    expect(where).toMatchObject({ dims: [null, null, null], level: 'day', start: '2024-02-03T00:00:00Z' });
    expect(counted - tallied).toBe(2);
  });

  it('counts the rows there are also when no trigger saw them, and shows 20 wrong counts of many', async () => {
    await fold();
    await client.query(
      `begin; set local session_replication_role = replica; ${insertFiles(30, 'FILE_UNSEEN')}; commit`,
    );
    await client.query(`update tally_totals set n = n + 1 where tally = 'files'`);
    const files = await numberOf('select count(*) from files where deleted_at is null');
    const { code, stdout } = await run('verify', '--name', 'files');
    const [headline = '', ...lines] = stdout.trimEnd().split('\n');
    const [, rows, wrong] = /^files: (\d+) rows, \d+ counts, (\d+) wrong$/.exec(headline) ?? [];
    expect([code, Number(rows)]).toEqual([1, files]);
    expect(lines).toHaveLength(1 + 20 + 1);
    expect(lines.at(-1)).toBe(`and ${Number(wrong) - 20} more`);
  });
});

/** Each inserts, moves rows between dimensions and times, and deletes, again and again; the first also folds. */
async function startWriters(count: number) {
  const clients = await Promise.all(Array.from({ length: count }, () => openSession(database)));
  let isOver = false;
  let rounds = 0;
  const write = async (writer: Session, index: number) => {
    for (let round = 0; !isOver; round++) {
      const tag = `FILE_W${index}_${round}`;
      await writer.query(insertFiles(20, tag));
      await writer.query(`update files set status = 'ARCHIVED', created_at = created_at + interval '9 days'
        where biz_id in ('${tag}_1', '${tag}_2', '${tag}_3')`);
      await writer.query(`delete from files where biz_id in ('${tag}_3', '${tag}_4')`);
      if (index === 0) await writer.query('select tally_fold(100), tally_grow()');
      rounds++;
    }
  };
  const writing = Promise.all(clients.map(write));
  const stop = async () => {
    isOver = true;
    await writing;
    await Promise.all(clients.map((each) => each.end()));
  };
  return { rounds: () => rounds, stop };
}

describe('portico tally rebuild', () => {
  it('mends totals and buckets, and prints rows and time', async () => {
    await deepen();
    await client.query(
      `update tally_totals set n = n + 1; update tally_buckets set n = n + 1; delete from tally_totals where dims[1] is not null`,
    );
    await client.query(insertFiles(10, 'FILE_WAITING'));
    expect((await run('verify')).code).toBe(1);
    const { code, stdout, stderr } = await run('rebuild');
    const files = await numberOf('select count(*) from files where deleted_at is null');
    const transfers = await numberOf('select count(*) from transfers');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      new RegExp(
        `^audit_log: \\d+ rows counted anew in \\d+\\.\\d s\\ndeliveries: 0 rows counted anew in \\d+\\.\\d s\\nfiles: ${files} rows counted anew in \\d+\\.\\d s\\ntransfers: ${transfers} rows counted anew in \\d+\\.\\d s\\ntransfers_updated: ${transfers} rows counted anew in \\d+\\.\\d s\\n$`,
      ),
    );
    expect(await run('verify')).toEqual(await exact());
  });

  it('rebuilds only the tally that is named', async () => {
    await fold();
    await client.query('update tally_totals set n = n + 1');
    const { code, stdout } = await run('rebuild', '--name', 'files', '--json');
    const rows = await numberOf('select count(*) from files where deleted_at is null');
    expect([code, JSON.parse(stdout)]).toEqual([0, [{ name: 'files', rows, seconds: expect.any(Number) }]]);
    expect((await run('verify', '--name', 'files')).code).toBe(0);
    expect((await run('verify', '--name', 'transfers')).code).toBe(1);
  });

  it('does not wait for a writer in a transaction, whose rows are counted when they are committed', async () => {
    await fold();
    await client.query(`begin; ${insertFiles(5, 'FILE_OPEN')}; delete from transfers where id % 2 = 0`);
    expect((await run('rebuild')).code).toBe(0);
    await client.query('commit');
    expect(await run('verify')).toEqual(await exact());
  });

  it('leaves the tally exact while writers insert, move and delete, and folding goes on', async () => {
    await deepen();
    await client.query('update tally_totals set n = n + 1; update tally_buckets set n = n + 1');
    const writers = await startWriters(5);
    try {
      for (let round = 0; round < 3; round++) {
        const before = writers.rounds();
        expect(await run('rebuild', '--name', 'files')).toMatchObject({ code: 0, stderr: '' });
        expect(writers.rounds()).toBeGreaterThan(before);
      }
    } finally {
      await writers.stop();
    }
    const db = openDatabase(database.connection, { isPatient: true });
    expect(await verifyTally(db, 'files')).toEqual([]);
    await db.close();
    const line = await exactLine('files', 'deleted_at is null');
    expect(await run('verify', '--name', 'files')).toEqual({ code: 0, stdout: line, stderr: '' });
  });
});

describe.each(['verify', 'rebuild'])('portico tally %s is told in one line', (command) => {
  const refused = async (env: Record<string, string>, ...args: string[]) => {
    const outcome = await person.run(['tally', command, ...args], { env });
    expect(outcome.stderr).toMatch(/^portico: .+\n$/);
    expect(outcome.stdout).toBe('');
    return outcome;
  };

  it('that there is no such tally', async () => {
    const near = await refused({ DATABASE_URL: database.url }, '--name', 'file');
    expect([near.code, near.stderr]).toEqual([2, 'portico: there is no tally file: did you mean files?\n']);
    const far = await refused({ DATABASE_URL: database.url }, '--name', 'constructor');
    expect(far.stderr).toBe(
      'portico: there is no tally constructor: one of audit_log, deliveries, files, transfers, transfers_updated\n',
    );
  });

  it('that the database is not migrated, which it then still is not', async () => {
    const empty = await createDatabase('template0');
    const { code, stderr } = await refused({ DATABASE_URL: empty.url });
    expect([code, stderr]).toEqual([
      2,
      'portico: the database has no tally: start the server once, which migrates it\n',
    ]);
    const look = await openSession(empty);
    const { rowCount } = await look.query(
      `select 1 from pg_class where relnamespace = 'public'::regnamespace`,
    );
    await look.end();
    expect(rowCount).toBe(0);
    await empty.drop();
  });

  it('that there is no connection', async () => {
    const { code, stderr } = await refused({
      DATABASE_URL: `postgres://u:hunter2@127.0.0.1:${await freePort()}/x`,
    });
    expect([code, stderr]).toEqual([3, expect.stringMatching(/database unavailable: .*ECONNREFUSED/)]);
    expect(stderr).not.toContain('hunter2');
  });

  it('that the password is wrong, without repeating it', async () => {
    const url = new URL(database.url);
    url.password = 'hunter2';
    const { code, stderr } = await refused({ DATABASE_URL: url.href });
    expect([code, stderr]).toEqual([2, expect.stringContaining('password authentication failed')]);
    expect(stderr).not.toContain('hunter2');
  });

  it('that the address is none', async () => {
    const { code, stderr } = await refused({ DATABASE_URL: 'mysql://localhost/portico' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('DATABASE_URL: must be a URL')]);
  });
});
