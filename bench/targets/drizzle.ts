import jwt from '@fastify/jwt';
import { and, count, desc, eq, getTableColumns, isNull } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { bigint, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import Fastify from 'fastify';
import pg from 'pg';

/** What many would build today: Fastify, tokens by its own plugin (HS256), and Drizzle; a count and a page, both at once. */
const id = () => bigint('id', { mode: 'number' });
const institutions = pgTable('institutions', { id: id(), bizId: text('biz_id') });
const members = pgTable('institution_members', {
  accountId: bigint('account_id', { mode: 'number' }),
  institutionId: bigint('institution_id', { mode: 'number' }),
});
const files = pgTable('files', {
  id: id(),
  bizId: text('biz_id'),
  institutionId: bigint('institution_id', { mode: 'number' }),
  mode: text('mode'),
  bucket: text('bucket'),
  objectKey: text('object_key'),
  originalFilename: text('original_filename'),
  fileSize: bigint('file_size', { mode: 'number' }),
  contentType: text('content_type'),
  fileCategory: text('category'),
  fileStatus: text('status'),
  etag: text('etag'),
  remark: text('remark'),
  createdAt: timestamp('created_at', { withTimezone: true }),
  createdBy: text('created_by'),
  deletedAt: timestamp('deleted_at', { withTimezone: true }),
});
const {
  id: _id,
  institutionId: _institution,
  mode: _mode,
  deletedAt: _deleted,
  ...columns
} = getTableColumns(files);

const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  application_name: 'drizzle',
  max: 10,
});
// The database may end first.
pool.on('error', () => {});
const db = drizzle({ client: pool });

/** The institution, if the account is a member of it. */
async function institutionOf(accountId: number, bizId: string): Promise<number | null | undefined> {
  const [found] = await db
    .select({ id: institutions.id })
    .from(institutions)
    .innerJoin(members, eq(members.institutionId, institutions.id))
    .where(and(eq(institutions.bizId, bizId), eq(members.accountId, accountId)));
  return found?.id;
}

const app = Fastify();
await app.register(jwt, { secret: process.env['TOKEN_SECRET'] ?? '', verify: { algorithms: ['HS256'] } });

type Route = { Querystring: { page?: string; size?: string }; Body: { institutionBizId: string } };

app.post<Route>('/web/v1/files/query/list', async (request, reply) => {
  const { sub } = await request.jwtVerify<{ sub: string }>();
  const institutionId = await institutionOf(Number(sub), request.body.institutionBizId);
  if (institutionId == null) return reply.code(403).send();
  const [size, number] = [Number(request.query.size ?? 20), Number(request.query.page ?? 0)];
  const where = and(eq(files.institutionId, institutionId), eq(files.mode, 'LIVE'), isNull(files.deletedAt));
  const [content, [counted]] = await Promise.all([
    db
      .select(columns)
      .from(files)
      .where(where)
      .orderBy(desc(files.createdAt), desc(files.id))
      .limit(size)
      .offset(number * size),
    db.select({ total: count() }).from(files).where(where),
  ]);
  const totalElements = counted?.total ?? 0;
  const data = { content, size, number, totalElements, totalPages: Math.ceil(totalElements / size) };
  return {
    version: '1.0.0',
    timestamp: Date.now(),
    success: true,
    code: '2000',
    message: 'SUCCESS',
    data,
  };
});

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
