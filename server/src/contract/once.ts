/** Makes it when it is first asked for: to compile every schema before anyone asks takes about a quarter of a start. */
export function once<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
