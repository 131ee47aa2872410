export type Notice = { number: number; text: string };

let notice: Notice | undefined;
let count = 0;
const listeners = new Set<() => void>();

function change(to: Notice | undefined): void {
  notice = to;
  for (const listener of listeners) listener();
}

/** Says that something is done, to those who see the page and to those who hear it. */
export function say(text: string): void {
  // The same once more is news again.
  count += 1;
  change({ number: count, text });
}

/** It was read, or is not for who comes next. */
export function unsay(): void {
  if (notice !== undefined) change(undefined);
}

export const noticeNow = (): Notice | undefined => notice;

export function subscribeNotice(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
