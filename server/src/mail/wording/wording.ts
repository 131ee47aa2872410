import type { MailKind, MailKinds } from '../kinds.ts';

/** What a mail says, in the order in which it says it. */
export type Message = {
  subject: string;
  heading: string;
  paragraphs: string[];
  button?: { label: string; url: string };
  notes: string[];
};

/** All mails in one language. Values are plain: they break no line, and are escaped later. */
export type Wording = {
  messages: { [Kind in MailKind]: (values: MailKinds[Kind]) => Message };
  /** Before the bare link. */
  linkHint: string;
  footer(origin: string): string;
};
