import { useCallback, useId } from 'react';
import { useSearchParams } from 'wouter';
import classes from './mode-switch.module.css';

const modes = ['LIVE', 'TEST'] as const;
export type Mode = (typeof modes)[number];

/** The mode of the address; LIVE unless it says TEST. */
export function useMode(): [Mode, (mode: Mode) => void] {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (mode: Mode) =>
      setParams((old) => {
        const { page: _page, transfer: _transfer, mode: _mode, ...kept } = Object.fromEntries(old);
        return mode === 'TEST' ? { ...kept, mode } : kept;
      }),
    [setParams],
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
