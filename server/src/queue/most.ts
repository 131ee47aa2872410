/** The first of those that have most. */
export function most<Value>(values: Iterable<Value>, amountOf: (value: Value) => number): Value | undefined {
  let found: Value | undefined;
  for (const value of values) if (found === undefined || amountOf(value) > amountOf(found)) found = value;
  return found;
}
