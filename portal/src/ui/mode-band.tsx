import type { ReactNode } from 'react';
import classes from './mode-band.module.css';

/** LIVE is quiet, TEST is loud. */
export function ModeMark({ mode }: { mode: string }) {
  return (
    <span className={classes['mode']} data-mode={mode}>
      {mode}
    </span>
  );
}

/** Across the top of a dialog, so that nobody mistakes what is not real for what is. */
export function ModeBand({ mode, children }: { mode: string; children: ReactNode }) {
  return (
    <div className={classes['band']} data-mode={mode}>
      <ModeMark mode={mode} />
      {children}
    </div>
  );
}
