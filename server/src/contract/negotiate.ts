/** No client names more in one header, or of one of them: whatever follows is not read, as each costs the time of everyone. */
const membersMax = 64;
const parametersMax = 8;

/** The members of a header that is a list (RFC 9110, 5.6.1). */
const membersOf = (list = '') => list.split(',', membersMax).map((member) => member.trim());

const partsOf = (member: string) =>
  member.split(';', parametersMax).map((part) => part.trim().toLowerCase()) as [string, ...string[]]; // a split has one part at least

/** RFC 9110, 12.5.1, as far as one media type is concerned: named, and not with q=0. */
export function accepts(accept: string | undefined, media: string): boolean {
  return membersOf(accept).some((range) => {
    const [type, ...parameters] = partsOf(range);
    return type === media && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

export type Encoding = 'br' | 'gzip' | 'identity';

/** What was compressed before; identity is always there. */
export type Bodies = { readonly [Name in Encoding]?: Buffer };

/** RFC 9110, 12.5.3, as far as it is about what was compressed. */
export function chooseEncoding(accepted: string | undefined, bodies: Bodies): Encoding {
  const weights = new Map(
    membersOf(accepted).map((member) => {
      const [name, ...parameters] = partsOf(member);
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return [name, Number(weight) || 0] as const;
    }),
  );
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const offered = (['br', 'gzip'] as const).filter(
    (name) => bodies[name] !== undefined && weightOf(name) > 0,
  );
  return offered.sort((one, other) => weightOf(other) - weightOf(one))[0] ?? 'identity';
}

/** RFC 9110, 13.1.2: a star, or a list of tags. Weak and strong are alike here, as one tag has one content. */
export function isKnownTag(ifNoneMatch: string | undefined, tag: string): boolean {
  const strong = (text: string) => text.replace(/^W\//, '');
  return membersOf(ifNoneMatch).some((known) => known === '*' || strong(known) === strong(tag));
}
