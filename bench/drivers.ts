import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { openDatabase } from '../server/src/db/database.ts';
import { migrate } from '../server/src/db/migrate.ts';
import { loadDemoWorld } from '../server/src/demo/demo-world.ts';
import { institutionFiles } from '../server/src/resources/files/collection.ts';
import { openUnread } from './unread.ts';
import { median, startDatabase } from './world.ts';

/** Which driver and which form of result cost the least processor time, for the page of files as one statement. */
const concurrency = 64;
const rounds = 5;
const roundMs = 500;
const connections = 4;

type Row = Record<string, unknown>;
type Finish = (rows: Row[]) => Buffer;
type Sample = { node: number; postgres: number; rate: number };
type Run = { request(): Promise<Buffer>; close(): Promise<unknown> };
type Variant = { name: string; open(connection: pg.ClientConfig, max: number): Promise<Run> };

const columns = Object.entries(institutionFiles.columns).map(([field, { text }]) => [field, text] as const);
const time = `to_char(f.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const list = (createdAt: string) =>
  columns.map(([field, from]) => `${field === 'createdAt' ? createdAt : from} as "${field}"`).join(', ');
const member = `with m as materialized (select i.id from accounts a join institution_members im on im.account_id = a.id
  join institutions i on i.id = im.institution_id where a.biz_id = $1 and i.biz_id = $2)
  select (select c.total from file_counts c where c.institution_id = m.id) as total,`;
const page = `from files f where f.institution_id = m.id and f.deleted_at is null
  order by f.created_at desc, f.id desc limit $3 offset $4`;
const rowsOf = (createdAt: string) =>
  `${member} r.* from m left join lateral (select ${list(createdAt)} ${page}) r on true`;
const pageOf = (aggregate: string, inner: string) =>
  `${member} (select ${aggregate} from (select ${inner} ${page}) r)::text as page from m`;
const fields = columns.map(([field]) => `'${field}', r."${field}"`).join(', ');
const texts = {
  rows: rowsOf('f.created_at'),
  'rows, to_char': rowsOf(time),
  json_build_object: pageOf(`json_agg(json_build_object(${fields}))`, list(time)),
  row_to_json: pageOf('json_agg(row_to_json(r))', list(time)),
  'stored JSON': pageOf(`'[' || string_agg(r.doc, ',') || ']'`, 'f.doc'),
};
type Form = keyof typeof texts;

/** 400 files, a total by primary key, and each record's JSON beside it. */
const world = [
  `insert into files (biz_id, institution_id, workspace_id, bucket, object_key, original_filename, file_size,
    content_type, category, status, etag, remark, created_at, created_by)
  select 'FILX_' || n, 1, 1, bucket, object_key, original_filename, file_size, content_type, category, status, etag,
    remark, created_at + interval '3 years', created_by
  from (select row_number() over (order by id) n, * from files where institution_id = 1 limit 150) f`,
  'create table file_counts (institution_id bigint primary key, total bigint not null)',
  'insert into file_counts select institution_id, count(*) from files group by 1',
  'alter table files add doc text',
  `update files f set doc = (select row_to_json(r)::text from (select ${list(time)}) r)`,
  'vacuum full analyze',
];

const values = ['ACC_DEMO_OWNER', 'INST_DEMO', '20', '0'];
const envelope = (content: string, total: unknown) =>
  Buffer.from(`{"data":{"content":${content},"totalElements":${total}}}`);
/** PostgreSQL's own text of a time in UTC with at most 3 digits of fraction. */
function isoTime(text: string): string {
  const end = text.length - 3;
  return `${text.slice(0, 10)}T${end === 19 ? `${text.slice(11, 19)}.000` : text.slice(11, end).padEnd(12, '0')}Z`;
}
const dateTime = (text: string) =>
  new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).toISOString();

const fromRows = (rows: Row[]) =>
  envelope(JSON.stringify(rows.map(({ total: _total, ...row }) => row)), rows[0]?.['total']);
const fromPage = (rows: Row[]) => envelope(String(rows[0]?.['page']), rows[0]?.['total']);

const settings = (connection: pg.ClientConfig, parseTime: (text: string) => string) => ({
  ...connection,
  query_timeout: 5000,
  options: '-c timezone=UTC -c datestyle=ISO',
  types: {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === 20 ? Number : oid === 1184 ? parseTime : pg.types.getTypeParser(oid, format),
  } as pg.CustomTypesConfig, // pg declares one overload per built-in type
});

function pooled(form: Form, finish: Finish, { named = true, parseTime = isoTime } = {}): Variant {
  const query = { text: texts[form], values, ...(named ? { name: form } : {}) };
  return {
    name: `pg pool, ${named ? 'named' : 'unnamed'}, ${form}${parseTime === isoTime ? '' : ', times by Date'}`,
    async open(connection, max) {
      const pool = new pg.Pool({ ...settings(connection, parseTime), max });
      return { request: async () => finish((await pool.query(query)).rows), close: () => pool.end() };
    },
  };
}

function pipelined(form: Form, finish: Finish): Variant {
  return {
    name: `pg pipeline, named, ${form}`,
    async open(connection, max) {
      const config = { ...settings(connection, isoTime), pipeline: true };
      const lanes = Array.from({ length: max }, () => ({ client: new pg.Client(config), waiting: 0 }));
      await Promise.all(lanes.map(({ client }) => client.connect()));
      const request = async () => {
        const lane = lanes.reduce((least, other) => (other.waiting < least.waiting ? other : least));
        lane.waiting += 1;
        const { rows } = await lane.client.query({ name: form, text: texts[form], values });
        lane.waiting -= 1;
        return finish(rows);
      };
      return { request, close: () => Promise.all(lanes.map(({ client }) => client.end())) };
    },
  };
}

/** The bytes of the page as they arrived, between those of the envelope. */
function unread(form: Form): Variant {
  return {
    name: `bytes unread, pipeline, named, ${form}`,
    async open(connection, max) {
      const config = settings(connection, isoTime);
      const lanes = await Promise.all(
        Array.from({ length: max }, () => openUnread(config, texts[form], values)),
      );
      const request = async () => {
        const lane = lanes.reduce((least, other) => (other.waiting() < least.waiting() ? other : least));
        const [total = '', page = ''] = await lane.request();
        const [head, tail] = ['{"data":{"content":', `,"totalElements":${total}}}`];
        const answer = Buffer.allocUnsafe(head.length + page.length + tail.length);
        answer.write(head, 'latin1');
        answer.set(page as Buffer, head.length);
        answer.write(tail, head.length + page.length, 'latin1');
        return answer;
      };
      return { request, close: () => Promise.all(lanes.map(({ close }) => close())) };
    },
  };
}

/** Processor time of each process of the database in µs, by id: those that end meanwhile must not count as negative. */
function backendTimes(postmaster: string): Map<string, number> {
  const times = new Map<string, number>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      if (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] !== postmaster) continue;
      times.set(pid, Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000);
    } catch {} // it has ended
  }
  return times;
}

async function load(request: Run['request'], ms: number): Promise<number> {
  const end = performance.now() + ms;
  let done = 0;
  const worker = async () => {
    for (; performance.now() < end; done += 1) await request();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return done;
}

const variants = [
  pooled('rows', fromRows, { named: false, parseTime: dateTime }),
  pooled('row_to_json', fromPage, { named: false }),
  pooled('rows', fromRows, { parseTime: dateTime }),
  pooled('rows', fromRows),
  pooled('rows, to_char', fromRows),
  pooled('json_build_object', fromPage),
  pooled('row_to_json', fromPage),
  pooled('stored JSON', fromPage),
  pipelined('rows', fromRows),
  pipelined('row_to_json', fromPage),
  pipelined('stored JSON', fromPage),
  unread('row_to_json'),
  unread('stored JSON'),
];
const cells = variants.map((variant) => ({ variant, samples: [] as Sample[] }));
const database = await startDatabase();
try {
  const { connection } = database;
  await migrate(connection);
  const db = openDatabase(connection);
  await loadDemoWorld(db, Date.now());
  await db.close();
  const admin = new pg.Client(connection);
  await admin.connect();
  for (const statement of world) await admin.query(statement);
  const { rows } = await admin.query<{ pid: string }>(
    `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid`,
  );
  await admin.end();
  let expected: string | undefined;
  for (let round = -1; round < rounds; round += 1) {
    for (const { variant, samples } of cells) {
      const run = await variant.open(connection, connections);
      const answer = JSON.stringify(JSON.parse((await run.request()).toString()));
      expected ??= answer;
      if (answer !== expected) throw new Error(`${variant.name} answers otherwise: ${answer}`);
      await load(run.request, roundMs / 2);
      const [before, own, start] = [backendTimes(rows[0]?.pid ?? ''), process.cpuUsage(), performance.now()];
      const done = await load(run.request, roundMs);
      const [seconds, { user, system }] = [(performance.now() - start) / 1000, process.cpuUsage(own)];
      let spent = 0;
      for (const [pid, us] of backendTimes(rows[0]?.pid ?? '')) spent += us - (before.get(pid) ?? 0);
      await run.close();
      if (round >= 0)
        // the round before warms up
        samples.push({ node: (user + system) / done, postgres: spent / done, rate: done / seconds });
    }
  }
  const base = cells[0]?.samples ?? [];
  /** The value, and the median of its ratios to the first line, each within one round. */
  const cell = (samples: Sample[], key: keyof Sample) =>
    `${Math.round(median(samples.map((s) => s[key])))} | ${median(samples.map((s, at) => s[key] / (base[at]?.[key] ?? 1))).toFixed(2)}`;
  const lines = cells.map(
    ({ variant, samples }) =>
      `| ${variant.name} | ${cell(samples, 'node')} | ${cell(samples, 'postgres')} | ${cell(samples, 'rate')} |`,
  );
  process.stdout.write(
    `page of 20 of 400 files, ${concurrency} at once on ${connections} connections, median of ${rounds} interleaved rounds of ${roundMs} ms\n\n` +
      `| driver and form | node µs | × | PostgreSQL µs | × | requests/s | × |\n|---|---|---|---|---|---|---|\n${lines.join('\n')}\n`,
  );
} finally {
  await database.stop();
}
