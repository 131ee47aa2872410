import { useCallback, useRef, useState } from 'react';

export type Attempt = {
  isPending: boolean;
  error: unknown;
  run<Result>(work: () => Promise<Result>, done: (result: Result) => void): void;
  forget(): void;
};

const idle = { isPending: false, error: null as unknown };

/** A change that is on its way. Unlike a mutation of the query client it remembers no result, as that may be a secret. */
export function useAttempt(): Attempt {
  const [state, setState] = useState(idle);
  const isRunning = useRef(false);
  const run = useCallback(<Result>(work: () => Promise<Result>, done: (result: Result) => void) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setState({ isPending: true, error: null });
    const finish = async () => {
      try {
        const result = await work();
        setState(idle);
        done(result);
      } catch (error) {
        setState({ isPending: false, error });
      } finally {
        isRunning.current = false;
      }
    };
    void finish();
  }, []);
  const forget = useCallback(() => setState(idle), []);
  return { ...state, run, forget };
}
