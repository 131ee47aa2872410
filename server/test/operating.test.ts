import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { migrate } from '../src/db/migrate.ts';
import { createDatabase } from './database.ts';
import { openWorld, portalCall, signIn } from './world.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(`${root}docs/operating.md`, 'utf8');
const [addAccount = '', bindIdentity = ''] = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(
  ([, text]) => text,
);
const [, hashCommand = ''] = /```\n(node --input-type[\s\S]*?)```/.exec(page) ?? [];

describe('docs/operating.md', () => {
  it('adds a first account that signs in, in production, and makes a key', async () => {
    const hash = execFileSync('bash', ['-c', hashCommand], {
      cwd: root,
      input: 'correct horse\n',
      encoding: 'utf8',
    }).trim();
    const database = await createDatabase('template0');
    await migrate(database.connection);
    const client = new pg.Client(database.connection);
    await client.connect();
    await client.query(addAccount.replace('HASH', hash));
    await client.query(bindIdentity);
    await client.end();
    const world = await openWorld({ database });
    const token = await signIn(world, 'owner@acme.example', 'correct horse');
    const url = '/web/v1/workspaces/WS_ACME/api-keys';
    expect((await portalCall(world, token, { url, body: { name: 'first' } })).statusCode).toBe(201);
    await world.close();
    await database.drop();
  });
});
