export function segment(name: string, value: string): string {
  // A URL would take these for steps between folders, and lead to another endpoint.
  if (value === '' || value === '.' || value === '..') throw new TypeError(`${name} is not an identifier`);
  return encodeURIComponent(value);
}
