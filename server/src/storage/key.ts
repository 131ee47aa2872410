/** Parts of letters, digits, `_`, `-` and `.`, none of which begins with a dot: no way out of a folder, nothing to encode in a URL. */
const shape = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}){0,7}$/;

/** Keys are made by the service itself. One that is not of their shape is a mistake, and is not followed. */
export function checkedKey(key: string): string {
  if (!shape.test(key)) throw new Error(`not a key of the storage: ${JSON.stringify(key)}`);
  return key;
}
