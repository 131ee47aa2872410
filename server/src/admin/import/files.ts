import { type Static, Type } from 'typebox';
import { isDateTime } from '../../contract/date-time.ts';
import { isShowable } from '../../contract/plain-text.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { fileCategories, fileStatuses } from '../../files/names.ts';
import { NewId } from '../fields.ts';
import { isoOf, type Kind, type Row } from './kind.ts';

const Text = (maxLength: number) => Type.String({ ...isShowable, maxLength });

const Line = Type.Object({
  bizId: NewId,
  bucket: Text(255),
  objectKey: Text(1024),
  /** A name is data, whatever it holds. */
  originalFilename: Type.String({ minLength: 1, maxLength: 255 }),
  fileSize: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  contentType: Text(255),
  fileCategory: Type.String({ enum: Object.values(fileCategories) }),
  fileStatus: Type.String({ enum: Object.values(fileStatuses) }),
  etag: Text(255),
  remark: Type.Optional(Type.String({ maxLength: 1000 })),
  createdAt: Type.String(isDateTime),
  createdBy: Text(128),
  mode: Type.Optional(Type.String({ enum: ['LIVE', 'TEST'] })),
});

function rowOf(given: object): Row {
  const { bizId: id, remark = '', mode = 'LIVE', createdAt, ...line } = given as Static<typeof Line>; // as it was read
  return { id, remark, mode, createdAt: isoOf(createdAt), ...line };
}

const given = (rows: readonly Row[]): Sql => sql`
  json_to_recordset(${JSON.stringify(rows)}::json) as i (n int, id text, bucket text, "objectKey" text, "originalFilename" text,
    "fileSize" bigint, "contentType" text, "fileCategory" file_category, "fileStatus" file_status, etag text, remark text,
    "createdAt" timestamptz, "createdBy" text, mode key_mode)`;

/** The record alone: its bytes are where they were, and are not served from here. */
export const files: Kind = {
  noun: 'file',
  action: 'workspace.files-imported',
  line: Line,
  rowOf,
  compare: (rows, { workspaceId }) => sql`
    select case
      when f.id is null then 'new'
      when f.workspace_id <> ${workspaceId} or f.mode <> i.mode then 'elsewhere'
      when f.deleted_at is not null then 'deleted'
      when (f.bucket, f.object_key, f.original_filename, f.file_size, f.content_type, f.category, f.status, f.etag, f.remark, f.created_at,
          f.created_by)
        is not distinct from (i.bucket, i."objectKey", i."originalFilename", i."fileSize", i."contentType", i."fileCategory", i."fileStatus",
          i.etag, i.remark, i."createdAt", i."createdBy") then 'same'
      when f.is_stored then 'stored'
      else 'other' end as state
    from ${given(rows)} left join files f on f.biz_id = i.id
    order by i.n`,
  store: (rows, { workspaceId, institutionId }) => sql`
    insert into files as f (biz_id, institution_id, workspace_id, mode, bucket, object_key, original_filename, file_size, content_type,
      category, status, etag, remark, created_at, created_by)
    select i.id, ${institutionId}, ${workspaceId}, i.mode, i.bucket, i."objectKey", i."originalFilename", i."fileSize", i."contentType",
      i."fileCategory", i."fileStatus", i.etag, i.remark, i."createdAt", i."createdBy"
    from ${given(rows)} order by i.id
    on conflict (biz_id) do update set bucket = excluded.bucket, object_key = excluded.object_key,
      original_filename = excluded.original_filename, file_size = excluded.file_size, content_type = excluded.content_type,
      category = excluded.category, status = excluded.status, etag = excluded.etag, remark = excluded.remark,
      created_at = excluded.created_at, created_by = excluded.created_by
    where f.workspace_id = excluded.workspace_id and f.mode = excluded.mode and f.deleted_at is null and not f.is_stored
    returning xmax = 0 as "isNew"`,
};
