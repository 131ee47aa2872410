/** Of what it may hold, so much is free again once it was full. */
const freedPart = 0.25;

/** The length to which the longest lines are cut, so that all of them together have no more than there is room for. */
function fairLength(lengths: readonly number[], room: number): number {
  let left = room;
  const ascending = [...lengths].sort((a, b) => a - b);
  for (const [index, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (length > share) return share;
    left -= length;
  }
  return room;
}

/**
 * Holds a bounded number of things until they are taken. Each household has a line of its own: when all is full, the longest lines
 * lose what came last, so that one with many costs others nothing.
 */
export type FairBuffer<Item> = {
  /** A line that is as long as it may be takes no more. */
  add(household: string, item: Item, lineMax?: number): void;
  /** Some from each line, in turn. */
  take(itemsMax: number): Item[];
  size(): number;
  /** How many were lost since it was last asked. */
  lost(): number;
};

export function createFairBuffer<Item>(itemsMax: number): FairBuffer<Item> {
  const lines = new Map<string, Item[]>();
  let size = 0;
  let lost = 0;
  const cutTo = (household: string, line: Item[], length: number) => {
    const more = line.length - length;
    if (more <= 0) return;
    line.length = length;
    if (length === 0) lines.delete(household);
    size -= more;
    lost += more;
  };
  const makeRoom = () => {
    const room = Math.floor(itemsMax * (1 - freedPart));
    const lengths = Array.from(lines.values(), (line) => line.length);
    const length = Math.max(1, fairLength(lengths, room));
    for (const [household, line] of lines) cutTo(household, line, length);
    if (size <= room) return;
    // More lines than room, of one each: those that came last lose theirs.
    for (const [household, line] of [...lines].slice(room)) cutTo(household, line, 0);
  };
  return {
    add(household, item, lineMax = itemsMax) {
      if ((lines.get(household)?.length ?? 0) >= lineMax) {
        lost += 1;
        return;
      }
      if (size >= itemsMax) makeRoom();
      const line = lines.get(household);
      if (line === undefined) lines.set(household, [item]);
      else line.push(item);
      size += 1;
    },
    take(wantedMax) {
      const taken: Item[] = [];
      while (taken.length < wantedMax && size > 0) {
        const share = Math.max(1, Math.floor((wantedMax - taken.length) / lines.size));
        for (const [household, line] of [...lines]) {
          if (taken.length >= wantedMax) break;
          const part = line.splice(0, share);
          taken.push(...part);
          size -= part.length;
          lines.delete(household);
          if (line.length > 0) lines.set(household, line); // behind the others
        }
      }
      return taken;
    },
    size: () => size,
    lost() {
      const count = lost;
      lost = 0;
      return count;
    },
  };
}
