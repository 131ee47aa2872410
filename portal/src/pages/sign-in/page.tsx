import { Alert, Button, Center, Group, Paper, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useEffect } from 'react';
import { session, turnstile } from '../../session/portal.ts';
import { Turnstile } from '../../session/turnstile/turnstile.tsx';
import iconUrl from '../../ui/icon.svg';
import classes from './page.module.css';
import { SignInError } from './sign-in-error.tsx';

function useSignIn() {
  return useMutation({
    mutationFn: (login: { email: string; password: string }) => session.signIn(login),
    // The challenge was spent on the attempt.
    onError: () => turnstile.renew(),
  });
}

function Form() {
  const signIn = useSignIn();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    signIn.mutate({ email: String(form.get('email')).trim(), password: String(form.get('password')) });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {signIn.error === null ? null : <SignInError error={signIn.error} />}
        <TextInput
          name="email"
          type="email"
          label="Email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
        />
        <PasswordInput
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': 'Show what was typed' }}
        />
        <div className={classes['challenge']}>
          <Turnstile isVisible />
        </div>
        <Button type="submit" size="md" fullWidth loading={signIn.isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

export function SignInPage({ hasExpired }: { hasExpired: boolean }) {
  useEffect(() => {
    document.title = 'Sign in · Portico';
  }, []);
  return (
    <Center component="main" mih="100dvh" p="md">
      <div className={classes['column']}>
        <Group justify="center" gap={12} mb="xl">
          <img src={iconUrl} width={40} height={40} alt="" />
          <Title order={1} size="h2">
            Sign in
          </Title>
        </Group>
        {hasExpired ? (
          <Alert mb="md" icon={<IconInfoCircle size={20} />} title="Your session has ended">
            Sign in again to go on where you were.
          </Alert>
        ) : null}
        <Paper withBorder radius="lg" className={classes['card'] ?? ''}>
          <Form />
        </Paper>
      </div>
    </Center>
  );
}
