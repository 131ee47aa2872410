import { useSyncExternalStore } from 'react';

/** Where the skip link leads: a place of the page, and nothing that a link carries. */
export const contentId = 'content';

let text = '';
const listeners = new Set<() => void>();

function change(to: string): void {
  text = to;
  for (const listener of listeners) listener();
}

/** Out of the address at once, so that neither the history nor who looks at the screen keeps it. */
function take(): void {
  const found = location.hash.slice(1);
  if (found === '' || found === contentId) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  change(found);
}

// When the portal is opened: whoever has to sign in first finds it afterwards.
take();
// Pasted into a tab that shows the page already, a link loads nothing.
addEventListener('hashchange', take);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What a link carries behind its #, which no server and no log sees; empty: nothing. */
export function useLinkedText(): string {
  return useSyncExternalStore(subscribe, () => text);
}

/** It is used, or of no use. */
export function forgetLinkedText(): void {
  change('');
}
