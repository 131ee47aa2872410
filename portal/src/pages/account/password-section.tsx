import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { PorticoError } from '@portico/sdk/portal';
import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { portal } from '../../session/portal.ts';
import { useAttempt } from '../../ui/attempt.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { NewPassword, useNewPassword } from '../../ui/new-password.tsx';
import { Section } from '../../ui/section.tsx';
import { useWrongField } from '../../ui/use-wrong-field.ts';
import { ownPasswordWords } from '../../words/account.tsx';
import { passwordWords, uiWords } from '../../words/ui.ts';
import classes from './account.module.css';
import { sessionsKey } from './query.ts';

const isWrongPassword = (error: unknown) => error instanceof PorticoError && error.code === '4017';

function useChange() {
  const client = useQueryClient();
  const attempt = useAttempt();
  const { problem, read } = useNewPassword();
  const [said, setSaid] = useState('');
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setSaid('');
    const currentPassword = String(new FormData(form).get('currentPassword'));
    const newPassword = read(form);
    if (newPassword === undefined) return;
    attempt.run(
      () => portal.changePassword({ currentPassword, newPassword }),
      () => {
        form.reset();
        setSaid(ownPasswordWords.changed);
        void client.invalidateQueries({ queryKey: sessionsKey });
      },
    );
  };
  return { attempt, problem, said, submit };
}

export function PasswordSection({ email }: { email: string }) {
  const { attempt, problem, said, submit } = useChange();
  const isWrong = isWrongPassword(attempt.error);
  const current = useWrongField(attempt.error, isWrong);
  return (
    <Section title={ownPasswordWords.title} description={ownPasswordWords.description}>
      <form onSubmit={submit} className={classes['body']}>
        {/* For password managers: whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <Stack gap="md">
          {attempt.error === null || isWrong ? null : <ErrorNotice error={attempt.error} />}
          <PasswordInput
            ref={current}
            name="currentPassword"
            label={ownPasswordWords.current}
            autoComplete="current-password"
            required
            withAsterisk={false}
            error={isWrong ? ownPasswordWords.wrong : undefined}
            visibilityToggleButtonProps={{ 'aria-label': uiWords.showTyped }}
          />
          <NewPassword label={passwordWords.next} problem={problem} />
          <Group gap="sm">
            <Button type="submit" loading={attempt.isPending}>
              {ownPasswordWords.change}
            </Button>
            <Text size="sm" role="status">
              {said}
            </Text>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
