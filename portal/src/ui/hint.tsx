import type { ReactNode } from 'react';
import classes from './hint.module.css';

/** A short value; the exact one is shown on hover and focus, and always read aloud. */
export function Hint({ exact, children }: { exact: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact value must be within reach of a keyboard
    <span className={classes['hint']} tabIndex={0}>
      {children}
      <span className={classes['exact']}>{exact}</span>
    </span>
  );
}
