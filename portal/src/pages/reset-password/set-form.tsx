import { Button, Stack, Text } from '@mantine/core';
import { NotFoundError } from '@portico/sdk/portal';
import { type SubmitEvent, useState } from 'react';
import { Link } from 'wouter';
import { forgetLinkedText } from '../../session/link.ts';
import { LonePage } from '../../session/lone-page.tsx';
import { portal } from '../../session/portal.ts';
import { useAttempt } from '../../ui/attempt.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { NewPassword, useNewPassword } from '../../ui/new-password.tsx';
import { signInWords } from '../../words/session.tsx';
import { resetWords } from '../../words/sign-in.tsx';
import { passwordWords } from '../../words/ui.ts';

function Done() {
  return (
    <LonePage title={resetWords.doneTitle}>
      <Stack gap="md">
        <Text size="sm" role="status">
          {resetWords.done}
        </Text>
        <Button component={Link} href="/sign-in" size="md" fullWidth onClick={forgetLinkedText}>
          {signInWords.signIn}
        </Button>
      </Stack>
    </LonePage>
  );
}

function DeadLink() {
  return (
    <LonePage title={resetWords.deadTitle}>
      <Stack gap="md">
        <Text size="sm" role="alert">
          {resetWords.dead}
        </Text>
        <Button size="md" fullWidth onClick={forgetLinkedText}>
          {resetWords.another}
        </Button>
      </Stack>
    </LonePage>
  );
}

export function SetForm({ token }: { token: string }) {
  const attempt = useAttempt();
  const { problem, read } = useNewPassword();
  const [isDone, setDone] = useState(false);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const newPassword = read(event.currentTarget);
    if (newPassword === undefined) return;
    attempt.run(
      () => portal.confirmPasswordReset({ token, newPassword }),
      () => setDone(true),
    );
  };
  if (isDone) return <Done />;
  if (attempt.error instanceof NotFoundError) return <DeadLink />;
  return (
    <LonePage title={resetWords.setTitle} description={resetWords.setDescription}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {attempt.error === null ? null : <ErrorNotice error={attempt.error} />}
          <NewPassword label={passwordWords.next} problem={problem} autoFocus />
          <Button type="submit" size="md" fullWidth loading={attempt.isPending}>
            {resetWords.set}
          </Button>
        </Stack>
      </form>
    </LonePage>
  );
}
