import { type Answer, dataOf, mapped } from './answer.ts';
import type { CallOptions } from './call-options.ts';
import { type SignedCollection, signedCollection } from './collection.ts';
import type { UploadSource } from './content.ts';
import type { ByteRange, Download } from './download.ts';
import { segment } from './path-segment.ts';
import type { FileQuery, FileRecord, NewFile } from './records.ts';
import type { SignedCaller } from './signed-caller.ts';
import { queryString } from './wire.ts';

export interface Files extends SignedCollection<FileRecord, FileQuery> {
  get(bizId: string, options?: CallOptions): Answer<FileRecord>;
  /** Tried again, it is kept once. Its hash is signed, so that nothing else can take its place on the way. */
  upload(source: UploadSource, file: NewFile, options?: CallOptions): Answer<FileRecord>;
  /** The bytes, which are held against their hash while they pass; of a range only their number is known. */
  download(bizId: string, options?: CallOptions & { range?: ByteRange | undefined }): Promise<Download>;
  /** Its record and its bytes are gone. */
  delete(bizId: string, options?: CallOptions): Answer<void>;
}

const path = '/api/v1/files';
const pathOf = (bizId: string) => `${path}/${segment('bizId', bizId)}`;

export function filesOf(caller: SignedCaller): Files {
  return {
    ...signedCollection(caller, path, 'bizId'),
    get: (bizId, options = {}) => dataOf(caller.read<FileRecord>(pathOf(bizId), options)),
    upload: (source, { filename, fileCategory, remark }, options = {}) =>
      dataOf(caller.upload(`${path}${queryString({ filename, fileCategory, remark })}`, source, options)),
    download: (bizId, { range, ...options } = {}) =>
      caller.download(`${pathOf(bizId)}/content`, range, options),
    delete: (bizId, options = {}) =>
      mapped(
        caller.call({ method: 'DELETE', path: pathOf(bizId), repeat: 'write' }, options),
        () => undefined,
      ),
  };
}
