import { memberOfWorkspace } from '../../auth/portal/roles.ts';
import { keyStatusAt } from '../../auth/signed/key-status.ts';
import { collection } from '../../contract/collection.ts';
import { equal } from '../../contract/page-statement.ts';
import { now } from '../../contract/page-values.ts';
import { isoTime, sql } from '../../db/sql.ts';
import { ApiKeyFilters, ApiKeyRecord, keyModes } from './schema.ts';

export const idColumn = sql`k.id`;
const status = keyStatusAt(now);
const working = sql`s.api_key_id = k.id and (s.expires_at is null or s.expires_at > ${now})`;

const modeNames: Readonly<Record<string, string>> = keyModes;

export const apiKeys = collection({
  record: ApiKeyRecord,
  filters: ApiKeyFilters,
  filtersIn: 'query',
  shape: 'flat',
  from: sql`api_keys k`,
  columns: {
    apiKeyId: idColumn,
    name: sql`k.name`,
    mode: sql`k.mode::text`,
    scopes: sql`k.scopes`,
    ipWhitelist: sql`k.ip_whitelist`,
    createdAt: sql`k.created_at`,
    status,
    expiresAt: sql`k.expires_at`,
    lastUsedAt: sql`k.last_used_at`,
    lastUsedIp: sql`k.last_used_ip`,
    secretVersion: sql`(select max(s.version) from api_key_secrets s where s.api_key_id = k.id)`,
    previousSecretExpiresAt: sql`(select max(s.expires_at) from api_key_secrets s where ${working})`,
    secrets: sql`(select json_agg(json_build_object('version', s.version, 'lastUsedAt',
      ${isoTime(sql`s.last_used_at`)}) order by s.version desc)
      from api_key_secrets s where ${working})`,
  },
  sortable: {
    createdAt: sql`k.created_at`,
    name: sql`k.name`,
    status: sql`${status} collate "C"`,
    mode: sql`k.mode`,
    lastUsedAt: sql`k.last_used_at`,
    expiresAt: sql`k.expires_at`,
  },
  nullable: ['lastUsedAt', 'expiresAt'],
  defaultSort: { field: 'createdAt', direction: 'desc' },
  tieBreak: [idColumn],
  id: idColumn,
  isSmall: true,
  place: memberOfWorkspace,
  within: [sql`k.workspace_id = place.workspace_id`],
  filterBy: {
    status: equal(status),
    mode: equal(
      sql`k.mode`,
      (given) => sql`${given}::key_mode`,
      (mode: string | number) => modeNames[mode] ?? mode,
    ),
  },
});
