import { type Static, Type } from 'typebox';
import type { Caller } from '../../auth/open-chain.ts';
import { collection } from '../../contract/collection.ts';
import { sql } from '../../db/sql.ts';
import { FileFilters, FileRecord, fileCategories, fileStatuses } from './schema.ts';

function conditionsOf(filters: Omit<Static<typeof FileFilters>, 'institutionBizId'>) {
  const { workspaceBizId, fileCategory, fileStatus } = filters;
  return [
    ...(workspaceBizId === undefined
      ? []
      : [sql`f.workspace_id = (select id from workspaces where biz_id = ${workspaceBizId})`]),
    ...(fileCategory === undefined
      ? []
      : [sql`f.category = ${nameOf(fileCategories, fileCategory)}::file_category`]),
    ...(fileStatus === undefined ? [] : [sql`f.status = ${nameOf(fileStatuses, fileStatus)}::file_status`]),
  ];
}

function nameOf(names: Readonly<Record<number, string>>, code: number): string | undefined {
  return names[code];
}

export const institutionFiles = collection({
  record: FileRecord,
  filters: FileFilters,
  filtersIn: 'body',
  shape: 'flat',
  from: sql`files f`,
  columns: {
    bizId: sql`f.biz_id`,
    bucket: sql`f.bucket`,
    objectKey: sql`f.object_key`,
    originalFilename: sql`f.original_filename`,
    fileSize: sql`f.file_size`,
    contentType: sql`f.content_type`,
    fileCategory: sql`f.category::text`,
    fileStatus: sql`f.status::text`,
    etag: sql`f.etag`,
    remark: sql`f.remark`,
    createdAt: sql`f.created_at`,
    createdBy: sql`f.created_by`,
  },
  sortable: {
    createdAt: sql`f.created_at`,
    originalFilename: sql`f.original_filename`,
    fileSize: sql`f.file_size`,
    contentType: sql`f.content_type`,
    fileCategory: sql`f.category`,
    fileStatus: sql`f.status`,
  },
  defaultSort: { field: 'createdAt', direction: 'desc' },
  tieBreak: sql`f.id`,
  where: (institutionId: number, filters) => [
    sql`f.institution_id = ${institutionId}`,
    sql`f.deleted_at is null`,
    ...conditionsOf(filters),
  ],
});

/** The same files as a key sees them: those of its workspace. */
export const workspaceFiles = collection({
  ...institutionFiles,
  filters: Type.Pick(FileFilters, ['fileCategory', 'fileStatus']),
  filtersIn: 'query',
  shape: 'nested',
  where: ({ workspaceId }: Caller, filters) => [
    sql`f.workspace_id = ${workspaceId}`,
    sql`f.deleted_at is null`,
    ...conditionsOf(filters),
  ],
});
