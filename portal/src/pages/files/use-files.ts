import { type FileRecord, fileCategories, fileStatuses, type Mode } from '@portico/sdk/portal';
import type { List } from '../../list/use-list.ts';
import { useOpenRow } from '../../list/use-open-row.ts';
import { usePageQuery } from '../../list/use-page-query.ts';
import { useRecord } from '../../list/use-record.ts';
import { portal } from '../../session/portal.ts';
import { isMoving } from './file-status.tsx';
import { codeOf, type FilesFilter, filesQuery, movingMs, openParameter, type SortField } from './list.ts';

const pollMs = (files: readonly FileRecord[]) =>
  files.some(({ fileStatus }) => isMoving(fileStatus)) ? movingMs : false;

/** The page of files that the address asks for, and the one file that it names. */
export function useFiles(institution: string, mode: Mode, list: List<SortField, FilesFilter>) {
  const { category, status, within } = list.state.filters;
  const fileCategory = codeOf(fileCategories, category);
  const fileStatus = codeOf(fileStatuses, status);
  const filters = {
    institutionBizId: institution,
    ...(within === undefined ? {} : { workspaceBizId: within }),
    ...(fileCategory === undefined ? {} : { fileCategory }),
    ...(fileStatus === undefined ? {} : { fileStatus }),
    ...(mode === 'TEST' ? { mode: 2 as const } : {}),
  };
  const result = usePageQuery<FileRecord>({
    key: [...filesQuery, filters],
    query: list.query,
    load: (query, options) => portal.listFiles(filters, query, options),
    pollMs: ({ content }) => pollMs(content),
  });
  const { openId, open, close } = useOpenRow(openParameter);
  const row = result.page?.content.find(({ bizId }) => bizId === openId);
  const file = useRecord<FileRecord>({
    key: filesQuery,
    id: openId,
    page: result,
    row,
    load: (id, options) => portal.getFile(id, options),
    pollMs: (found) => pollMs([found]),
  });
  return { result, file, isListed: row !== undefined, open, close };
}
