import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createDatabase } from './database.ts';
import { buildOnce } from './service-process.ts';
import { openWorld, portalCall } from './world.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(`${root}docs/operating.md`, 'utf8');
const blocks = [...page.matchAll(/```\n(npx portico admin [\s\S]*?)```/g)].map(([, text = '']) => text);
const tool = `portico() { "${process.execPath}" "${root}cli/bin/portico.mjs" "$@"; }`;

describe('docs/operating.md', () => {
  it('begins in production on an empty database: the owner follows the link and makes a key', async () => {
    buildOnce();
    const database = await createDatabase('template0');
    const script = blocks.join('').replaceAll('npx portico', 'portico');
    const output = execFileSync('bash', ['--norc', '-euc', `${tool}\n${script}`], {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'production',
        DATABASE_URL: database.url,
        PORTICO_PUBLIC_URL: 'https://portal.acme.example',
      },
    });
    const links = /https:\/\/portal\.acme\.example\/(?:invitation|reset-password)#(\w{43})/g;
    const [first, second] = [...output.matchAll(links)].map(([, token]) => token);
    const world = await openWorld({ database });
    const accept = async (token: string | undefined) => {
      const body = { token, name: 'First Owner', password: 'correct horse' };
      return (await portalCall(world, undefined, { url: '/web/v1/invitations/accept', body })).json();
    };
    expect((await accept(first)).code).toBe('4040'); // the page then invites the owner anew
    const { accessToken } = (await accept(second)).data;
    const url = '/web/v1/workspaces/WS_ACME/api-keys';
    expect((await portalCall(world, accessToken, { url, body: { name: 'first' } })).statusCode).toBe(201);
    const accounts = JSON.parse(output.slice(output.indexOf('\n[{')));
    expect(accounts).toMatchObject([{ email: 'operations@boreal.example', name: 'Boreal Back Office' }]);
    await world.close();
    await database.drop();
  });

  it('tells of nothing to be done in SQL', () => {
    expect(page).not.toMatch(/\b(select|insert into|update \w+ set|delete from)\b.*|```sql/i);
  });
});
