import { domainToASCII } from 'node:url';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mailbox } from '../config/mail-values.ts';
import type { Content } from './kinds.ts';
import { renderMail } from './render.ts';

type Sent = { id: string; content: Content; from: Mailbox; origin: string; nowMs: number };

/** The bytes of a mail. Sent again, it has the id that it had, so that a reader shows one of two. */
export function composeMail({ id, content, from, origin, nowMs }: Sent): Promise<Buffer> {
  const { subject, text, html } = renderMail(content, origin);
  const domain = domainToASCII(from.address.slice(from.address.lastIndexOf('@') + 1));
  const composer = new MailComposer({
    from,
    to: { name: '', address: content.to },
    subject,
    text,
    html,
    messageId: `<${id}@${domain}>`,
    date: new Date(nowMs),
    headers: { 'Content-Language': content.locale, 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}
