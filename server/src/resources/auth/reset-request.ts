import type { FastifyInstance, FastifyReply } from 'fastify';
import { accountName } from '../../auth/portal/guessing.ts';
import { linkTo } from '../../auth/portal/links.ts';
import { insertPasswordReset, resetLifeMs } from '../../auth/portal/password-resets.ts';
import type { Origin } from '../../auth/portal/sign-in-records.ts';
import type { Services } from '../../auth/services.ts';
import { addressGroup } from '../../contract/address.ts';
import { isMailAddress } from '../../contract/mail-address.ts';
import { createAfterAnswer } from '../../limits/after-answer.ts';
import { countsOfAddress, takeAll } from '../../limits/limits.ts';
import { type AuditRecord, appendRecords } from '../../log/append.ts';
import { findResettable } from './queries.ts';

const what = 'password resets';
const shares = { atOnceMax: 2, atOnceEach: 1, waitingMax: 500, waitingEach: 20, waitMs: 10_000 };

/** Anyone may ask, so it was not done by the account. */
function recordOf(
  accountBizId: string,
  { address, requestId }: Origin,
  nowMs: number,
  expiresAt: string,
): AuditRecord {
  return {
    action: 'account.password-reset-requested',
    actor: { type: 'SYSTEM', id: 'sign-in', name: 'Sign-in', address, requestId },
    institutionId: null,
    workspaceId: null,
    subjectId: accountBizId,
    changes: { expiresAt: { from: null, to: expiresAt } },
    occurredAtMs: nowMs,
  };
}

/** To an account that may have one. The link, the mail and the record are kept together. */
async function mailLink({ config, db, mail, now }: Services, origin: Origin, typed: string): Promise<void> {
  const account = await findResettable(db, typed);
  if (account === undefined || !isMailAddress(account.email)) return;
  const { id, bizId, email: to, locale } = account;
  await db.transaction(async (tx) => {
    const nowMs = now();
    const token = await insertPasswordReset(tx, id, resetLifeMs.mailed, nowMs);
    const expiresAtMs = nowMs + resetLifeMs.mailed;
    const expiresAt = new Date(expiresAtMs).toISOString();
    const values = { url: linkTo(config, 'reset-password', token), expiresAt };
    if (!(await mail.enqueue(tx, { to, locale, kind: 'password-reset', values, expiresAtMs }, nowMs)))
      throw new Error('as many mails wait for the account as may');
    await appendRecords(tx, [recordOf(bizId, origin, nowMs, expiresAt)]);
  });
}

/** What is done before the answer is the same for every e-mail address, whether it has an account or not. */
export function createResetRequests(app: FastifyInstance, services: Services) {
  const { limits, mail } = services;
  const afterAnswer = createAfterAnswer(app, what, shares);
  return async (origin: Origin, email: string, reply: FastifyReply): Promise<void> => {
    const address = addressGroup(origin.address ?? undefined);
    const counts = [
      ...countsOfAddress('passwordResetAddress', origin.address ?? undefined),
      ['passwordReset', accountName(email)],
    ] as const;
    await takeAll(limits, counts, what);
    if (mail.isOn) afterAnswer(reply, address, () => mailLink(services, origin, email));
    else
      reply.log.warn(
        'a password reset was asked for, and PORTICO_SMTP_URL is not set: portico admin account reset-password prints a link',
      );
  };
}
