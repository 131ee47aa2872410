import { type FileRecord, fileCategories, fileStatuses } from '@portico/sdk/portal';
import type { ListDefinition } from '../../list/url-state.ts';

export type SortField =
  | 'createdAt'
  | 'originalFilename'
  | 'fileSize'
  | 'contentType'
  | 'fileCategory'
  | 'fileStatus';

export const categoryNames: readonly string[] = Object.values(fileCategories);
export const statusNames: readonly string[] = Object.values(fileStatuses);

/** The code of a name; undefined without one. */
export function codeOf(
  codes: Readonly<Record<number, string>>,
  name: string | undefined,
): number | undefined {
  const entry = Object.entries(codes).find(([, each]) => each === name);
  return entry === undefined ? undefined : Number(entry[0]);
}

/** Of a line of the file that a list is saved as. */
export const savedFields: readonly (keyof FileRecord)[] = [
  'bizId',
  'originalFilename',
  'fileCategory',
  'fileStatus',
  'contentType',
  'fileSize',
  'etag',
  'remark',
  'createdBy',
  'createdAt',
];

/** Of every list and every single file. */
export const filesQuery = ['files'];

/** The parameter of the address that names the file whose drawer is open. */
export const openParameter = 'file';

/** How often what is about to change by itself is asked for again. */
export const movingMs = 5000;

export type FilesFilter = 'category' | 'status' | 'within';

/** The list of an institution; within: one of the workspaces in it. */
export function filesListOf(workspaces: readonly string[]): ListDefinition<SortField, FilesFilter> {
  return {
    sortable: ['createdAt', 'originalFilename', 'fileSize', 'contentType', 'fileCategory', 'fileStatus'],
    defaultSort: { field: 'createdAt', direction: 'desc' },
    filters: { category: categoryNames, status: statusNames, within: workspaces },
  };
}
