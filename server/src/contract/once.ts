/** What nobody has asked for yet, as long as someone could. */
const waiting: WeakRef<() => object>[] = [];

/** Makes it when it is first asked for: to compile every schema takes about a quarter of a start, and a command needs few. */
export function once<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined;
  const get = () => {
    made ??= make();
    return made;
  };
  waiting.push(new WeakRef(get));
  return get;
}

/** Makes the rest, so that no request waits for it. */
export function makeAll(): void {
  for (const each of waiting.splice(0)) each.deref()?.();
}
