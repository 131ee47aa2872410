import { Type } from 'typebox';
import { insertAccount, newAccountId } from '../auth/portal/new-account.ts';
import { deletePasswordReset, insertPasswordReset, resetLifeMs } from '../auth/portal/password-resets.ts';
import { AccountLocale, EmailAddress, PersonName } from '../auth/portal/person-fields.ts';
import { revokeAllSignIns } from '../auth/portal/sign-ins.ts';
import { ConfigError } from '../config.ts';
import { ApiError } from '../contract/api-error.ts';
import { aSecret, changesOf } from '../contract/changes.ts';
import type { Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Locale } from '../mail/kinds.ts';
import type { Mail } from '../mail/mail.ts';
import { AccountRecord, selectAccount } from './accounts.ts';
import { Choice, Named, orNull } from './fields.ts';
import { countIdentities } from './identities.ts';
import { operatorTask } from './operator.ts';
import { anywhere, theAccount } from './places.ts';
import type { Tools } from './tools.ts';

const expiry = { expiresAt: Type.String({ format: 'date-time' }) };

type LinkTo = ReturnType<Tools['linkMaker']>;
type Recipient = { accountId: number; email: string; locale: Locale };

/** A link that sets a password, and when it ends. */
async function issueLink(tx: Transaction, linkTo: LinkTo, accountId: number, lifeMs: number, nowMs: number) {
  const url = linkTo('reset-password', await insertPasswordReset(tx, accountId, lifeMs, nowMs));
  return { url, expiresAt: new Date(nowMs + lifeMs).toISOString() };
}

function requireMail(mail: Mail | undefined): Mail {
  if (mail === undefined) throw new ConfigError('PORTICO_SMTP_URL: must be set for mails to be sent');
  return mail;
}

async function sendLink(
  tx: Transaction,
  { linkTo, mail }: { linkTo: LinkTo; mail: Mail },
  { accountId, email, locale }: Recipient,
  nowMs: number,
): Promise<{ url: null; expiresAt: string }> {
  const values = await issueLink(tx, linkTo, accountId, resetLifeMs.mailed, nowMs);
  const expiresAtMs = nowMs + resetLifeMs.mailed;
  const letter = { to: email, locale, kind: 'password-reset' as const, values, expiresAtMs };
  if (await mail.enqueue(tx, letter, nowMs)) return { url: null, expiresAt: values.expiresAt };
  throw new ApiError('4290', 'too many mails wait for this address already');
}

/** Without a password: the link sets the first one. */
export const addAccount = ({ linkMaker }: Tools) => {
  const linkTo = linkMaker();
  return operatorTask({
    input: Type.Object({ email: EmailAddress, name: PersonName, locale: Type.Optional(AccountLocale) }),
    answer: Type.Object({ ...AccountRecord.properties, url: Type.String(), ...expiry }),
    place: anywhere,
    action: 'account.created',
    async run({ tx, nowMs, input: { email, name, locale = 'en' } }) {
      const bizId = newAccountId(nowMs);
      const accountId = await insertAccount(tx, { bizId, email, name, locale, passwordHash: null }, nowMs);
      if (accountId === undefined)
        throw new ApiError('4090', `there is an account with the address ${email} already`);
      const issued = await issueLink(tx, linkTo, accountId, resetLifeMs.handedOver, nowMs);
      return {
        answer: { ...(await selectAccount(tx, accountId)), ...issued },
        subject: bizId,
        changes: changesOf({}, { email, name, locale, status: 'ACTIVE' }),
      };
    },
  });
};

/** The password and the sign-ins are as they were until the link is used. */
export const resetPassword = ({ linkMaker, mail }: Tools) => {
  const linkTo = linkMaker();
  return operatorTask({
    input: Type.Object({ account: Named, mail: Choice }),
    answer: Type.Object({
      accountId: Type.String(),
      email: Type.String(),
      url: orNull(Type.String()),
      ...expiry,
    }),
    place: theAccount,
    action: 'account.password-reset-requested',
    async run({ tx, nowMs, place, input }) {
      const { accountBizId, email, status } = place;
      if (status === 'DISABLED') throw new ApiError('4091', 'the account is DISABLED: enable it first');
      const issued = input.mail
        ? await sendLink(tx, { linkTo, mail: requireMail(mail()) }, place, nowMs)
        : await issueLink(tx, linkTo, place.accountId, resetLifeMs.handedOver, nowMs);
      return {
        answer: { accountId: accountBizId, email, ...issued },
        subject: accountBizId,
        changes: changesOf({}, { expiresAt: issued.expiresAt }),
      };
    },
  });
};

async function deletePassword(tx: Transaction, accountId: number): Promise<void> {
  await tx.query(sql`update accounts set password_hash = null where id = ${accountId}`);
  await deletePasswordReset(tx, accountId);
}

/** For who signs in at an outside issuer alone. */
export const removePassword = operatorTask({
  input: Type.Object({ account: Named }),
  answer: AccountRecord,
  place: theAccount,
  action: 'account.password-removed',
  async run({ tx, nowMs, place: { accountId, accountBizId, hasPassword } }) {
    if (!hasPassword) throw new ApiError('4091', 'the account has no password');
    if ((await countIdentities(tx, accountId)) === 0)
      throw new ApiError(
        '4091',
        'the account is bound to no issuer and could not sign in any more: bind it first, or disable it',
      );
    await deletePassword(tx, accountId);
    const signIns = await revokeAllSignIns(tx, accountId, nowMs);
    return {
      answer: await selectAccount(tx, accountId),
      subject: accountBizId,
      changes: changesOf({ password: aSecret, signIns }, { password: null, signIns: 0 }),
    };
  },
});
