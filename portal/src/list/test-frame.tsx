import type { Mode } from '@portico/sdk/portal';
import type { ReactNode } from 'react';
import classes from './test-frame.module.css';

export const TestMark = () => <span className={classes['mark']}>TEST</span>;

/** Around what is not real, so that nobody takes it for real. */
export function TestFrame({ mode, children }: { mode: Mode; children: ReactNode }) {
  return (
    <div className={classes['frame']} data-mode={mode}>
      {mode === 'TEST' ? <span className={classes['flag']}>Test data</span> : null}
      {children}
    </div>
  );
}
