function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, char] of [...a].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (char === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? a.length;
}

/** `: did you mean …?`, or nothing when no known name is near. */
export function suggestion(typed: string, known: readonly string[]): string {
  const ranked = known.map((name) => ({ name, edits: distance(typed, name) }));
  const [best] = ranked.sort((a, b) => a.edits - b.edits);
  const isNear = best !== undefined && (best.edits <= 2 || best.edits < best.name.length / 2);
  return isNear ? `: did you mean ${best.name}?` : '';
}
