import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { Link } from 'wouter';
import { portal, turnstile } from '../../session/portal.ts';
import { Challenge } from '../../session/sign-in/challenge.tsx';
import { useSignInConfig } from '../../session/turnstile/turnstile.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { LonePage } from '../../ui/lone-page.tsx';

const title = 'Reset your password';

function BackToSignIn() {
  return (
    <Text size="sm" ta="center">
      <Anchor component={Link} href="/sign-in">
        Back to the sign-in
      </Anchor>
    </Text>
  );
}

function Sent({ email }: { email: string }) {
  return (
    <LonePage title="Look into your mail">
      <Stack gap="md">
        <Text size="sm" role="status">
          If {email} belongs to an account, a link that sets a new password is on its way. It works once, for
          an hour.
        </Text>
        <BackToSignIn />
      </Stack>
    </LonePage>
  );
}

function NoMail() {
  return (
    <LonePage title={title}>
      <Stack gap="md">
        <Text size="sm">
          This service sends no mail. Ask who runs it for a link that sets a new password.
        </Text>
        <BackToSignIn />
      </Stack>
    </LonePage>
  );
}

/** Answered alike for every address: it tells nobody who has an account. */
export function AskForm() {
  const { data: config } = useSignInConfig();
  const ask = useMutation({
    mutationFn: (email: string) => portal.requestPasswordReset({ email }),
    // The challenge was spent on the attempt.
    onSettled: () => turnstile.renew(),
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    ask.mutate(String(new FormData(event.currentTarget).get('email')).trim());
  };
  if (config?.hasPasswordReset === false) return <NoMail />;
  if (ask.isSuccess) return <Sent email={ask.variables} />;
  return (
    <LonePage title={title} description="You get a link by mail that sets a new one.">
      <form onSubmit={submit}>
        <Stack gap="md">
          {ask.error === null ? null : <ErrorNotice error={ask.error} />}
          <TextInput
            name="email"
            type="email"
            label="Email"
            autoComplete="username"
            required
            withAsterisk={false}
            autoFocus
          />
          <Challenge />
          <Button type="submit" size="md" fullWidth loading={ask.isPending}>
            Send the link
          </Button>
          <BackToSignIn />
        </Stack>
      </form>
    </LonePage>
  );
}
