import { Alert, Button, Group, type MantineColor } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { problemWords, uiWords } from '../words/ui.ts';
import classes from './dialog.module.css';
import { ErrorNotice } from './error-notice.tsx';

type Props = {
  submit: string;
  color?: MantineColor;
  isOff?: boolean;
  isPending: boolean;
  /** What the service answered, or undefined. */
  error: unknown;
  errorTitle?: string | undefined;
  /** What keeps the form from being sent. */
  problems?: readonly string[];
  cancel?: string;
  onCancel(): void;
};

function Problems({ problems }: { problems: readonly string[] }) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertCircle size={20} />} title={problemWords.notYet}>
      <ul className={classes['problems']}>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </Alert>
  );
}

/** Brings what went wrong into view, wherever the form is scrolled to. */
function Raised({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    // The buttons stand below it.
    box.current?.parentElement?.scrollIntoView({ block: 'end' });
  }, []);
  return (
    <div ref={box} tabIndex={-1} className={classes['raised']}>
      {children}
    </div>
  );
}

/** The end of every form: what went wrong, the way back and the way on. */
export function DialogFoot(props: Props) {
  const { submit, color, isOff = false, isPending, error, errorTitle, problems = [], onCancel } = props;
  return (
    <div className={classes['foot']}>
      {error === null ? null : (
        <Raised>
          <ErrorNotice error={error} {...(errorTitle === undefined ? {} : { title: errorTitle })} />
        </Raised>
      )}
      {problems.length === 0 ? null : (
        <Raised>
          <Problems problems={problems} />
        </Raised>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel} disabled={isPending}>
          {props.cancel ?? uiWords.cancel}
        </Button>
        <Button
          type="submit"
          loading={isPending}
          disabled={isOff}
          {...(color === undefined ? {} : { color })}
        >
          {submit}
        </Button>
      </Group>
    </div>
  );
}
