export type ByteRange = { start: number; end: number };

/** One range, of at most as many digits as a number can hold exactly. */
const form = /^bytes=[ \t]*(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))[ \t]*$/i;

/**
 * RFC 9110, 14.2: what is not understood is as if it were not there, and so are several ranges at once, which nobody who resumes a
 * download sends. The end is inclusive.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const found = form.exec(header ?? '');
  if (found === null) return 'whole';
  const [, first, last, suffix] = found;
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === undefined ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== undefined && Number(last) < start) return 'whole';
  return start >= size ? 'unsatisfiable' : { start, end };
}
