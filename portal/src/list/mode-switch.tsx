import type { Mode } from '@portico/sdk/portal';
import { useCallback, useId } from 'react';
import { useSearchParams } from 'wouter';
import classes from './mode-switch.module.css';

const modes: readonly Mode[] = ['LIVE', 'TEST'];

/** The mode of the address; LIVE unless it says TEST. Another one has other pages and records: what is open is closed. */
export function useMode(openParameter: string): [Mode, (mode: Mode) => void] {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (mode: Mode) =>
      setParams((old) => {
        const { page: _page, [openParameter]: _open, mode: _mode, ...kept } = Object.fromEntries(old);
        return mode === 'TEST' ? { ...kept, mode } : kept;
      }),
    [openParameter, setParams],
  );
  return [params.get('mode') === 'TEST' ? 'TEST' : 'LIVE', set];
}

export function ModeSwitch({ mode, setMode }: { mode: Mode; setMode(mode: Mode): void }) {
  const name = useId();
  return (
    <fieldset className={classes['switch']}>
      <legend className={classes['legend']}>Mode</legend>
      {modes.map((each) => (
        <label key={each} className={classes['choice']} data-mode={each}>
          <input
            className={classes['radio']}
            type="radio"
            name={name}
            value={each}
            checked={each === mode}
            onChange={() => setMode(each)}
          />
          {each}
        </label>
      ))}
    </fieldset>
  );
}
