import { isDeepStrictEqual } from 'node:util';
import { sql, trusted } from '../../src/db/sql.ts';
import type { Answer } from '../raw-http.ts';
import type { World } from '../world.ts';
import type { HostileRequest } from './requests.ts';

type Counts = Record<string, number>;
type KeyTexts = { name: string; scopes: string[]; ipWhitelist: string[] };

export async function countRows({ db }: World): Promise<Counts> {
  const tables = await db.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const counts: Counts = {};
  for (const { name } of tables) {
    const [row] = await db.query<{ count: number }>(
      sql`select count(*) as count from ${trusted(`"${name}"`)}`,
    );
    counts[name] = row?.count ?? 0;
  }
  return counts;
}

/** A second Host is told before anyone asks for the signature. */
const isHeadBroken = ({ onWire, headers }: HostileRequest) =>
  onWire && headers.some(([name]) => name === 'Host');

/** Taken, or refused for what it asks: all else is told before the nonce is claimed. */
function claimsNonce(request: HostileRequest, status: number, code: string): boolean {
  if (request.signer === undefined || isHeadBroken(request)) return false;
  // A HEAD is told no code; what is signed asks for endpoints that there are.
  if (code === '4040' || (request.method === 'HEAD' && status === 404)) return true;
  if (request.method === 'POST') return [201, 400, 409, 422].includes(status);
  return ['GET', 'HEAD'].includes(request.method) && [200, 400].includes(status);
}

/** Each leaves a record. */
const isWrite = ({ method, target }: HostileRequest) =>
  ['POST', 'PATCH', 'DELETE'].includes(method) &&
  /\/(workspaces\/.*\/(api-keys|members|invitations|transfers|notification-channels)|api\/v1\/transfers)(\/(?!.*\/simulate)|$|\?)/.test(
    target,
  );

const isKeyed = ({ method, headers }: HostileRequest) =>
  method === 'POST' && headers.some(([name]) => name === 'Idempotency-Key');

/** Signing in and out is written down too, and what is done to the own account; failures several in one record. */
const isSignIn = ({ target }: HostileRequest) => /\/auth\/|\/account(\/|$|\?)/.test(target);

const isOwnWrite = ({ method, target }: HostileRequest) =>
  ['POST', 'PATCH', 'DELETE'].includes(method) && target.includes('/web/v1/account');

/** An account or workspace keeps a bounded number of them, or records one for several: there may be fewer than the answers account for. */
const bounded = ['sign_ins', 'refresh_tokens', 'audit_waiting', 'second_factors', 'invitations'];

/** Records of commands are those of a workspace, and there is one for each. */
const commandRecords = 'audit_waiting of workspaces';

async function countLedger(world: World): Promise<Counts> {
  const [row] = await world.db.query<{ count: number }>(
    sql`select count(*) as count from audit_waiting where workspace_id is not null`,
  );
  return { ...(await countRows(world)), [commandRecords]: row?.count ?? 0 };
}

/** Rows that the answers account for; every other change in the database is a write nobody was told of. */
export async function openLedger(world: World) {
  const before = await countLedger(world);
  const added: Counts = { api_keys: 0, api_key_secrets: 0, sign_ins: 0, refresh_tokens: 0, api_nonces: 0 };
  const created = new Map<string, KeyTexts>();
  const add = (...tables: string[]) => {
    for (const table of tables) added[table] = (added[table] ?? 0) + 1;
  };

  return {
    created,
    /** Of rows that the test itself adds. */
    add,
    /** Gives what is wrong when the answer is not what the request asked to be written. */
    enter(request: HostileRequest, { status, headers, text }: Answer): string | undefined {
      if (headers['idempotent-replayed'] !== undefined) return undefined;
      const { data, code } = text === '' ? {} : JSON.parse(text);
      if (request.endpoint === 'login' && status === 200) add('sign_ins', 'refresh_tokens');
      if (request.endpoint === 'refresh' && status === 200) add('refresh_tokens');
      if (request.endpoint === 'device' && status === 200) add('device_codes');
      if (claimsNonce(request, status, code)) add('api_nonces');
      if (isWrite(request) && status < 300)
        add('audit_waiting', commandRecords, ...(isKeyed(request) ? ['idempotency_keys'] : []));
      if (isSignIn(request)) add('audit_waiting');
      if (isOwnWrite(request) && status < 300 && isKeyed(request)) add('idempotency_keys');
      if (request.endpoint === 'addFactor' && status === 200) add('second_factors');
      if (status !== 201) return undefined;
      const sent = JSON.parse(request.body?.toString() ?? '{}');
      if (request.endpoint === 'createInvitation') {
        add('invitations');
        return data.email === sent.email && data.role === sent.role ? undefined : 'not what was sent';
      }
      if (request.endpoint === 'createChannel') {
        add('channels');
        const { name, eventTypes, config } = data;
        const expected = { name: sent.name, eventTypes: sent.eventTypes, url: sent.config.url };
        return isDeepStrictEqual({ name, eventTypes, url: config.url }, expected)
          ? undefined
          : 'not what was sent';
      }
      if (['createTransfer', 'signedTransfer'].includes(request.endpoint)) {
        add('transfers', 'tally_deltas', 'tally_deltas');
        const { amount, currency, reference } = data;
        const expected = { amount: sent.amount, currency: sent.currency, reference: sent.reference ?? null };
        return isDeepStrictEqual({ amount, currency, reference }, expected) ? undefined : 'not what was sent';
      }
      add('api_keys', 'api_key_secrets');
      const { apiKeyId, name, scopes, ipWhitelist } = data;
      created.set(apiKeyId, { name, scopes, ipWhitelist });
      const expected = {
        name: sent.name,
        scopes: [...new Set(sent.scopes ?? [])],
        ipWhitelist: sent.ipWhitelist ?? [],
      };
      return isDeepStrictEqual({ name, scopes, ipWhitelist }, expected) ? undefined : 'not what was sent';
    },
    expectedCounts(current: Counts): Counts {
      const told = (table: string) => (before[table] ?? 0) + (added[table] ?? 0);
      const expected = (table: string, count: number) =>
        bounded.includes(table) ? Math.min(count, told(table)) : told(table);
      return Object.fromEntries(
        Object.entries(current).map(([table, count]) => [table, expected(table, count)]),
      );
    },
    currentCounts: () => countLedger(world),
    storedKeys: () =>
      world.db.query<KeyTexts & { id: string; secrets: number }>(sql`
        select k.id, k.name, k.scopes, k.ip_whitelist as "ipWhitelist",
          (select count(*) from api_key_secrets s where s.api_key_id = k.id) as secrets
        from api_keys k where k.id = any(${[...created.keys()]}::text[])`),
  };
}

export type Ledger = Awaited<ReturnType<typeof openLedger>>;
