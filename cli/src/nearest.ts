import leven from 'leven';

/** `: did you mean …?`, or nothing when no known name is near. */
export function suggestion(typed: string, known: readonly string[]): string {
  const ranked = known.map((name) => ({ name, edits: leven(typed, name) }));
  const [best] = ranked.sort((a, b) => a.edits - b.edits);
  const isNear = best !== undefined && (best.edits <= 2 || best.edits < best.name.length / 2);
  return isNear ? `: did you mean ${best.name}?` : '';
}
