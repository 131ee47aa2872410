import { memberOfWorkspace } from '../../auth/portal/roles.ts';
import { collection } from '../../contract/collection.ts';
import { epochMsOf } from '../../contract/date-time.ts';
import { equal } from '../../contract/page-statement.ts';
import { instant, sql } from '../../db/sql.ts';
import { pagesOf } from './pages.ts';
import { RequestFilters, RequestRecord, requestModes, statusClasses } from './schema.ts';

const modeNames: Readonly<Record<string, string>> = requestModes;

const declared = {
  record: RequestRecord,
  from: sql`requests r join request_series s on s.id = r.series_id left join api_keys k on k.id = s.api_key_id`,
  columns: {
    requestId: sql`r.request_id`,
    occurredAt: sql`r.occurred_at`,
    apiKeyId: sql`s.api_key_id`,
    // As it is now; of a key that was deleted, as it last was.
    apiKeyName: sql`coalesce(k.name, s.api_key_name)`,
    mode: sql`s.mode::text`,
    method: sql`r.method`,
    route: sql`r.route`,
    status: sql`r.status`,
    code: sql`s.code`,
    durationMs: sql`r.duration_ms`,
    ipAddress: sql`r.ip_address`,
  },
  sortable: { occurredAt: sql`r.occurred_at` },
  tieBreak: [sql`r.occurred_at`, sql`r.id`],
  id: sql`r.id`,
  within: [sql`r.workspace_id = place.workspace_id`],
  filterBy: {
    apiKeyId: equal(sql`s.api_key_id`),
    mode: equal(
      sql`s.mode`,
      (given) => sql`${given}::key_mode`,
      (mode: string) => modeNames[mode] ?? mode,
    ),
    code: equal(sql`s.code`),
    statusClass: equal(
      sql`s.status_class`,
      (given) => sql`${given}::int2`,
      (name: keyof typeof statusClasses) => statusClasses[name],
    ),
    requestId: equal(sql`r.request_id`),
    from: { where: (given) => sql`r.occurred_at >= ${instant(given)}`, read: epochMsOf },
    to: { where: (given) => sql`r.occurred_at < ${instant(given)}`, read: epochMsOf },
  },
} satisfies Parameters<typeof pagesOf>[0];

export const requests = collection({
  ...declared,
  filters: RequestFilters,
  filtersIn: 'query',
  shape: 'flat',
  defaultSort: { field: 'occurredAt', direction: 'desc' },
  place: memberOfWorkspace,
  pages: pagesOf(declared),
});
