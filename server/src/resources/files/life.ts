import type { Services } from '../../auth/services.ts';
import type { Mode } from '../../auth/signed/api-key-lookup.ts';
import { ApiError } from '../../contract/api-error.ts';
import { changesOf } from '../../contract/changes.ts';
import { type AnyGround, command, type WritePlace } from '../../contract/command.ts';
import { NoData } from '../../contract/envelope.ts';
import { noSuchFile } from './places.ts';
import { lockFile, markDeleted, updateFileStatus } from './queries.ts';
import { recordOf } from './record.ts';
import { leaseMs, removeFile } from './removal.ts';
import { FilePath, FileRecord } from './schema.ts';
import { writerOfFile } from './write-places.ts';

const transitions = {
  archive: { from: 'ACTIVE', to: 'ARCHIVED', action: 'file.archived', done: 'archived' },
  restore: { from: 'ARCHIVED', to: 'ACTIVE', action: 'file.restored', done: 'restored' },
} as const;

function transition(name: keyof typeof transitions) {
  const { from, to, action, done } = transitions[name];
  return command({
    path: FilePath,
    answer: FileRecord,
    status: 200,
    place: writerOfFile,
    action,
    errors: ['4091'],
    async run({ tx, nowMs, place, input: { bizId } }) {
      const file = await lockFile(tx, bizId, place);
      if (file === undefined) throw noSuchFile();
      const { status, mode } = file;
      if (status !== from) throw new ApiError('4091', `a file that is ${status} cannot be ${done}`);
      await updateFileStatus(tx, bizId, to);
      const answer = await recordOf(tx, bizId, nowMs);
      const changes = changesOf({ fileStatus: status }, { fileStatus: to });
      return { answer, subject: bizId, changes, event: { mode, data: answer } };
    },
  });
}

export const archiveFile = transition('archive');
export const restoreFile = transition('restore');

type FileGround = AnyGround & { workspaceId: number; mode?: Mode };

/** It is in no list with the commit; its bytes go right after it, or, if that fails, with the next sweep. */
export function deleteFileOf<Caller, Values extends object, Ground extends FileGround>(
  { db, files }: Pick<Services, 'db' | 'files'>,
  place: WritePlace<Caller, Values, Ground>,
) {
  return command({
    path: FilePath,
    answer: NoData,
    status: 200,
    place,
    action: 'file.deleted',
    errors: ['4040', '4091'],
    async run({ tx, nowMs, place: ground, input: { bizId } }) {
      const file = await lockFile(tx, bizId, ground);
      if (file === undefined) throw noSuchFile();
      if (file.status === 'PENDING') throw new ApiError('4091', 'a file that is PENDING cannot be deleted');
      const event = { mode: file.mode, data: await recordOf(tx, bizId, nowMs) };
      await markDeleted(tx, bizId, nowMs, nowMs + leaseMs);
      tx.afterCommit(() => void removeFile({ db, files }, file).catch(() => {}));
      const before = { fileStatus: file.status };
      return { answer: null, subject: bizId, changes: changesOf(before, { fileStatus: null }), event };
    },
  });
}
