import Fastify from 'fastify';
import pg from 'pg';

/**
 * What one would write by hand: a count and a page with an offset, both at once, no authentication. Identities of
 * institutions and workspaces are in memory, so that the planner sees them as values.
 */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  application_name: 'count-offset',
  max: 10,
});
// The database may end first.
pool.on('error', () => {});

async function idsOf(table: string): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ id: number; biz_id: string }>(`select id, biz_id from ${table}`);
  return new Map(rows.map(({ id, biz_id }) => [biz_id, id]));
}
const [institutions, workspaces] = await Promise.all([idsOf('institutions'), idsOf('workspaces')]);

const categories: Record<number, string> = { 8: 'INVOICE' };
const statuses: Record<number, string> = { 1: 'ACTIVE' };
const sortable: Record<string, string> = {
  createdAt: 'created_at',
  originalFilename: 'original_filename',
  fileSize: 'file_size',
  contentType: 'content_type',
  fileCategory: 'category',
  fileStatus: 'status',
};

type Query = { page?: string; size?: string; sort?: string; workspaceBizId?: string };
type Body = {
  institutionBizId: string;
  workspaceBizId?: string;
  fileCategory?: number;
  fileStatus?: number;
};
type Selection = { columns: string; table: string; conditions: string[]; values: unknown[] };

async function selectPage({ columns, table, conditions, values }: Selection, query: Query) {
  const [size, number] = [Number(query.size ?? 20), Number(query.page ?? 0)];
  const [field = '', direction = ''] = (query.sort ?? 'createdAt,desc').split(',');
  const way = direction === 'asc' ? 'asc' : 'desc';
  const where = `from ${table} where ${conditions.join(' and ')}`;
  const limit = `limit $${values.length + 1} offset $${values.length + 2}`;
  const [counted, page] = await Promise.all([
    pool.query<{ total: number }>(`select count(*) as total ${where}`, values),
    pool.query(
      `select ${columns} ${where} order by ${sortable[field]} ${way}, created_at ${way}, id ${way} ${limit}`,
      [...values, size, number * size],
    ),
  ]);
  const totalElements = counted.rows[0]?.total ?? 0;
  const meta = { size, number, totalElements, totalPages: Math.ceil(totalElements / size) };
  return { content: page.rows, meta };
}

const envelope = (data: object) => ({
  version: '1.0.0',
  timestamp: Date.now(),
  success: true,
  code: '2000',
  message: 'SUCCESS',
  data,
});

const fileColumns = `biz_id as "bizId", bucket, object_key as "objectKey", original_filename as "originalFilename",
  file_size as "fileSize", content_type as "contentType", category as "fileCategory", status as "fileStatus", etag, remark,
  created_at as "createdAt", created_by as "createdBy"`;
const transferColumns = `biz_id as "transferId", amount, currency, status, created_at as "createdAt", updated_at as "updatedAt", reference`;

const app = Fastify();

app.post<{ Querystring: Query; Body: Body }>('/web/v1/files/query/list', async ({ query, body }) => {
  const values: unknown[] = [institutions.get(body.institutionBizId)];
  const conditions = ['institution_id = $1', `mode = 'LIVE'`, 'deleted_at is null'];
  const filters = {
    workspace_id: body.workspaceBizId && workspaces.get(body.workspaceBizId),
    category: body.fileCategory && categories[body.fileCategory],
    status: body.fileStatus && statuses[body.fileStatus],
  };
  for (const [column, value] of Object.entries(filters))
    if (value !== undefined) conditions.push(`${column} = $${values.push(value)}`);
  const { content, meta } = await selectPage(
    { columns: fileColumns, table: 'files', conditions, values },
    query,
  );
  return envelope({ content, ...meta });
});

app.get<{ Querystring: Query }>('/api/v1/transfers', async ({ query }) => {
  const values = [workspaces.get(query.workspaceBizId ?? ''), 'LIVE'];
  const conditions = ['workspace_id = $1', 'mode = $2'];
  const { content, meta } = await selectPage(
    { columns: transferColumns, table: 'transfers', conditions, values },
    query,
  );
  return envelope({ content, page: meta });
});

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
