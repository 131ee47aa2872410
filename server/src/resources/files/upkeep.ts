import type { Services } from '../../auth/services.ts';
import type { Transactor } from '../../db/database.ts';
import { service } from '../../log/actor.ts';
import { type AuditRecord, appendRecords } from '../../log/append.ts';
import { recordOf } from './record.ts';
import { leaseMs, removeFile } from './removal.ts';
import { putOffScan, settleScanned, takeUnfinished, takeUnscanned } from './upkeep-queries.ts';

/** Few enough to be removed, one after the other, while they are this instance's. */
const batch = 20;
/** Longer than the longest that an upload can stand still. What is written to is younger. */
const spooledMs = 600_000;
/** A scanner that is away is asked again after this. */
const awayMs = 15_000;

type Upkeep = Pick<Services, 'files' | 'now'>;

/** Goes on with what a crash left: removes uploads that ended half-way and bytes of files that were deleted. True: there may be more. */
export async function finishRemovals({ files, now }: Upkeep, db: Transactor): Promise<boolean> {
  const found = await takeUnfinished(db, now(), now() + leaseMs, batch);
  const failures: unknown[] = [];
  for (const file of found) await removeFile({ db, files }, file).catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
  return found.length === batch;
}

/** Removes what is left of bodies that nobody receives any more, on this machine. */
export async function sweepIncoming({ files }: Upkeep): Promise<void> {
  await files.incoming.sweep(spooledMs);
}

async function settle(
  db: Transactor,
  bizId: string,
  found: string | undefined,
  nowMs: number,
): Promise<void> {
  const to = found === undefined ? 'ACTIVE' : 'QUARANTINED';
  await db.transaction(async (tx) => {
    const settled = await settleScanned(tx, bizId, to);
    if (settled === undefined) return;
    const { mode, ...ground } = settled;
    const changes = {
      fileStatus: { from: 'PROCESSING', to },
      ...(found === undefined ? {} : { found: { from: null, to: found } }),
    };
    const record = { actor: service, ...ground, subjectId: bizId, changes, occurredAtMs: nowMs };
    const told: Pick<AuditRecord, 'action' | 'event'> =
      found === undefined
        ? { action: 'file.activated' }
        : { action: 'file.quarantined', event: { mode, data: await recordOf(tx, bizId, nowMs) } };
    await appendRecords(tx, [{ ...record, ...told }]);
  });
}

/** Scans one file that waits. False: none does, or the scanner is away. */
export async function scanNext({ files, now }: Upkeep, db: Transactor): Promise<boolean> {
  const { scan, storage } = files;
  const file = scan && (await takeUnscanned(db, now(), now() + leaseMs));
  if (scan === undefined || file === undefined) return false;
  const beat = setInterval(
    () => void putOffScan(db, file.bizId, now() + leaseMs).catch(() => {}),
    leaseMs / 6,
  );
  try {
    const content = await storage.read(file.objectKey);
    if (content === undefined) throw new Error(`the store has no bytes of ${file.bizId}`);
    const verdict = await scan(content).finally(() => content.destroy());
    await settle(db, file.bizId, verdict === 'CLEAN' ? undefined : verdict.found, now());
  } catch (error) {
    await putOffScan(db, file.bizId, now() + awayMs);
    throw error;
  } finally {
    clearInterval(beat);
  }
  return true;
}
