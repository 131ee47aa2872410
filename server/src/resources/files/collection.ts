import { Type } from 'typebox';
import { workspaceOfKey } from '../../auth/portal/roles.ts';
import { collection } from '../../contract/collection.ts';
import { equal } from '../../contract/page-statement.ts';
import { sql } from '../../db/sql.ts';
import { fileCategories, fileStatuses } from '../../files/names.ts';
import { memberOfMode, noSuchFile, visibleFile } from './places.ts';
import { FileFilters, FilePath, FileRecord } from './schema.ts';

const byCategory = equal(
  sql`f.category`,
  (given) => sql`${given}::file_category`,
  (code: keyof typeof fileCategories) => fileCategories[code],
);
const byStatus = equal(
  sql`f.status`,
  (given) => sql`${given}::file_status`,
  (code: keyof typeof fileStatuses) => fileStatuses[code],
);

const tally = {
  name: 'files',
  scope: { institution_id: sql`place.institution_id`, mode: sql`place.mode` },
  dimensions: { workspace_id: 'workspaceBizId', category: 'fileCategory', status: 'fileStatus' },
  time: 'createdAt',
};

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
  tieBreak: [sql`f.created_at`, sql`f.id`],
  id: sql`f.id`,
  place: memberOfMode,
  within: [sql`f.institution_id = place.institution_id`, sql`f.mode = place.mode`, sql`f.deleted_at is null`],
  filterBy: {
    workspaceBizId: equal(
      sql`f.workspace_id`,
      (given) => sql`(select id from workspaces where biz_id = ${given})`,
    ),
    fileCategory: byCategory,
    fileStatus: byStatus,
  },
  tallies: [tally],
});

/** The same files as a key sees them: those of its workspace and mode. */
export const workspaceFiles = collection({
  ...institutionFiles,
  filters: Type.Pick(FileFilters, ['fileCategory', 'fileStatus']),
  filtersIn: 'query',
  shape: 'nested',
  place: workspaceOfKey,
  within: [
    sql`f.institution_id = place.institution_id`,
    sql`f.mode = place.mode`,
    sql`f.workspace_id = place.workspace_id`,
    sql`f.deleted_at is null`,
  ],
  filterBy: { fileCategory: byCategory, fileStatus: byStatus },
  tallies: [{ ...tally, dimensions: { ...tally.dimensions, workspace_id: sql`place.workspace_id` } }],
});

/** One file, of either mode, for every member of its institution. */
export const visibleFiles = collection({
  ...institutionFiles,
  place: visibleFile,
  within: [sql`f.id = place.file_id`],
});

/** How one of them is asked for. */
export const oneFile = {
  path: FilePath,
  by: { name: 'bizId' as const, column: sql`f.biz_id` },
  none: noSuchFile().message,
};
