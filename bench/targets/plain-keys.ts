import { randomBytes } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';

/** What one would write by hand: the key and its secret in one statement, no authentication, no log, nothing to repeat. */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
pool.on('error', () => {});

const { rows } = await pool.query<{ id: string; biz_id: string }>('select id, biz_id from workspaces');
const workspaces = new Map(rows.map(({ id, biz_id }) => [biz_id, id]));

const insert = `
  with key as (
    insert into api_keys (id, workspace_id, name, mode, scopes, ip_whitelist, created_at)
    values ($1, $2, $3, 'LIVE', $4, '{}', now()) returning id
  )
  insert into api_key_secrets (api_key_id, version, sealed) select id, 1, $5 from key`;

type Asked = { Params: { workspaceId: string }; Body: { name: string; scopes: string[] } };

const app = Fastify();

app.post<Asked>('/web/v1/workspaces/:workspaceId/api-keys', async ({ params, body }, reply) => {
  const apiKeyId = `ak_live_${randomBytes(16).toString('hex')}`;
  const secret = randomBytes(32);
  await pool.query({
    name: 'insert',
    text: insert,
    values: [apiKeyId, workspaces.get(params.workspaceId), body.name, body.scopes, secret],
  });
  reply.code(201);
  return { success: true, data: { apiKeyId, ...body, secret: secret.toString('base64url') } };
});

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
