import type { Answer } from '../answer.ts';
import type { CallOptions } from '../call-options.ts';
import type { ByteRange, Download } from '../download.ts';
import type { FlatPage, NestedPage, PageQuery } from '../envelope.ts';
import type { FileRecord, Transfer } from '../records.ts';
import { queryString } from '../wire.ts';
import {
  adminTransferPath,
  filePath,
  requestPath,
  requestsPath,
  transferPath,
  transfersPath,
} from './paths.ts';
import { PeopleCalls } from './people.ts';
import type { Progress } from './progress.ts';
import type { RequestDetail, RequestFilters, RequestRecord } from './request-records.ts';
import type {
  FileFilters,
  NewWorkspaceTransfer,
  TransferFilters,
  TransferMove,
  UploadForm,
} from './work-records.ts';

/** Fields before the file: the service judges them before it takes a byte of it. */
function formOf({ file, filename, ...fields }: UploadForm & { filename?: string | undefined }): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) form.append(name, String(value));
  const named = filename ?? ('name' in file ? String(file.name) : 'file');
  form.append('file', file, named);
  return form;
}

/** What a workspace works with, files and transfers, and what its keys asked for. */
export class WorkCalls extends PeopleCalls {
  listFiles(
    filters: FileFilters,
    page: PageQuery = {},
    options: CallOptions = {},
  ): Answer<FlatPage<FileRecord>> {
    return this.query('/web/v1/files/query/list', filters, page, options);
  }

  getFile(bizId: string, options: CallOptions = {}): Answer<FileRecord> {
    return this.read(filePath(bizId), options);
  }

  /** A file of a browser has its name; else it is given. `onProgress` is called in browsers alone. */
  uploadFile(
    form: UploadForm & { filename?: string | undefined },
    { onProgress, ...options }: CallOptions & { onProgress?: (progress: Progress) => void } = {},
  ): Answer<FileRecord> {
    return this.upload('/web/v1/files', formOf(form), form.file.size, onProgress, options);
  }

  /** The bytes, which are held against their hash while they pass. */
  downloadFile(
    bizId: string,
    { range, ...options }: CallOptions & { range?: ByteRange | undefined } = {},
  ): Promise<Download> {
    return this.download(`${filePath(bizId)}/content`, range, options);
  }

  archiveFile(bizId: string, options: CallOptions = {}): Answer<FileRecord> {
    return this.command(`${filePath(bizId)}/archive`, undefined, options);
  }

  restoreFile(bizId: string, options: CallOptions = {}): Answer<FileRecord> {
    return this.command(`${filePath(bizId)}/restore`, undefined, options);
  }

  /** Its record and its bytes are gone. */
  deleteFile(bizId: string, options: CallOptions = {}): Answer<void> {
    return this.done(this.write('DELETE', filePath(bizId), undefined, options));
  }

  listWorkspaceTransfers(
    workspaceId: string,
    filters: TransferFilters = {},
    page: PageQuery = {},
    options: CallOptions = {},
  ): Answer<NestedPage<Transfer>> {
    return this.read(`${transfersPath(workspaceId)}${queryString({ ...filters, ...page })}`, options);
  }

  getWorkspaceTransfer(workspaceId: string, transferId: string, options: CallOptions = {}): Answer<Transfer> {
    return this.read(transferPath(workspaceId, transferId), options);
  }

  createWorkspaceTransfer(
    workspaceId: string,
    transfer: NewWorkspaceTransfer,
    options: CallOptions = {},
  ): Answer<Transfer> {
    return this.command(transfersPath(workspaceId), transfer, options);
  }

  /** While it is PENDING. */
  cancelWorkspaceTransfer(
    workspaceId: string,
    transferId: string,
    options: CallOptions = {},
  ): Answer<Transfer> {
    return this.command(`${transferPath(workspaceId, transferId)}/cancel`, undefined, options);
  }

  /** Signed requests, newest first unless sorted otherwise. */
  listRequests(
    workspaceId: string,
    filters: RequestFilters = {},
    page: PageQuery = {},
    options: CallOptions = {},
  ): Answer<FlatPage<RequestRecord>> {
    return this.read(`${requestsPath(workspaceId)}${queryString({ ...filters, ...page })}`, options);
  }

  /** By the id that its answer carried. */
  getRequest(workspaceId: string, requestId: string, options: CallOptions = {}): Answer<RequestDetail> {
    return this.read(requestPath(workspaceId, requestId), options);
  }

  /** For operators, on an ADMIN portal. */
  setTransferStatus(transferId: string, move: TransferMove, options: CallOptions = {}): Answer<Transfer> {
    return this.command(`${adminTransferPath(transferId)}/status`, move, options);
  }
}
