import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type AskingDevice, NotFoundError } from '@portico/sdk/portal';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { useLinkedText } from '../../session/link.ts';
import { useMe } from '../../session/me.tsx';
import { portal } from '../../session/portal.ts';
import { type Attempt, useAttempt } from '../../ui/attempt.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Fields } from '../../ui/fields.tsx';
import { GivenName } from '../../ui/given-name.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { Moment } from '../../ui/values.tsx';
import { deviceWords } from '../../words/sign-in.tsx';
import { uiWords } from '../../words/ui.ts';
import classes from './page.module.css';

type Outcome = 'confirmed' | 'denied';
/** What asks, and the code that it shows. */
type Asked = AskingDevice & { userCode: string };

function Problem({ attempt: { error } }: { attempt: Attempt }) {
  if (error === null) return null;
  return error instanceof NotFoundError ? (
    <ErrorNotice error={error} title={deviceWords.noSuchCode} />
  ) : (
    <ErrorNotice error={error} />
  );
}

function CodeForm({ attempt, onFound }: { attempt: Attempt; onFound(asked: Asked): void }) {
  const linked = useLinkedText();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const userCode = String(new FormData(event.currentTarget).get('code')).trim();
    const look = async () => ({ ...(await portal.lookUpDeviceSignIn({ userCode })), userCode });
    attempt.run(look, onFound);
  };
  return (
    <form onSubmit={submit} className={classes['form']}>
      <Stack gap="md">
        <Problem attempt={attempt} />
        <TextInput
          name="code"
          label={deviceWords.code}
          description={deviceWords.codeDescription}
          key={linked}
          defaultValue={linked}
          autoComplete="off"
          spellCheck={false}
          required
          withAsterisk={false}
          autoFocus
        />
        <div>
          <Button type="submit" loading={attempt.isPending}>
            {deviceWords.lookUp}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

type DecisionProps = { asked: Asked; attempt: Attempt; onDone(outcome: Outcome): void };

function Decision({ asked, attempt, onDone }: DecisionProps) {
  const { account } = useMe();
  const { userCode } = asked;
  const calls = { confirmed: portal.confirmDeviceSignIn, denied: portal.denyDeviceSignIn };
  const decide = (outcome: Outcome) =>
    attempt.run(
      () => calls[outcome].call(portal, { userCode }),
      () => onDone(outcome),
    );
  return (
    <Stack gap="md" className={classes['form'] ?? ''}>
      <Problem attempt={attempt} />
      <Text size="sm">{deviceWords.caution(<strong>{account.email}</strong>)}</Text>
      <Fields
        fields={[
          { name: deviceWords.code, value: userCode },
          { name: deviceWords.device, value: <GivenName>{asked.clientName ?? uiWords.unknown}</GivenName> },
          { name: deviceWords.address, value: asked.ipAddress ?? uiWords.unknown },
          { name: deviceWords.asked, value: <Moment at={asked.requestedAt} /> },
        ]}
      />
      <Group gap="sm">
        <Button loading={attempt.isPending} onClick={() => decide('confirmed')}>
          {deviceWords.confirm}
        </Button>
        <Button variant="default" disabled={attempt.isPending} onClick={() => decide('denied')}>
          {deviceWords.deny}
        </Button>
      </Group>
    </Stack>
  );
}

function Done({ outcome }: { outcome: Outcome }) {
  return outcome === 'confirmed' ? (
    <EmptyState icon={<IconCircleCheck size={24} />} title={deviceWords.confirmed}>
      {deviceWords.confirmedDescription}
    </EmptyState>
  ) : (
    <EmptyState icon={<IconCircleX size={24} />} title={deviceWords.denied}>
      {deviceWords.deniedDescription}
    </EmptyState>
  );
}

/** The other half of a sign-in that began on a command line. */
export function DevicePage() {
  const attempt = useAttempt();
  const [asked, setAsked] = useState<Asked>();
  const [outcome, setOutcome] = useState<Outcome>();
  return (
    <Page title={deviceWords.title}>
      <Section title={deviceWords.asks} description={deviceWords.asksDescription}>
        {outcome !== undefined ? (
          <Done outcome={outcome} />
        ) : asked === undefined ? (
          <CodeForm attempt={attempt} onFound={setAsked} />
        ) : (
          <Decision asked={asked} attempt={attempt} onDone={setOutcome} />
        )}
      </Section>
    </Page>
  );
}
