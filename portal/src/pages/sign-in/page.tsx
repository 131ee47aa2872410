import { Alert, Button, Divider } from '@mantine/core';
import { IconAlertCircle, IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearch } from 'wouter';
import { portal } from '../../session/portal.ts';
import { type Credentials, SignInForm } from '../../session/sign-in/sign-in-form.tsx';
import { useSignInConfig } from '../../session/turnstile/turnstile.tsx';
import { LonePage } from '../../ui/lone-page.tsx';
import { DemoAccounts } from './demo-accounts.tsx';

const failures: Readonly<Record<string, string>> = {
  cancelled: 'The sign-in was cancelled there.',
  failed: 'The sign-in did not succeed. Try again.',
  invitation:
    'The invitation cannot be accepted: it was used or has ended, it is for another address, or that address has an account, which signs in first.',
  unavailable: 'The provider does not answer at the moment. Try again, or sign in with your password.',
  unknown: 'Nobody here is known by that identity. Ask who runs this service to bind it to your account.',
};

/** What became of a sign-in elsewhere, as the service says it in the address. */
function ElsewhereNotice() {
  const outcome = new URLSearchParams(useSearch()).get('oidc') ?? '';
  const text = Object.hasOwn(failures, outcome) ? failures[outcome] : undefined;
  if (text === undefined) return null;
  return (
    <Alert mb="md" color="red" icon={<IconAlertCircle size={20} />} title="You are not signed in">
      {text}
    </Alert>
  );
}

function EndedNotice() {
  return (
    <Alert mb="md" icon={<IconInfoCircle size={20} />} title="Your session has ended">
      Sign in again to go on where you were.
    </Alert>
  );
}

/** The way in by the sign-in of another service, where there is one. */
function Elsewhere() {
  const { data: config } = useSignInConfig();
  const returnTo = new URLSearchParams(useSearch()).get('return') ?? undefined;
  if (!config?.openIdConnect) return null;
  return (
    <>
      <Divider my="md" label="or" />
      <Button component="a" href={portal.openIdConnectUrl(returnTo)} variant="default" size="md" fullWidth>
        Sign in with {config.openIdConnect.label}
      </Button>
    </>
  );
}

export function SignInPage({ hasExpired }: { hasExpired: boolean }) {
  const { data: config } = useSignInConfig();
  const [chosen, setChosen] = useState<Credentials>();
  const notice = (
    <>
      {hasExpired ? <EndedNotice /> : null}
      <ElsewhereNotice />
    </>
  );
  return (
    <LonePage
      title="Sign in"
      notice={notice}
      foot={config?.demo ? <DemoAccounts demo={config.demo} onChoose={setChosen} /> : null}
    >
      <SignInForm key={chosen?.email} proposed={chosen} others={<Elsewhere />} />
    </LonePage>
  );
}
