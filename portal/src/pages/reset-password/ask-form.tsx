import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { Link } from 'wouter';
import { LonePage } from '../../session/lone-page.tsx';
import { portal, turnstile } from '../../session/portal.ts';
import { Challenge } from '../../session/sign-in/challenge.tsx';
import { useSignInConfig } from '../../session/turnstile/turnstile.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { resetWords } from '../../words/sign-in.tsx';
import { uiWords } from '../../words/ui.ts';

function BackToSignIn() {
  return (
    <Text size="sm" ta="center">
      <Anchor component={Link} href="/sign-in">
        {resetWords.back}
      </Anchor>
    </Text>
  );
}

function Sent({ email }: { email: string }) {
  return (
    <LonePage title={resetWords.sentTitle}>
      <Stack gap="md">
        <Text size="sm" role="status">
          {resetWords.sent(email)}
        </Text>
        <BackToSignIn />
      </Stack>
    </LonePage>
  );
}

function NoMail() {
  return (
    <LonePage title={resetWords.title}>
      <Stack gap="md">
        <Text size="sm">{resetWords.noMail}</Text>
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
    <LonePage title={resetWords.title} description={resetWords.description}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {ask.error === null ? null : <ErrorNotice error={ask.error} />}
          <TextInput
            name="email"
            type="email"
            label={uiWords.email}
            autoComplete="username"
            required
            withAsterisk={false}
            autoFocus
          />
          <Challenge />
          <Button type="submit" size="md" fullWidth loading={ask.isPending}>
            {resetWords.send}
          </Button>
          <BackToSignIn />
        </Stack>
      </form>
    </LonePage>
  );
}
