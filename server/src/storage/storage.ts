import type { Readable } from 'node:stream';
import { createDiskStore } from './disk.ts';
import type { ByteRange } from './range.ts';
import { createS3Store } from './s3.ts';
import type { S3Settings } from './s3-request.ts';

export type Storage = {
  /** What a record calls its bucket. */
  bucket: string;
  /**
   * The bytes of a whole, fsynced file become the object, and the file is gone. The object is whole or not there; the same put once
   * more, also when the file is gone already, changes nothing.
   */
  put(key: string, file: string): Promise<void>;
  /** Undefined where there is no such object. With a range, an object that is shorter is a failure, before or while it is read. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Also of what is not there. */
  remove(key: string): Promise<void>;
  /** Throws when it cannot be used. */
  check(): Promise<void>;
  close(): Promise<void>;
};

export function createStorage({ folder, s3 }: { folder: string; s3?: S3Settings | undefined }): Storage {
  return s3 === undefined ? createDiskStore(folder) : createS3Store(s3);
}
