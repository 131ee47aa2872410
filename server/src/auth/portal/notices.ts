import { isMailAddress } from '../../contract/mail-address.ts';
import type { Transaction } from '../../db/database.ts';
import type { Content, Locale } from '../../mail/kinds.ts';
import type { Mail } from '../../mail/mail.ts';

/** A notice that is older says nothing any more. */
const lifeMs = 3 * 86_400_000;

type Told = { to: { email: string; locale: Locale }; from: { address: string | null }; nowMs: number };

/** Tells an account how its ways in were changed, where mails are sent at all. */
async function notify(mail: Mail, tx: Transaction, content: Content, nowMs: number): Promise<void> {
  if (mail.isOn && isMailAddress(content.to))
    await mail.enqueue(tx, { ...content, expiresAtMs: nowMs + lifeMs }, nowMs);
}

const valuesOf = ({ from, nowMs }: Told) => ({
  at: new Date(nowMs).toISOString(),
  ipAddress: from.address,
});

export async function tellPasswordChanged(mail: Mail, tx: Transaction, told: Told): Promise<void> {
  const { email: to, locale } = told.to;
  await notify(mail, tx, { to, locale, kind: 'password-changed', values: valuesOf(told) }, told.nowMs);
}

export async function tellSecondFactorChanged(
  mail: Mail,
  tx: Transaction,
  isOn: boolean,
  told: Told,
): Promise<void> {
  const { email: to, locale } = told.to;
  const values = { isOn, ...valuesOf(told) };
  await notify(mail, tx, { to, locale, kind: 'second-factor-changed', values }, told.nowMs);
}
