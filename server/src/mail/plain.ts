/** In code points; a name longer than this says nothing more, and could hide what a mail is about. */
const lengthMax = 80;

/**
 * A value as part of a line: no line breaks, nothing invisible and nothing that turns the direction of what follows. Whoever
 * named a workspace can write neither headers nor a second message into a mail.
 */
export function plainText(text: string): string {
  const shown = text
    .replace(/[\p{Cf}\p{Co}\p{Cs}]/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const points = [...shown];
  return points.length > lengthMax ? `${points.slice(0, lengthMax).join('')}…` : shown;
}

/** A link as it is written: in ASCII and in one piece. */
export function plainLink(text: string): string {
  const { protocol, href } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('a mail links to what is no page');
  return href;
}

/** A moment in the language of the reader; UTC, and it says so. */
export function plainTime(language: string, iso: string): string {
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(new Date(iso))} UTC`;
}
