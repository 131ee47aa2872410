import { Text } from '@mantine/core';
import { SignInForm } from '../../session/sign-in/sign-in-form.tsx';
import { invitationWords } from '../../words/sign-in.tsx';
import { AtProvider } from './at-provider.tsx';

/** For who has an account and is not signed in. The invitation stays on the page meanwhile. */
export function SignInFirst({ token, email }: { token: string; email: string }) {
  return (
    <>
      <Text size="sm" mb="md">
        {invitationWords.signInFirst}
      </Text>
      <SignInForm email={email} others={<AtProvider token={token} />} />
    </>
  );
}
