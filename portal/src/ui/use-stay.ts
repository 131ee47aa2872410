import { useEffect, useSyncExternalStore } from 'react';

const mark = { isStaying: true };
const isMarked = () => history.state !== null && Object.hasOwn(history.state, 'isStaying');
/** One more step of the history at the same address: the back button leads from it to where one is. */
const addStep = () => history.pushState(mark, '', location.href);

/** Leads back here, also from further away: who presses back twice is faster than the page. */
function returnHere(): () => void {
  const { href } = location;
  const { state } = history;
  return () => {
    if (location.href !== href) history.pushState(state, '', href);
    addStep();
  };
}

/** The way back to each thing that would be lost with the page. */
const stays = new Set<() => void>();
const listeners = new Set<() => void>();

function tellAll(): void {
  for (const listener of listeners) listener();
}

/** Before the first page is shown: the router must not hear of an address that one is led back from. */
export function startStaying(): void {
  addEventListener('popstate', () => {
    for (const comeBack of stays) comeBack();
  });
}

/** Whether there is something on the page that would be lost with it. */
export const isStaying = (): boolean => stays.size > 0;

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
    const comeBack = returnHere();
    addStep();
    stays.add(comeBack);
    tellAll();
    addEventListener('beforeunload', ask);
    return () => {
      stays.delete(comeBack);
      removeEventListener('beforeunload', ask);
      if (isMarked()) history.back();
      tellAll();
    };
  }, [isNeeded]);
}
