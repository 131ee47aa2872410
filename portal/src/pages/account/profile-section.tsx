import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type AccountRecord, mailLocales } from '@portico/sdk/portal';
import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { languageNames } from '../../session/language-switch.tsx';
import { portal } from '../../session/portal.ts';
import { useAttempt } from '../../ui/attempt.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Section } from '../../ui/section.tsx';
import { accountWords } from '../../words/account.tsx';
import { uiWords } from '../../words/ui.ts';
import classes from './account.module.css';
import { accountKey } from './query.ts';

const locales = mailLocales.map((value) => ({ value, label: languageNames[value] }));

export function ProfileSection({ account }: { account: AccountRecord }) {
  const client = useQueryClient();
  const attempt = useAttempt();
  const [name, setName] = useState(account.name);
  const [locale, setLocale] = useState(account.locale);
  const [said, setSaid] = useState('');
  const isChanged = name.trim() !== account.name || locale !== account.locale;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSaid('');
    attempt.run(
      () => portal.changeAccount({ name: name.trim(), locale }),
      (changed) => {
        client.setQueryData(accountKey, changed);
        void client.invalidateQueries({ queryKey: ['me'] });
        setName(changed.name);
        setSaid(accountWords.saved);
      },
    );
  };
  return (
    <Section title={accountWords.profile} description={accountWords.profileDescription}>
      <form onSubmit={submit} className={classes['body']}>
        <Stack gap="md">
          {attempt.error === null ? null : <ErrorNotice error={attempt.error} />}
          <TextInput
            label={accountWords.name}
            autoComplete="name"
            maxLength={128}
            required
            withAsterisk={false}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <NativeSelect
            label={accountWords.language}
            description={accountWords.languageDescription}
            data={locales}
            value={locale}
            onChange={({ currentTarget }) => setLocale(currentTarget.value)}
          />
          <Group gap="sm">
            <Button type="submit" disabled={!isChanged} loading={attempt.isPending}>
              {uiWords.save}
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
