import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { onceWords, uiWords } from '../words/ui.ts';
import { Caution } from './caution.tsx';
import dialog from './dialog.module.css';
import classes from './shown-once.module.css';
import { ShownValue } from './shown-value.tsx';
import { useStay } from './use-stay.ts';

type Value = { name: string; value: string };
type Props = {
  /** Above all else: what it belongs to. */
  band: ReactNode;
  /** Where to put it, and what it is good for. */
  about: ReactNode;
  values: readonly Value[];
  /** More ways to take it along. */
  children?: ReactNode;
  onDone(): void;
};

/** A secret in full, once, and no way on before it is stored. */
export function ShownOnce({ band, about, values, children, onDone }: Props) {
  const [isStored, setStored] = useState(false);
  const top = useRef<HTMLDivElement>(null);
  // The button that had the focus is gone with the form.
  useEffect(() => top.current?.focus(), []);
  useStay(!isStored);
  return (
    <div ref={top} tabIndex={-1} className={dialog['raised']}>
      {band}
      <Stack gap="md">
        <Caution role="note" title={onceWords.title}>
          {about}
        </Caution>
        {values.map(({ name, value }) => (
          <ShownValue key={name} name={name} value={value} />
        ))}
        {children}
        <Checkbox
          className={classes['stored'] ?? ''}
          label={onceWords.stored}
          checked={isStored}
          onChange={({ currentTarget }) => setStored(currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button disabled={!isStored} onClick={onDone}>
            {uiWords.done}
          </Button>
        </Group>
      </Stack>
    </div>
  );
}

type LostProps = { children: ReactNode; values: readonly Value[]; onClose(): void };

/** The answer with the secret was lost on its way, and the next one does not have it. */
export function LostOnce({ children, values, onClose }: LostProps) {
  return (
    <Stack gap="md">
      <Caution role="alert" title={onceWords.lost}>
        {children}
      </Caution>
      {values.map(({ name, value }) => (
        <ShownValue key={name} name={name} value={value} />
      ))}
      <Group justify="flex-end">
        <Button onClick={onClose}>{uiWords.close}</Button>
      </Group>
    </Stack>
  );
}
