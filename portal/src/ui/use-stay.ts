import { useEffect } from 'react';

const mark = { isStaying: true };
const isMarked = () => history.state !== null && Object.hasOwn(history.state, 'isStaying');
/** One more step of the history at the same address: the back button leads from it to where one is. */
const addStep = () => history.pushState(mark, '', location.href);

/** Keeps one on this page, against the back button, and asks before the tab is closed. */
export function useStay(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addStep();
    addEventListener('popstate', addStep);
    addEventListener('beforeunload', ask);
    return () => {
      removeEventListener('popstate', addStep);
      removeEventListener('beforeunload', ask);
      if (isMarked()) history.back();
    };
  }, [isNeeded]);
}
