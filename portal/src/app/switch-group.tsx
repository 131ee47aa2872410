import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './switch-group.module.css';

type Choice<Value extends string> = { value: Value; name: string; shown: ReactNode };
type Props<Value extends string> = {
  label: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onChoose(value: Value): void;
};

/** How this browser shows things: one of a few. */
export function SwitchGroup<Value extends string>({ label, value, choices, onChoose }: Props<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className={classes['switch']} role="group" aria-label={label}>
      {choices.map((choice) => (
        <UnstyledButton
          key={choice.value}
          className={classes['choice']}
          aria-label={choice.name}
          aria-pressed={choice.value === value}
          title={choice.name}
          onClick={() => onChoose(choice.value)}
        >
          {choice.shown}
        </UnstyledButton>
      ))}
    </div>
  );
}
