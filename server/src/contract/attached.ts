export type Attached<Owner extends object, Value> = {
  get(owner: Owner): Value | undefined;
  set(owner: Owner, value: Value): void;
};

/**
 * Something known of requests or connections, kept by each of them and found by nobody else. A WeakMap that lives long would
 * keep the values, and whatever these refer to, until the next full collection: each is copied twice on the way there.
 */
export function attachedTo<Owner extends object, Value>(): Attached<Owner, Value> {
  const key = Symbol('attached');
  type Bearer = { [key]?: Value };
  return {
    get: (owner) => (owner as Bearer)[key],
    set(owner, value) {
      (owner as Bearer)[key] = value;
    },
  };
}
