import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { PorticoError } from '@portico/sdk/portal';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { Link } from 'wouter';
import { signInWords } from '../../words/session.tsx';
import { uiWords } from '../../words/ui.ts';
import { session, turnstile } from '../portal.ts';
import { useSignInConfig } from '../turnstile/turnstile.tsx';
import { Challenge } from './challenge.tsx';
import { SignInError } from './sign-in-error.tsx';

export type Credentials = { email: string; password: string };

const codeOf = (error: unknown) => (error instanceof PorticoError ? error.code : undefined);
const wantsCode = (error: unknown) => codeOf(error) === '4018';

function useSignIn() {
  /** The right password, with a code to come. */
  const [proved, setProved] = useState<Credentials>();
  const attempt = useMutation({
    mutationFn: (login: Credentials & { code?: string }) => session.signIn(login),
    onError: (error, { email, password }) => {
      if (wantsCode(error)) setProved({ email, password });
      // The challenge was spent on the attempt; with the right password it goes on to serve the account.
      else turnstile.renew();
      if (codeOf(error) === '4017') setProved(undefined);
    },
  });
  const startOver = () => {
    setProved(undefined);
    attempt.reset();
  };
  // That a code is wanted is no error before one was given.
  const isNews = wantsCode(attempt.error) && attempt.variables?.code === undefined;
  return { attempt, proved, startOver, error: isNews ? null : attempt.error };
}

const textOf = (form: FormData, name: string) => String(form.get(name) ?? '');

type Known = {
  /** The only account that can sign in here. */
  email?: string;
  /** What stands in the fields at first. */
  proposed?: Credentials | undefined;
};

function PasswordFields({ email, proposed }: Known) {
  return (
    <>
      <TextInput
        name="email"
        type="email"
        label={uiWords.email}
        autoComplete="username"
        required
        withAsterisk={false}
        {...(email === undefined
          ? { defaultValue: proposed?.email, autoFocus: true }
          : { value: email, readOnly: true, variant: 'filled' })}
      />
      <PasswordInput
        name="password"
        label={uiWords.password}
        autoComplete="current-password"
        required
        withAsterisk={false}
        visibilityToggleButtonProps={{ 'aria-label': uiWords.showTyped }}
        defaultValue={proposed?.password}
        autoFocus={email !== undefined}
        data-autofocus={email === undefined ? undefined : true}
      />
    </>
  );
}

function CodeField({ email }: { email: string }) {
  return (
    <>
      <Text size="sm">{signInWords.signingInAs(<strong>{email}</strong>)}</Text>
      <TextInput
        name="code"
        label={uiWords.code}
        description={signInWords.codeFrom}
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellCheck={false}
        required
        withAsterisk={false}
        autoFocus
      />
    </>
  );
}

/** Below all that is there from the beginning: what comes later moves nothing. */
function Forgot() {
  const { data: config } = useSignInConfig();
  if (!config?.hasPasswordReset) return null;
  return (
    <Text size="sm" ta="center">
      <Anchor component={Link} href="/reset-password" size="sm">
        {signInWords.forgot}
      </Anchor>
    </Text>
  );
}

function StartOver({ onChoose }: { onChoose(): void }) {
  return (
    <Text size="sm" ta="center">
      <Anchor component="button" type="button" size="sm" onClick={onChoose}>
        {signInWords.someoneElse}
      </Anchor>
    </Text>
  );
}

type Props = Known & {
  /** Other ways in, which stand below until the password was right. */
  others?: ReactNode;
  /** What was typed is on its way. */
  onAttempt?: () => void;
};

/** By password, and by a second factor where the account has one. */
export function SignInForm({ others, onAttempt, ...known }: Props) {
  const { attempt, proved, startOver, error } = useSignIn();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onAttempt?.();
    const form = new FormData(event.currentTarget);
    attempt.mutate(
      proved === undefined
        ? { email: textOf(form, 'email').trim(), password: textOf(form, 'password') }
        : { ...proved, code: textOf(form, 'code').trim() },
    );
  };
  return (
    <>
      <form onSubmit={submit}>
        <Stack gap="md">
          {error === null ? null : <SignInError error={error} />}
          {proved === undefined ? <PasswordFields {...known} /> : <CodeField email={proved.email} />}
          <Challenge />
          <Button type="submit" size="md" fullWidth loading={attempt.isPending}>
            {signInWords.signIn}
          </Button>
          {proved === undefined ? <Forgot /> : <StartOver onChoose={startOver} />}
        </Stack>
      </form>
      {proved === undefined ? others : null}
    </>
  );
}
