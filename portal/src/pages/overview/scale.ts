/** The smallest of 1, 2 and 5 times a power of ten that is no smaller: what people count in. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= rough * (1 - 1e-9)) ?? 10;
  return Math.max(1, step * power);
}

/** Where the lines of a chart are: whole numbers from 0 to one that is no smaller than the most. */
export function linesOf(most: number, wanted = 4): number[] {
  const step = roundStep(Math.max(most, 1) / wanted);
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Of the points that may have a label, those whose labels do not touch: the last one, and then what fits before it. */
export function labelled(candidates: readonly number[], slotWidth: number, labelWidth: number): number[] {
  const kept: number[] = [];
  for (const index of candidates.toReversed()) {
    const next = kept[0];
    if (next === undefined || (next - index) * slotWidth >= labelWidth) kept.unshift(index);
  }
  return kept;
}
