import type { Mode } from '@portico/sdk/portal';
import { useId } from 'react';
import { listWords } from '../words/list.ts';
import classes from './mode-switch.module.css';

const modes: readonly Mode[] = ['LIVE', 'TEST'];

export function ModeSwitch({ mode, setMode }: { mode: Mode; setMode(mode: Mode): void }) {
  const name = useId();
  return (
    <fieldset className={classes['switch']}>
      <legend className={classes['legend']}>{listWords.mode}</legend>
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
