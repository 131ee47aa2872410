import { sweepInvitations } from './auth/portal/invitations.ts';
import { sweepPasses } from './auth/portal/passes.ts';
import { sweepPasswordResets } from './auth/portal/password-resets.ts';
import { sweepReplacedTokens } from './auth/portal/refresh-tokens.ts';
import { sweepSignInAddresses } from './auth/portal/sign-in-addresses.ts';
import { sweepSignIns } from './auth/portal/sign-ins.ts';
import type { Services } from './auth/services.ts';
import { sweepNonces } from './auth/signed/nonces.ts';
import { sweepCancelled } from './channels/cancel.ts';
import { sweepIdempotencyKeys } from './contract/idempotency.ts';
import type { Transactor } from './db/database.ts';
import { sweepDeletedChannels, sweepDeliveries } from './delivery/sweep.ts';
import { sweepEvents } from './events/sweep.ts';
import { sweepMails } from './mail/queries.ts';
import { dropRequestDay, makeRequestDays, sweepRequestBatches } from './requests/retention.ts';
import { tellExpiring } from './resources/api-keys/expiring.ts';
import { sweepRevokedKeys } from './resources/api-keys/queries.ts';
import { sweepDeviceCodes } from './resources/device-sign-in/queries.ts';
import { finishRemovals, sweepIncoming } from './resources/files/upkeep.ts';
import { sweepNotifications, sweepOldNotifications } from './resources/notifications/queries.ts';

export type Work = () => Promise<unknown>;

/** Small steps until nothing is left to do. */
export const untilDone = (step: () => Promise<boolean>) => async () => {
  while (await step());
};

/** One after the other; what one of them fails at does not keep the others from their turn. */
export async function each(works: readonly Work[]): Promise<void> {
  const failures: unknown[] = [];
  for (const work of works) await work().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** What has expired is deleted, and what expires soon is told of. */
export function sweep(
  services: Pick<Services, 'now' | 'tokens' | 'files' | 'config'>,
  db: Transactor,
): Promise<void> {
  const { now, tokens, config } = services;
  return each([
    tokens.renewKeys,
    untilDone(() => sweepNonces(db, now())),
    untilDone(() => sweepPasses(db, now())),
    untilDone(() => sweepSignIns(db, now())),
    untilDone(() => sweepSignInAddresses(db, now())),
    untilDone(() => sweepReplacedTokens(db, now())),
    untilDone(() => sweepDeviceCodes(db, now())),
    untilDone(() => sweepPasswordResets(db, now())),
    untilDone(() => sweepRevokedKeys(db)),
    untilDone(() => sweepIdempotencyKeys(db, now())),
    untilDone(() => sweepMails(db, now())),
    untilDone(() => sweepInvitations(db, now())),
    untilDone(() => sweepEvents(db, now())),
    untilDone(() => tellExpiring(db, now())),
    untilDone(() => finishRemovals(services, db)),
    untilDone(() => sweepCancelled(db, now())),
    untilDone(() => sweepNotifications(db, now())),
    untilDone(() => sweepOldNotifications(db, now())),
    () => sweepIncoming(services),
    untilDone(() => sweepDeliveries(db, now())),
    untilDone(() => sweepDeletedChannels(db, now())),
    () => makeRequestDays(db, now()),
    untilDone(() => dropRequestDay(db, now(), config.requestLogDays)),
    () => sweepRequestBatches(db, now()),
  ]);
}
