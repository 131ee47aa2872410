import { Text } from '@mantine/core';
import type { ReactNode, SubmitEvent } from 'react';
import type { Attempt } from './attempt.ts';
import { DialogFoot } from './dialog-foot.tsx';

type Props = {
  attempt: Attempt;
  submit: string;
  /** The way back, in words of its own where "Cancel" would say the other thing. */
  cancel?: string;
  errorTitle?: string | undefined;
  onSubmit(): void;
  onCancel(): void;
  children: ReactNode;
};

/** A second look: says what will happen, and asks. */
export function ConfirmForm({ attempt, submit, cancel, errorTitle, onSubmit, onCancel, children }: Props) {
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={send}>
      <Text size="sm" component="div">
        {children}
      </Text>
      <DialogFoot
        submit={submit}
        {...(cancel === undefined ? {} : { cancel })}
        color="red.9"
        isPending={attempt.isPending}
        error={attempt.error}
        errorTitle={errorTitle}
        onCancel={onCancel}
      />
    </form>
  );
}
