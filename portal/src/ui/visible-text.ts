/**
 * What ends a line, moves the cursor, turns the text around or cannot be seen at all, so that a name shows as another than it is.
 * The joiner U+200D stays: emoji are made with it.
 */
const deceiving = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\u00ad\u200b\u200c\u2060-\u2064\ufeff]/gu;

const codeOf = (sign: string) =>
  `[U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;

/** A text of someone else, with every sign of it to be seen. */
export function visibleText(text: string): string {
  return text.replace(deceiving, codeOf);
}

/** A name under which something can be saved: no folders, nothing that deceives, nothing hidden. */
export function savedName(name: string): string {
  const plain = name
    .replace(deceiving, '_')
    .replace(/[/\\:*?"<>|%]/g, '_')
    .trim();
  const shown = plain.replace(/^\.+/, (dots) => '_'.repeat(dots.length)).replace(/[. ]+$/, '');
  return shown === '' ? 'file' : shown;
}
