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
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { Moment } from '../../ui/values.tsx';
import classes from './page.module.css';

const title = 'Sign in a device';

type Outcome = 'confirmed' | 'denied';
/** What asks, and the code that it shows. */
type Asked = AskingDevice & { userCode: string };

function Problem({ attempt: { error } }: { attempt: Attempt }) {
  if (error === null) return null;
  return error instanceof NotFoundError ? (
    <ErrorNotice error={error} title="There is no such code, or its ten minutes are over" />
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
          label="Code"
          description="As the device shows it"
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
            Look it up
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
      <Text size="sm">
        It will be signed in as <strong>{account.email}</strong> and can do whatever you can. Go on only if
        you started this yourself, just now.
      </Text>
      <Fields
        fields={[
          { name: 'Code', value: userCode },
          { name: 'Device', value: asked.clientName ?? 'Unknown' },
          { name: 'Address', value: asked.ipAddress ?? 'Unknown' },
          { name: 'Asked', value: <Moment at={asked.requestedAt} /> },
        ]}
      />
      <Group gap="sm">
        <Button loading={attempt.isPending} onClick={() => decide('confirmed')}>
          Sign it in
        </Button>
        <Button variant="default" disabled={attempt.isPending} onClick={() => decide('denied')}>
          That was not me
        </Button>
      </Group>
    </Stack>
  );
}

function Done({ outcome }: { outcome: Outcome }) {
  return outcome === 'confirmed' ? (
    <EmptyState icon={<IconCircleCheck size={24} />} title="The device is signed in">
      You can go on there. Its sign-in stands among those of your account, where you can end it.
    </EmptyState>
  ) : (
    <EmptyState icon={<IconCircleX size={24} />} title="The device was refused">
      If someone sent you the code, tell who runs this service.
    </EmptyState>
  );
}

/** The other half of a sign-in that began on a command line. */
export function DevicePage() {
  const attempt = useAttempt();
  const [asked, setAsked] = useState<Asked>();
  const [outcome, setOutcome] = useState<Outcome>();
  return (
    <Page title={title}>
      <Section title="A program asks to be signed in" description="It shows a code, which you type here.">
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
