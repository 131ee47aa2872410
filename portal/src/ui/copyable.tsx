import { Popover, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import { copyWords } from '../words/ui.ts';
import classes from './copyable.module.css';

const rowsMax = 10;
const charactersInRow = 36;

const rowsOf = (value: string) =>
  value.split('\n').reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / charactersInRow)), 0);

/** The value, marked: one key copies it. */
function ByHand({ value }: { value: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  }, []);
  return (
    <textarea
      ref={field}
      className={classes['by-hand']}
      aria-label={copyWords.value}
      value={value}
      rows={Math.min(rowsMax, rowsOf(value))}
      readOnly
    />
  );
}

type Offer = { isCopied: boolean; copy(): void };
type Props = { value: string; children(offer: Offer): ReactNode };

/** A value that a button copies. Where the browser does not let it (on plain http, or by a setting), it says so. */
export function Copyable({ value, children }: Props) {
  const { copy, copied, error, reset } = useClipboard({ timeout: 1500 });
  return (
    <Popover
      opened={error !== null}
      onDismiss={reset}
      withinPortal={false}
      withRoles={false}
      returnFocus
      // What has to be done next stands below.
      position="top-end"
      width={320}
      shadow="md"
    >
      <Popover.Target>
        <span className={classes['target']}>{children({ isCopied: copied, copy: () => copy(value) })}</span>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm" mb={6} role="alert">
          {copyWords.failed}
        </Text>
        <ByHand value={value} />
      </Popover.Dropdown>
    </Popover>
  );
}
