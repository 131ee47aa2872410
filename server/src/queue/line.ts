/** A place in a line; it refers to its neighbours only while it is there. */
export type Place<Item> = {
  readonly item: Item;
  isThere: boolean;
  before: Place<Item> | undefined;
  behind: Place<Item> | undefined;
};

/**
 * For what comes and goes with every request. A Map or a Set moves to a new table again and again then, and the table it has left
 * refers to the next one: once one of them is old and dead, all that has been in any later one is kept until the next full
 * collection. A place that was left refers to nothing.
 */
export class Line<Item> {
  #first: Place<Item> | undefined;
  #last: Place<Item> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Who has been here longest. */
  get first(): Item | undefined {
    return this.#first?.item;
  }

  add(item: Item): Place<Item> {
    const place: Place<Item> = { item, isThere: true, before: this.#last, behind: undefined };
    if (this.#last === undefined) this.#first = place;
    else this.#last.behind = place;
    this.#last = place;
    this.#size += 1;
    return place;
  }

  /** Once: a place that was left before stays so. */
  remove(place: Place<Item>): void {
    if (!place.isThere) return;
    const { before, behind } = place;
    if (before === undefined) this.#first = behind;
    else before.behind = behind;
    if (behind === undefined) this.#last = before;
    else behind.before = before;
    place.isThere = false;
    place.before = undefined;
    place.behind = undefined;
    this.#size -= 1;
  }
}
