import { useEffect, useSyncExternalStore } from 'react';

const mark = { isStaying: true };
const isMarked = () => history.state !== null && Object.hasOwn(history.state, 'isStaying');
/** One more step of the history at the same address: the back button leads from it to where one is. */
const addStep = () => history.pushState(mark, '', location.href);

let stays = 0;
const listeners = new Set<() => void>();

function count(by: 1 | -1): void {
  stays += by;
  for (const listener of listeners) listener();
}

/** Whether there is something on the page that would be lost with it. */
export const isStaying = (): boolean => stays > 0;

export function subscribeStay(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useIsStaying = (): boolean => useSyncExternalStore(subscribeStay, isStaying);

/** Keeps one on this page, against the back button and the end of the session, and asks before the tab is closed. */
export function useStay(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addStep();
    count(1);
    addEventListener('popstate', addStep);
    addEventListener('beforeunload', ask);
    return () => {
      removeEventListener('popstate', addStep);
      removeEventListener('beforeunload', ask);
      if (isMarked()) history.back();
      count(-1);
    };
  }, [isNeeded]);
}
