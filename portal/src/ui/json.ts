export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a key of its own: a key may be named constructor. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

/** On one line: texts as they are, the rest as JSON. */
export const inline = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** deliveryReceipts and DELIVERY_RECEIPTS → Delivery receipts. What is an abbreviation stays one. */
export function inWords(key: string): string {
  const split = key.replace(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
  const words = split.toLowerCase().replace(/\b(html|url|id|sms|ip)\b/g, (word) => word.toUpperCase());
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function follow(root: JsonObject, pointer: string): unknown {
  const keys = pointer.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.reduce<unknown>((at, key) => (isObject(at) ? own(at, key) : undefined), root);
}

/** What a reference within the schema leads to; one that leads elsewhere stays as it is. */
export function resolve(root: JsonObject, schema: unknown): unknown {
  let found = schema;
  for (let step = 0; step < 8 && isObject(found); step += 1) {
    const { $ref: reference, ...beside } = found;
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return found;
    const target = follow(root, reference.slice(2));
    if (target === undefined) return found;
    // Words beside a reference are about this place.
    found = isObject(target) ? { ...target, ...beside } : target;
  }
  return found;
}
