import { Radio } from '@mantine/core';
import type { Mode } from '@portico/sdk/portal';
import { uiWords } from '../words/ui.ts';
import classes from './mode-choice.module.css';

type Props = {
  mode: Mode;
  offered: readonly Mode[];
  description: string;
  /** What each means here. */
  meanings: Record<Mode, string>;
  onChange(mode: Mode): void;
};

/** LIVE or TEST, each with what it means. */
export function ModeChoice({ mode, offered, description, meanings, onChange }: Props) {
  return (
    <Radio.Group
      label={uiWords.mode}
      description={description}
      value={mode}
      onChange={(chosen) => onChange(chosen === 'TEST' ? 'TEST' : 'LIVE')}
    >
      <div className={classes['modes']}>
        {offered.map((each) => (
          <Radio
            key={each}
            className={classes['card'] ?? ''}
            wrapperProps={{ 'data-mode': each }}
            value={each}
            label={each}
            description={meanings[each]}
          />
        ))}
      </div>
    </Radio.Group>
  );
}
