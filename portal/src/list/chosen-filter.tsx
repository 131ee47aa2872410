import { Pill } from '@mantine/core';
import { listWords } from '../words/list.ts';
import classes from './chosen-filter.module.css';

type Props = { label: string; value: string | undefined; onRemove(): void };

/** A filter that is chosen elsewhere, and taken back here. */
export function ChosenFilter({ label, value, onRemove }: Props) {
  if (value === undefined) return null;
  return (
    <Pill
      className={classes['chosen'] ?? ''}
      withRemoveButton
      onRemove={onRemove}
      removeButtonProps={{
        'aria-label': listWords.removeFilter(label, value),
        'aria-hidden': false,
        tabIndex: 0,
      }}
    >
      {label} <code className={classes['value']}>{value}</code>
    </Pill>
  );
}
