import Fastify from 'fastify';
import type pg from 'pg';
import { openDatabase } from '../../server/src/db/database.ts';
import { Sql } from '../../server/src/db/sql.ts';

/** What one would write by hand: the statement of the service, no authentication, JSON.stringify. */
const statement: { strings: string[]; values: unknown[] } = JSON.parse(
  process.env['BENCH_STATEMENT'] ?? '{}',
);
const db = openDatabase(JSON.parse(process.env['BENCH_CONNECTION'] ?? '{}') as pg.PoolConfig);
const query = new Sql(statement.strings, statement.values);

const app = Fastify();
app.post('/web/v1/files/query/list', async () => {
  const rows = await db.query<{ total: number }>(query);
  const totalElements = rows[0]?.total ?? 0;
  const content = rows.map(({ total: _total, ...row }) => row);
  const data = { content, totalElements, totalPages: Math.ceil(totalElements / 20), size: 20, number: 0 };
  return { version: '1.0.0', timestamp: Date.now(), success: true, code: '2000', message: 'SUCCESS', data };
});
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
