import { Alert, Button, Divider } from '@mantine/core';
import { IconAlertCircle, IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearch } from 'wouter';
import { LonePage } from '../../session/lone-page.tsx';
import { portal } from '../../session/portal.ts';
import { type Credentials, SignInForm } from '../../session/sign-in/sign-in-form.tsx';
import { useSignInConfig } from '../../session/turnstile/turnstile.tsx';
import { signInWords } from '../../words/session.tsx';
import { elsewhereWords, signInPageWords } from '../../words/sign-in.tsx';
import { uiWords } from '../../words/ui.ts';
import { DemoAccounts } from './demo-accounts.tsx';

const failures: Readonly<Record<string, string>> = elsewhereWords;

/** What became of a sign-in elsewhere, as the service says it in the address. */
function ElsewhereNotice() {
  const outcome = new URLSearchParams(useSearch()).get('oidc') ?? '';
  const text = Object.hasOwn(failures, outcome) ? failures[outcome] : undefined;
  if (text === undefined) return null;
  return (
    <Alert mb="md" color="red" icon={<IconAlertCircle size={20} />} title={signInPageWords.notSignedIn}>
      {text}
    </Alert>
  );
}

function EndedNotice() {
  return (
    <Alert mb="md" icon={<IconInfoCircle size={20} />} title={signInWords.ended}>
      {signInWords.goOn}
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
      <Divider my="md" label={uiWords.or} />
      <Button component="a" href={portal.openIdConnectUrl(returnTo)} variant="default" size="md" fullWidth>
        {signInWords.signInWith(config.openIdConnect.label)}
      </Button>
    </>
  );
}

type Props = {
  hasExpired: boolean;
  /** While the password is judged, what comes next can be fetched. */
  onAttempt(): void;
};

export function SignInPage({ hasExpired, onAttempt }: Props) {
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
      title={signInWords.signIn}
      notice={notice}
      foot={config?.demo ? <DemoAccounts demo={config.demo} onChoose={setChosen} /> : null}
    >
      <SignInForm key={chosen?.email} proposed={chosen} others={<Elsewhere />} onAttempt={onAttempt} />
    </LonePage>
  );
}
