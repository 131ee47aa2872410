import { Button, Stack, Text } from '@mantine/core';
import { NotFoundError } from '@portico/sdk/portal';
import { type SubmitEvent, useState } from 'react';
import { Link } from 'wouter';
import { forgetLinkedText } from '../../session/link.ts';
import { portal } from '../../session/portal.ts';
import { useAttempt } from '../../ui/attempt.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { LonePage } from '../../ui/lone-page.tsx';
import { NewPassword, useNewPassword } from '../../ui/new-password.tsx';

function Done() {
  return (
    <LonePage title="Your password is set">
      <Stack gap="md">
        <Text size="sm" role="status">
          Every sign-in of your account has ended. Sign in with the new password.
        </Text>
        <Button component={Link} href="/sign-in" size="md" fullWidth onClick={forgetLinkedText}>
          Sign in
        </Button>
      </Stack>
    </LonePage>
  );
}

function DeadLink() {
  return (
    <LonePage title="This link does not work any more">
      <Stack gap="md">
        <Text size="sm" role="alert">
          It works once, and for a while only; a newer link takes its place. Ask for another one.
        </Text>
        <Button size="md" fullWidth onClick={forgetLinkedText}>
          Ask for another link
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
    <LonePage title="Set a new password" description="It ends every sign-in of your account.">
      <form onSubmit={submit}>
        <Stack gap="md">
          {attempt.error === null ? null : <ErrorNotice error={attempt.error} />}
          <NewPassword label="New password" problem={problem} autoFocus />
          <Button type="submit" size="md" fullWidth loading={attempt.isPending}>
            Set the password
          </Button>
        </Stack>
      </form>
    </LonePage>
  );
}
