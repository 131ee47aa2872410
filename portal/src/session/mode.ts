import type { Mode } from '@portico/sdk/portal';
import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import { recordParameters } from '../ui/record-places.ts';

export const modeParameter = 'mode';

/** The mode of the address, which every page is about that knows one; LIVE unless it says TEST. */
export function useMode(): Mode {
  const [params] = useSearchParams();
  return params.get(modeParameter) === 'TEST' ? 'TEST' : 'LIVE';
}

/** What the address says of the other mode: LIVE is not named, and pages and records of the former one are left. */
export function inMode(mode: Mode, params: URLSearchParams): URLSearchParams {
  const others = new URLSearchParams(params);
  for (const name of ['page', modeParameter, ...recordParameters]) others.delete(name);
  if (mode === 'TEST') others.set(modeParameter, mode);
  return others;
}

/** Shows the same page in another mode, with the same filters. */
export function useSwitchMode(): (mode: Mode) => void {
  const [, setParams] = useSearchParams();
  return useCallback((mode) => setParams((old) => inMode(mode, old)), [setParams]);
}
