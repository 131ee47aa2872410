import pg from 'pg';
import type { Sort } from '../../src/contract/page.ts';
import { pageStatement } from '../../src/contract/page-statement.ts';
import { bagOf } from '../../src/contract/page-values.ts';
import { prepareOnce } from '../../src/db/sql.ts';
import { institutionFiles } from '../../src/resources/files/collection.ts';
import type { Connection } from '../global-setup.ts';
import { type Random, someTime } from './writers.ts';

type Asked = { sort: Sort; offset: number; size: number; filters: Record<string, string> };

const columns: Record<string, string> = {
  createdAt: 'created_at',
  originalFilename: 'original_filename',
  fileSize: 'file_size',
  fileStatus: 'status',
};

function someQuestion(random: Random, total: number): Asked {
  const field = random(3) > 0 ? 'createdAt' : (Object.keys(columns)[random(4)] ?? 'createdAt');
  const filters: Record<string, string> = {};
  if (random(2) === 0) filters['workspaceBizId'] = ['WS_DEMO', 'WS_DEMO_2', 'WS_OTHER'][random(3)] ?? '';
  if (random(2) === 0) filters['fileCategory'] = 'IDENTITY_DOCUMENT';
  if (random(2) === 0) filters['fileStatus'] = 'ACTIVE';
  const direction = random(2) === 0 ? 'asc' : 'desc';
  return { sort: { field, direction }, offset: random(total + 20), size: 1 + random(30), filters };
}

async function answer(client: pg.Client, { sort, offset, size, filters }: Asked) {
  const shape = { sort: [sort], filters: Object.keys(filters), isFirst: offset === 0 };
  const { text, bind } = prepareOnce(
    pageStatement(institutionFiles, institutionFiles.place.select, shape),
    'brief',
  );
  const values = bagOf({
    place: { account: 'ACC_DEMO_OWNER', institution: 'INST_DEMO', mode: 'LIVE' },
    filter: filters,
    page: { offset, size },
  });
  const { rows } = await client.query({ text, values: bind(values) });
  const content: { bizId: string }[] = JSON.parse(rows[0].content ?? '[]');
  return { total: Number(rows[0].total), ids: content.map(({ bizId }) => bizId) };
}

/** The same by counting and by OFFSET. */
async function plainAnswer(client: pg.Client, { sort, offset, size, filters }: Asked) {
  const { workspaceBizId = null, fileCategory = null, fileStatus = null } = filters;
  const where = `institution_id = 1 and deleted_at is null and ($1::text is null or workspace_id = (select id from workspaces where biz_id = $1))
    and ($2::text is null or category::text = $2) and ($3::text is null or status::text = $3)`;
  const values = [workspaceBizId, fileCategory, fileStatus];
  const counted = await client.query(`select count(*)::int as total from files where ${where}`, values);
  const order = [columns[sort.field], 'created_at', 'id']
    .map((column) => `${column} ${sort.direction}`)
    .join(', ');
  const { rows } = await client.query(
    `select biz_id from files where ${where} order by ${order} limit ${size} offset ${offset}`,
    values,
  );
  return { total: counted.rows[0].total, ids: rows.map(({ biz_id }) => biz_id) };
}

/** How many rows a range of time has, by the tally and by counting. */
async function compareRange(client: pg.Client, random: Random) {
  const range = [someTime(random), someTime(random)];
  const { rows } = await client.query(
    `select (select total::int from tally_seek('files', '{1,LIVE}', '{null,null,null}', $1, $2, true, true, 0, 1)) as got,
      (select count(*)::int from files where institution_id = 1 and deleted_at is null and created_at >= $1 and created_at < $2) as expected`,
    range,
  );
  return rows[0].got === rows[0].expected ? [] : [{ range, ...rows[0] }];
}

/** Random pages and ranges beside what counting and OFFSET say, each pair in one snapshot. Gives the questions that were answered otherwise. */
export async function comparePages(connection: Connection, random: Random, isDone: () => boolean) {
  const client = new pg.Client(connection);
  await client.connect();
  const wrong: unknown[] = [];
  let compared = 0;
  for (let total = 250; !isDone() || compared < 20; compared += 1) {
    const asked = someQuestion(random, total);
    await client.query('begin isolation level repeatable read');
    const [got, expected] = [await answer(client, asked), await plainAnswer(client, asked)];
    wrong.push(...(await compareRange(client, random)));
    await client.query('commit');
    if (JSON.stringify(got) !== JSON.stringify(expected)) wrong.push({ asked, got, expected });
    total = Math.max(expected.total, 50);
  }
  await client.end();
  return { wrong, compared };
}
