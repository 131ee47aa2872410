import { once } from 'node:events';
import type { WriteStream } from 'node:tty';

const escapes = { bold: '1', dim: '2', red: '31', green: '32', cyan: '36' } as const;
type Style = keyof typeof escapes;

/** https://no-color.org: an empty NO_COLOR counts as unset. */
function hasColours(stream: WriteStream): boolean {
  return stream.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
}

function painter(stream: WriteStream) {
  return (style: Style, text: string) =>
    hasColours(stream) ? `\u001b[${escapes[style]}m${text}\u001b[0m` : text;
}

export const paint = painter(process.stdout);
export const paintError = painter(process.stderr);

/** Undefined when the output goes to a file or a program, which gets everything in full, or when no one knows. */
export const terminalWidth = (): number | undefined => process.stdout.columns || undefined;

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Many lines, no faster than they are taken. */
export async function printAll(lines: readonly string[]): Promise<void> {
  if (!process.stdout.write(lines.map((line) => `${line}\n`).join(''))) await once(process.stdout, 'drain');
}

/** For the person, beside what a script reads. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Text that others wrote must neither steer the terminal nor reorder its line. */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
