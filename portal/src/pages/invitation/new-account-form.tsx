import { Button, Stack, TextInput } from '@mantine/core';
import type { InvitationView } from '@portico/sdk/portal';
import type { SubmitEvent } from 'react';
import { useLocation } from 'wouter';
import { forgetLinkedText } from '../../session/link.ts';
import { portal, session } from '../../session/portal.ts';
import { useAttempt } from '../../ui/attempt.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { NewPassword, useNewPassword } from '../../ui/new-password.tsx';
import { locale } from '../../words/locale.ts';
import { invitationWords } from '../../words/sign-in.tsx';
import { uiWords } from '../../words/ui.ts';

type Props = { token: string; offer: InvitationView };

/** For who is new: a name and a password make the account. */
export function NewAccountForm({ token, offer }: Props) {
  const attempt = useAttempt();
  const { problem, read } = useNewPassword();
  const [, navigate] = useLocation();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = String(new FormData(form).get('name')).trim();
    const password = read(form);
    if (password === undefined) return;
    attempt.run(
      () => portal.acceptInvitation({ token, name, password, locale: locale(), session: 'cookie' }),
      ({ accessToken, expiresIn, me }) => {
        if (accessToken !== undefined && expiresIn !== undefined)
          session.begin({ accessToken, expiresIn, ...(me === undefined ? {} : { me }) });
        navigate('/');
        forgetLinkedText();
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {attempt.error === null ? null : <ErrorNotice error={attempt.error} />}
        <TextInput
          label={uiWords.email}
          variant="filled"
          value={offer.email}
          readOnly
          autoComplete="username"
        />
        <TextInput
          name="name"
          label={invitationWords.yourName}
          autoComplete="name"
          maxLength={128}
          required
          withAsterisk={false}
          autoFocus
        />
        <NewPassword label={uiWords.password} problem={problem} />
        <Button type="submit" size="md" fullWidth loading={attempt.isPending}>
          {invitationWords.create}
        </Button>
      </Stack>
    </form>
  );
}
