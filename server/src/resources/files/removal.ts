import type { Services } from '../../auth/services.ts';
import type { Queryable } from '../../db/database.ts';
import { StorageFailure } from '../../storage/failure.ts';
import { dropPending, forgetFile, isRecorded } from './queries.ts';

/** As long as nobody else goes on with what an instance has begun; it says in time that it still does. */
export const leaseMs = 120_000;

type Removing = Pick<Services, 'files'> & { db: Queryable };

/** The bytes first and the record last, so that it tells of them until they are gone. */
export async function removeFile(
  { db, files }: Removing,
  { bizId, objectKey, isStored }: { bizId: string; objectKey: string; isStored: boolean },
): Promise<void> {
  if (isStored) await files.storage.remove(objectKey);
  await forgetFile(db, bizId);
}

/**
 * Whatever an upload that failed has left. One that was kept though nobody was told so stays. What a store was given without an
 * answer may still come, so its removal is left to the sweep, which is later.
 */
export async function abandonUpload(
  { db, files, now }: Removing & Pick<Services, 'now'>,
  { bizId, objectKey }: { bizId: string; objectKey: string },
  failure: unknown,
): Promise<void> {
  const isDropped = await dropPending(db, bizId, now(), now() + leaseMs);
  if (isDropped && failure instanceof StorageFailure) return;
  if (isDropped) await removeFile({ db, files }, { bizId, objectKey, isStored: true });
  // Someone else took it for dead and is done with it: the bytes may have come after that.
  else if (!(await isRecorded(db, bizId))) await files.storage.remove(objectKey);
}
