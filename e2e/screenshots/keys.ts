import { join } from 'node:path';
import { openDatabase, type Queryable } from '../../server/src/db/database.ts';
import { borrowEmbeddedPostgres } from '../../server/src/db/embedded/borrow.ts';
import { sql } from '../../server/src/db/sql.ts';

/** Of every picture: when they are taken, as the demo world is dated from then, too. */
export const pictureTime = new Date();

/** Times below are of this moment, and move with it. */
const writtenMs = Date.parse('2026-01-15T09:30:00Z');
const moved = (time: string | undefined) =>
  time === undefined ? null : new Date(Date.parse(time) - writtenMs + pictureTime.getTime()).toISOString();

type Picture = {
  id: string;
  name: string;
  mode: 'LIVE' | 'TEST';
  status?: 'ACTIVE' | 'DISABLED' | 'REVOKED';
  scopes: string[];
  networks?: string[];
  createdAt: string;
  usedAt?: string;
  expiresAt?: string;
  isRotating?: boolean;
};

const keys: Picture[] = [
  {
    id: 'ak_live_01KEY2Q4M7T9V3X5Z8B1D6F0GH',
    name: 'Settlement service',
    mode: 'LIVE',
    scopes: ['transfers:read', 'files:read'],
    networks: ['203.0.113.0/24', '2001:db8::/32'],
    createdAt: '2025-11-03T14:05:00Z',
    usedAt: '2026-01-15T09:28:00Z',
  },
  {
    id: 'ak_live_01KD9H2R5W8Y1A4C7E0G3J6MKN',
    name: 'Data warehouse',
    mode: 'LIVE',
    scopes: ['files:read'],
    networks: ['198.51.100.17'],
    createdAt: '2025-09-18T08:40:00Z',
    usedAt: '2026-01-15T06:00:00Z',
    isRotating: true,
  },
  {
    id: 'ak_test_01KF3N6P9S2V5X8Z1B4D7F0HJK',
    name: 'Integration tests',
    mode: 'TEST',
    scopes: ['transfers:read', 'files:read', 'channel-types:read'],
    createdAt: '2026-01-12T16:20:00Z',
    usedAt: '2026-01-14T22:10:00Z',
  },
  {
    id: 'ak_test_01KE7T0V3X6Z9B2D5F8H1K4MNP',
    name: 'Local development',
    mode: 'TEST',
    status: 'DISABLED',
    scopes: ['transfers:read'],
    createdAt: '2025-12-02T10:00:00Z',
    usedAt: '2025-12-19T15:45:00Z',
  },
  {
    id: 'ak_live_01JX5B8D1F4H7K0M3P6R9T2VWX',
    name: 'Pilot',
    mode: 'LIVE',
    scopes: ['transfers:read'],
    createdAt: '2025-06-10T09:00:00Z',
    usedAt: '2025-12-30T11:15:00Z',
    expiresAt: '2026-01-01T00:00:00Z',
  },
  {
    id: 'ak_live_01JP1D4F7H0K3M6P9R2T5V8XYZ',
    name: 'Former partner',
    mode: 'LIVE',
    status: 'REVOKED',
    scopes: [],
    createdAt: '2025-03-21T12:30:00Z',
  },
];

async function insertKey(db: Queryable, key: Picture): Promise<void> {
  const { id, name, mode, status = 'ACTIVE', scopes, networks = [] } = key;
  const [createdAt, usedAt, expiresAt] = [key.createdAt, key.usedAt, key.expiresAt].map(moved);
  await db.query(sql`
    insert into api_keys (id, workspace_id, name, status, mode, scopes, ip_whitelist, created_at, last_used_at, expires_at)
    select ${id}::text, w.id, ${name}::text, ${status}::key_status, ${mode}::key_mode, ${scopes}::text[], ${networks}::text[],
      ${createdAt}::timestamptz, ${usedAt}::timestamptz, ${expiresAt}::timestamptz
    from workspaces w where w.biz_id = 'WS_DEMO'`);
  // Nobody signs with them. The old secret must still work at the time of the service, which is not that of the pictures.
  await db.query(sql`
    insert into api_key_secrets (api_key_id, version, sealed, expires_at)
    select ${id}::text, n, ''::bytea, case when n = 1 and ${key.isRotating ?? false}::boolean then timestamptz '2100-01-01' end
    from generate_series(1, ${key.isRotating ? 2 : 1}::int) n`);
}

/** A few keys of every kind, always the same, into the database of a service that runs in a folder. */
export async function writeKeys(folder: string): Promise<void> {
  const { connection, giveBack } = await borrowEmbeddedPostgres(join(folder, '.portico'));
  const db = openDatabase({ ...connection, ssl: false }, { poolMax: 1 });
  for (const key of keys) await insertKey(db, key);
  await db.close();
  await giveBack();
}
