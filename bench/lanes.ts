/** As many as the machine that most results are of has processors. */
const lanes = 2;

/** Several work at once, and each takes the next of what is left. */
export async function inLanes<Item>(
  items: readonly Item[],
  work: (left: Iterable<Item>) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(Array.from({ length: lanes }, () => work(left)));
}

/** Where each chunk of what goes from the first to the last begins. */
export const chunks = (first: number, last: number, size: number): number[] =>
  Array.from({ length: Math.ceil((last - first + 1) / size) }, (_none, index) => first + index * size);
