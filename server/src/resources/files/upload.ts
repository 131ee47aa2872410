import { type Static, Type } from 'typebox';
import type { Services } from '../../auth/services.ts';
import { ApiError } from '../../contract/api-error.ts';
import { changesOf } from '../../contract/changes.ts';
import { type Command, command, type WritePlace } from '../../contract/command.ts';
import { ulid } from '../../db/identifiers.ts';
import { StoreUnavailable } from '../../db/unavailable.ts';
import { fileCategories } from '../../files/names.ts';
import type { Received } from '../../storage/incoming.ts';
import { finishPending, insertPendingFile, keepPending, reserveBytes } from './queries.ts';
import { recordOf } from './record.ts';
import { leaseMs } from './removal.ts';
import { FileRecord, NewFile } from './schema.ts';
import type { UploadGround } from './write-places.ts';

const beatMs = leaseMs / 6;

/** Bytes that were received and belong to nobody yet, and what they will be called. */
export type Content = Received & { bizId: string; objectKey: string };

/** What a new file is called, here and in the store: the name that people gave it is no part of either. */
export function newNames(nowMs: number): Pick<Content, 'bizId' | 'objectKey'> {
  const bizId = `FILE_${ulid(nowMs)}`;
  const month = new Date(nowMs).toISOString().slice(0, 7).replace('-', '/');
  return { bizId, objectKey: `${month}/${bizId}` };
}

const Nothing = Type.Object({});
const Uploaded = Type.Object({ ...NewFile.properties, content: Type.Unsafe<Content>({}) });
type Uploaded = Static<typeof Uploaded>;

export type UploadCommand<Caller, Values extends object, Ground extends UploadGround> = Command<
  Caller,
  Values,
  Ground,
  typeof Nothing,
  typeof Uploaded,
  typeof FileRecord,
  void
>;

type Uploading = Pick<Services, 'db' | 'files' | 'now' | 'config'>;
type Asked = { nowMs: number; place: UploadGround; input: Uploaded };

/** A record first, then the bytes: after a crash in between it tells where they would be. */
async function insertPending({ db, files, config }: Uploading, asked: Asked, createdBy: string) {
  const { nowMs, place, input } = asked;
  const { content, filename, fileCategory, remark = '' } = input;
  const { quota } = config.files;
  await db.transaction(async (tx) => {
    if (!(await reserveBytes(tx, place.institutionId, content.size, quota)))
      throw new ApiError('4095', `the files of the institution may have ${quota} bytes together`);
    await insertPendingFile(tx, {
      ...content,
      ...place,
      bucket: files.storage.bucket,
      filename,
      remark,
      category: fileCategories[fileCategory as keyof typeof fileCategories], // the reader let only these pass
      etag: content.sha256,
      createdBy,
      createdAtMs: nowMs,
      dueMs: nowMs + leaseMs,
    });
  });
}

/** Says again and again that it is at it, as long as it takes. */
async function store({ db, files, now }: Uploading, { bizId, objectKey, path }: Content): Promise<void> {
  const beat = setInterval(() => void keepPending(db, bizId, now() + leaseMs).catch(() => {}), beatMs);
  try {
    await files.storage.put(objectKey, path);
  } finally {
    clearInterval(beat);
  }
}

/** Where a scanner is set, nobody gets a file before it was looked at. */
const firstStatus = ({ scan }: Services['files'], nowMs: number) =>
  scan === undefined ? { status: 'ACTIVE', dueMs: null } : { status: 'PROCESSING', dueMs: nowMs };

/** The upload of a file whose bytes were received, wherever it belongs. */
export function uploadTo<Caller, Values extends object, Ground extends UploadGround>(
  services: Uploading & Pick<Services, 'files'>,
  place: WritePlace<Caller, Values, Ground>,
): UploadCommand<Caller, Values, Ground> {
  return command({
    path: Nothing,
    body: Uploaded,
    answer: FileRecord,
    status: 201,
    place,
    action: 'file.created',
    errors: ['4095'],
    async before(asked) {
      await insertPending(services, asked, place.actor(asked.caller, asked.place).id);
      await store(services, asked.input.content);
    },
    async run({ tx, nowMs, place: { mode }, input }) {
      const { bizId } = input.content;
      const { status, dueMs } = firstStatus(services.files, nowMs);
      if (!(await finishPending(tx, bizId, { status, dueMs })))
        throw new StoreUnavailable('an upload was taken for dead');
      const answer = await recordOf(tx, bizId, nowMs);
      if (dueMs !== null) tx.afterCommit(services.files.wake);
      const { originalFilename, fileSize, contentType, fileCategory, fileStatus, etag, remark } = answer;
      const after = { originalFilename, fileSize, contentType, fileCategory, fileStatus, etag, remark, mode };
      return { answer, subject: bizId, changes: changesOf({}, after), event: { mode, data: answer } };
    },
  });
}
