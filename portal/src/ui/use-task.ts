import { useCallback, useRef, useState } from 'react';
import { returnFocus } from './focus.ts';

/** What a dialog is about. The number tells one from the next. */
export type Task<What> = What & { number: number };

/** The task at hand, and what had the focus before it. */
export function useTask<What extends object>() {
  const [task, setTask] = useState<Task<What>>();
  const trigger = useRef<HTMLElement | null>(null);
  const count = useRef(0);
  const begin = useCallback((what: What, from: HTMLElement | null) => {
    // What follows from another task goes back to where that one began.
    if (from !== null) trigger.current = from;
    count.current += 1;
    setTask({ ...what, number: count.current });
  }, []);
  /** What comes next takes the focus itself. */
  const leave = useCallback(() => setTask(undefined), []);
  const close = useCallback(() => {
    leave();
    returnFocus(trigger.current);
  }, [leave]);
  return { task, begin, close, leave };
}
