import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { call } from '../call.ts';
import { fillPopulations } from '../data.ts';
import { createPopulation, type Population } from '../populations.ts';
import { type BenchDatabase, createKey, type Key, signIn } from '../world.ts';

/** How much each of the two tenants has. */
export type Sizes = {
  victimRows: number;
  /** Over three years, of the attacker. */
  spreadRows: number;
  /** Within one hour, of the attacker. */
  denseRows: number;
  revokedKeys: number;
  /** Share of the attacker's accounts, keys and clients that take part: all of them but in a test. */
  crowd: number;
};

export type Victim = { institutionBizId: string; emails: string[]; key: Key };

/** What the attacker rightly has: accounts, keys and its own data. */
export type Arms = {
  port: number;
  institutionBizId: string;
  /** The first has the transfers and the LIVE keys, the second the TEST keys, the third the revoked ones. */
  workspaceBizIds: string[];
  emails: string[];
  /** Of accounts whose sign-ins may fail; those above are still needed. */
  sacrificed: string[];
  /** Headers of each account, signed in. */
  sessions: Record<string, string>[];
  liveKeys: Key[];
  testKeys: Key[];
  rows: number;
  denseMiddle: number;
  /** First pages a second that the service answers when it is asked by few at once. */
  capacity: number;
};

const victimAccounts = 12;
const attackerAccounts = 50;
const sacrificedAccounts = 10;
const keysMax = 50;

/** Accounts with the password of the demo world, members of the institution and VIEWER of its workspaces. */
async function seat(db: pg.Pool, { name, institutionId }: Population, count: number): Promise<string[]> {
  const { rows } = await db.query<{ email: string }>(
    `with people as (insert into accounts (biz_id, email, name, password_hash)
        select 'ACC_' || $1 || '_' || n, lower($1) || '-' || n || '@bench.test', $1, password_hash
        from accounts, generate_series(1, $2::int) n where email = 'owner@demo.test' returning id, email),
      seats as (insert into institution_members (account_id, institution_id) select id, $3 from people),
      roles as (insert into workspace_members (account_id, workspace_id, role)
        select people.id, w.id, 'VIEWER' from people, workspaces w where w.institution_id = $3)
    select email from people`,
    [name, count, institutionId],
  );
  return rows.map(({ email }) => email);
}

async function createKeys(port: number, mode: 1 | 2, count: number, workspaceBizId = ''): Promise<Key[]> {
  const keys: Key[] = [];
  while (keys.length < count) keys.push(await createKey(port, mode, workspaceBizId));
  return keys;
}

const keptMax = 200;
const sweepSecondsMax = 300;

/**
 * One is revoked through the API, and then copied as it is, as if by a version that kept them all. Then the service deletes
 * what is too much, which it does within minutes: more than is kept cannot come about by calls.
 */
async function revokeMany(db: pg.Pool, port: number, workspaceBizId: string, count: number): Promise<void> {
  const { apiKeyId } = await createKey(port, 1, workspaceBizId);
  await call(port, {
    method: 'POST',
    path: `/web/v1/workspaces/${workspaceBizId}/api-keys/${apiKeyId}/revoke`,
    headers: await signIn(port),
    body: '{}',
  });
  await db.query(
    `insert into api_keys select (jsonb_populate_record(k, jsonb_build_object('id', left(k.id, 18) || lpad(n::text, 16, '0')))).*
    from api_keys k, generate_series(1, $2::int) n where k.id = $1`,
    [apiKeyId, count],
  );
  const begun = performance.now();
  const left = async () => {
    const { rows } = await db.query<{ count: number }>(
      `select count(*)::int as count from api_keys where status = 'REVOKED'`,
    );
    return rows[0]?.count ?? 0;
  };
  while ((await left()) > keptMax) {
    if (performance.now() - begun > sweepSecondsMax * 1000) throw new Error('revoked keys are not deleted');
    await sleep(500);
  }
  await db.query('vacuum (analyze) api_keys');
}

export async function buildTenants(
  database: BenchDatabase,
  port: number,
  sizes: Sizes,
): Promise<{ victim: Victim; arms: Arms; seconds: number }> {
  const { admin } = database;
  const { victimRows, spreadRows, denseRows, revokedKeys, crowd } = sizes;
  const quiet = await createPopulation(admin, victimRows, { name: 'VICTIM' });
  const spread = await createPopulation(admin, spreadRows, { name: 'ATTACKER' });
  const dense = { ...spread, name: 'ATTACKER_DENSE', rows: denseRows, spreadSeconds: 3600 };
  const begun = performance.now();
  await fillPopulations(database, [quiet, spread, dense]);
  const { institutionBizId, workspaceBizIds } = spread;
  await revokeMany(admin, port, workspaceBizIds[2] ?? '', revokedKeys);
  const keys = Math.ceil(keysMax * crowd);
  const emails = await seat(admin, spread, Math.ceil(attackerAccounts * crowd) + sacrificedAccounts);
  const arms: Arms = {
    port,
    ...{ institutionBizId, workspaceBizIds },
    emails: emails.slice(sacrificedAccounts),
    sacrificed: emails.slice(0, sacrificedAccounts),
    sessions: [],
    liveKeys: await createKeys(port, 1, keys, workspaceBizIds[0]),
    testKeys: await createKeys(port, 2, keys, workspaceBizIds[1]),
    rows: spreadRows + denseRows,
    // The hour is the first of the three years, and lists begin with the newest.
    denseMiddle: spreadRows + Math.floor(denseRows / 2),
    capacity: 0,
  };
  const victim = {
    institutionBizId: quiet.institutionBizId,
    emails: await seat(admin, quiet, victimAccounts),
    key: await createKey(port, 1, quiet.workspaceBizIds[0]),
  };
  return { victim, arms, seconds: (performance.now() - begun) / 1000 };
}

export async function signInAll(port: number, emails: readonly string[]): Promise<Arms['sessions']> {
  const sessions: Arms['sessions'] = [];
  for (const email of emails) sessions.push(await signIn(port, email));
  return sessions;
}
