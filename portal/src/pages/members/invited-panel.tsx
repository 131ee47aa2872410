import { Button, Group, Stack, Text } from '@mantine/core';
import type { CreatedInvitation } from '@portico/sdk/portal';
import { useEffect, useRef } from 'react';
import { useSignInConfig } from '../../session/turnstile/turnstile.tsx';
import { Caution } from '../../ui/caution.tsx';
import dialog from '../../ui/dialog.module.css';
import { ShownValue } from '../../ui/shown-value.tsx';
import { useStay } from '../../ui/use-stay.ts';
import { Moment } from '../../ui/values.tsx';
import { invitedWords, memberSaidWords } from '../../words/members.tsx';
import { uiWords } from '../../words/ui.ts';
import type { Manager } from './manager.ts';

type Props = { invited: CreatedInvitation; manager: Manager };

/** The link goes out by mail, or by hand: then it is shown, once. */
function Link({ invited: { email, expiresAt, url } }: Pick<Props, 'invited'>) {
  const hasMail = useSignInConfig().data?.hasPasswordReset;
  if (url !== null)
    return (
      <>
        <Caution role="note" title={invitedWords.shownOnce}>
          {invitedWords.handOver(email, <Moment at={expiresAt} />)}
        </Caution>
        <ShownValue name={invitedWords.link} value={url} />
      </>
    );
  return hasMail ? (
    <Text size="sm">{invitedWords.byMail(<strong>{email}</strong>, <Moment at={expiresAt} />)}</Text>
  ) : (
    <Caution role="alert" title={invitedWords.lostTitle}>
      {invitedWords.lost(email)}
    </Caution>
  );
}

export function InvitedPanel({ invited, manager }: Props) {
  const top = useRef<HTMLDivElement>(null);
  useStay(invited.url !== null);
  // The button that had the focus is gone with the form.
  useEffect(() => top.current?.focus(), []);
  return (
    <div ref={top} tabIndex={-1} className={dialog['raised']}>
      <Stack gap="md">
        <Link invited={invited} />
        <Group justify="flex-end">
          <Button onClick={() => manager.finish(memberSaidWords.invited(invited.email))}>
            {uiWords.done}
          </Button>
        </Group>
      </Stack>
    </div>
  );
}
