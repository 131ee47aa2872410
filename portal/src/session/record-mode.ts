import type { Mode } from '@portico/sdk/portal';
import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { modeParameter, useMode } from './mode.ts';

/** The list behind an open record is that of its own mode, whatever the link to it said. Undefined: none is open. */
export function useRecordMode(actual: Mode | undefined): void {
  const mode = useMode();
  const [, setParams] = useSearchParams();
  useEffect(() => {
    if (actual === undefined || actual === mode) return;
    setParams(
      (old) => {
        const { [modeParameter]: _mode, page: _page, ...kept } = Object.fromEntries(old);
        return actual === 'TEST' ? { ...kept, [modeParameter]: actual } : kept;
      },
      { replace: true },
    );
  }, [actual, mode, setParams]);
}
