import { htmlOf } from './html.ts';
import type { Content, Locale, MailKind, MailKinds } from './kinds.ts';
import { plainLink, plainText } from './plain.ts';
import { english } from './wording/en.ts';
import type { Message, Wording } from './wording/wording.ts';
import { simplifiedChinese } from './wording/zh-cn.ts';

const wordings: Record<Locale, Wording> = { en: english, 'zh-CN': simplifiedChinese };

export type Rendered = { subject: string; text: string; html: string };

function plainValues<Values extends object>(values: Values): Values {
  const plain = (name: string, value: unknown) =>
    typeof value !== 'string' ? value : name === 'url' ? plainLink(value) : plainText(value);
  const entries = Object.entries(values).map(([name, value]) => [name, plain(name, value)]);
  return Object.fromEntries(entries) as Values; // the same names, and texts stay texts
}

function messageOf<Kind extends MailKind>(
  { messages }: Wording,
  kind: Kind,
  values: MailKinds[Kind],
): Message {
  return messages[kind](plainValues(values));
}

function textOf({ heading, paragraphs, button, notes }: Message, footer: string): string {
  const link = button === undefined ? [] : [`${button.label}:\n${button.url}`];
  return `${[heading, ...paragraphs, ...link, ...notes, `-- \n${footer}`].join('\n\n')}\n`;
}

/** A mail in the language of its reader, as text and as a page that say the same. */
export function renderMail({ locale, kind, values }: Content, origin: string): Rendered {
  const wording = wordings[locale];
  const message = messageOf(wording, kind, values);
  const footer = wording.footer(origin);
  return {
    subject: message.subject,
    text: textOf(message, footer),
    html: htmlOf({ message, language: locale, linkHint: wording.linkHint, footer }),
  };
}
