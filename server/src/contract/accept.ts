/** RFC 9110 section 12.5.1, as far as one media type is concerned: named, and not with q=0. */
export function accepts(accept: string | undefined, media: string): boolean {
  return (accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === media && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
