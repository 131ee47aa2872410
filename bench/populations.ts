import type pg from 'pg';

/** One institution of the data: so many files, and as many transfers, over so long a time. */
export type Population = {
  name: string;
  rows: number;
  spreadSeconds: number;
  institutionId: number;
  institutionBizId: string;
  /** The first has most of the files, and all transfers. */
  workspaceIds: number[];
  workspaceBizIds: string[];
};

const threeYears = 3 * 365 * 86_400;
const workspaceCount = 3;

/** What filters ask for: the commonest values, so that there are many pages of them. */
export const filtered = {
  category: { code: 8, name: 'INVOICE' },
  status: { code: 1, name: 'ACTIVE' },
} as const;

async function insertPopulation(db: pg.Pool, name: string): Promise<number> {
  const { rows } = await db.query<{ id: string }>(
    'insert into institutions (biz_id, name) values ($1, $2) returning id',
    [`INST_${name}`, name],
  );
  const institutionId = Number(rows[0]?.id);
  await db.query(
    `with owner as (select id from accounts where email = 'owner@demo.test'),
      places as (insert into workspaces (biz_id, institution_id, name)
        select 'WS_' || $2::text || '_' || n, $1, $2 || ' ' || n from generate_series(1, ${workspaceCount}) n returning id),
      seats as (insert into institution_members (account_id, institution_id) select id, $1 from owner)
    insert into workspace_members (account_id, workspace_id, role)
    select owner.id, places.id, 'OWNER' from owner, places`,
    [institutionId, name],
  );
  return institutionId;
}

export async function createPopulation(
  db: pg.Pool,
  rows: number,
  { name = `BENCH_${rows}`, spreadSeconds = threeYears } = {},
): Promise<Population> {
  const institutionId = await insertPopulation(db, name);
  const places = await db.query<{ id: string; bizId: string }>(
    'select id, biz_id as "bizId" from workspaces where institution_id = $1 order by id',
    [institutionId],
  );
  return {
    name,
    rows,
    spreadSeconds,
    institutionId,
    institutionBizId: `INST_${name}`,
    workspaceIds: places.rows.map(({ id }) => Number(id)),
    workspaceBizIds: places.rows.map(({ bizId }) => bizId),
  };
}

/** Between 0 and 1 for a row number, the same in every run. */
const unit = (seed: number) => `((hashint8extended(n, ${seed}) & 4294967295) / 4294967296.0::float8)`;

/** From the commonest to the rarest: squares and cubes of a uniform number crowd at the front. */
const categories = `array['INVOICE', 'BANK_STATEMENT', 'TRANSACTION_REPORT', 'SETTLEMENT_REPORT', 'CONTRACT', 'PAYOUT_BATCH',
  'IDENTITY_DOCUMENT', 'RECONCILIATION_REPORT', 'TAX_DOCUMENT', 'PROOF_OF_ADDRESS', 'COMPLIANCE_REPORT', 'DISPUTE_EVIDENCE',
  'BUSINESS_REGISTRATION', 'BENEFICIAL_OWNERSHIP', 'AUDIT_EXPORT', 'OTHER', 'BRANDING']::file_category[]`;
const statuses = `array['ACTIVE', 'ARCHIVED', 'EXPIRED', 'PENDING', 'PROCESSING', 'REJECTED', 'QUARANTINED']::file_status[]`;
const contentTypes = `array['application/pdf', 'text/csv', 'image/png', 'image/jpeg', 'text/plain', 'image/svg+xml',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet']`;
const extensions = `array['.pdf', '.csv', '.png', '.jpg', '.txt', '.svg', '.xlsx']`;

/** Rows come nearly in the order of their times, as they would when written one by one. */
const time = (seed: number) =>
  `'2023-01-01T00:00:00Z'::timestamptz + make_interval(secs => $5::float8 * (n - 1 + 20 * ${unit(seed)}) / ($4::int8 + 20))`;

/** Parameters: name, workspaces, institution, rows, seconds, first and last row, identity before the first. */
export const fileRows = `
  select $8::int8 + n, 'FILE_' || $1::text || '_' || lpad(n::text, 9, '0'), $3::int8,
    ($2::int8[])[1 + floor(${workspaceCount} * power(${unit(1)}, 2))::int], 'portico-bench',
    lower($1) || '/' || lpad(n::text, 9, '0'),
    (array['statement', 'Überweisung', '发票', 'facture-été', 'report'])[1 + n % 5] || '-' || to_hex(hashint8(n)) || extension,
    floor(power(${unit(2)}, 4) * 50000000)::int8, content_type,
    (${categories})[1 + floor(17 * power(${unit(3)}, 2))::int],
    (${statuses})[1 + floor(7 * power(${unit(4)}, 3))::int],
    md5(n::text), case n % 4 when 0 then '' when 1 then 'Uploaded by the partner' when 2 then 'Geprüft — in Ordnung' else '确认无误 ✅' end,
    ${time(5)}, 'ACC_DEMO_OWNER'
  from generate_series($6::int8, $7::int8) n
  cross join lateral (select 1 + floor(7 * power(${unit(6)}, 2))::int as slot) s
  cross join lateral (select (${contentTypes})[slot] as content_type, (${extensions})[slot] as extension) t`;

export const fileColumns = `(id, biz_id, institution_id, workspace_id, bucket, object_key, original_filename, file_size, content_type,
  category, status, etag, remark, created_at, created_by)`;

/** All of one workspace and LIVE, so that the signed cases have as many rows as the others. */
export const transferRows = `
  select $8::int8 + n, 'TRF_' || $1::text || '_' || lpad(n::text, 9, '0'), ($2::int8[])[1], 'LIVE'::key_mode,
    round((power(${unit(11)}, 3) * 1000000)::numeric, digits), currency,
    (array['COMPLETED', 'PENDING', 'PROCESSING', 'FAILED', 'CANCELLED']::transfer_status[])[1 + floor(5 * power(${unit(12)}, 3))::int],
    case n % 3 when 0 then null when 1 then 'INV-' || n else 'Zahlung Nr. ' || n || ' – Miete' end, at, at + make_interval(mins => (n * 37 % 4321)::int)
  from generate_series($6::int8, $7::int8) n
  cross join lateral (select 1 + floor(5 * power(${unit(13)}, 2))::int as slot, ${time(14)} as at) s
  cross join lateral (select (array['EUR', 'USD', 'GBP', 'JPY', 'KWD'])[slot] as currency, (array[2, 2, 2, 0, 3])[slot] as digits) c
  where $3::int8 is not null`;

export const transferColumns =
  '(id, biz_id, workspace_id, mode, amount, currency, status, reference, created_at, updated_at)';
