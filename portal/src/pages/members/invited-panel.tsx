import { Button, Group, Stack, Text } from '@mantine/core';
import type { CreatedInvitation } from '@portico/sdk/portal';
import { useEffect, useRef } from 'react';
import { useSignInConfig } from '../../session/turnstile/turnstile.tsx';
import { Caution } from '../../ui/caution.tsx';
import dialog from '../../ui/dialog.module.css';
import { ShownValue } from '../../ui/shown-value.tsx';
import { Moment } from '../../ui/values.tsx';
import type { Manager } from './manager.ts';

type Props = { invited: CreatedInvitation; manager: Manager };

/** The link goes out by mail, or by hand: then it is shown, once. */
function Link({ invited: { email, expiresAt, url } }: Pick<Props, 'invited'>) {
  const hasMail = useSignInConfig().data?.hasPasswordReset;
  if (url !== null)
    return (
      <>
        <Caution role="note" title="This link is shown only now">
          Hand it to {email}. It works once and ends <Moment at={expiresAt} />.
        </Caution>
        <ShownValue name="Link" value={url} />
      </>
    );
  return hasMail ? (
    <Text size="sm">
      <strong>{email}</strong> gets a link by mail. It works once and ends <Moment at={expiresAt} />.
    </Text>
  ) : (
    <Caution role="alert" title="The link was lost on its way">
      {email} is invited, but the answer with the link did not arrive, and it is shown only once. Invite{' '}
      {email} again for a new one.
    </Caution>
  );
}

export function InvitedPanel({ invited, manager }: Props) {
  const top = useRef<HTMLDivElement>(null);
  // The button that had the focus is gone with the form.
  useEffect(() => top.current?.focus(), []);
  return (
    <div ref={top} tabIndex={-1} className={dialog['raised']}>
      <Stack gap="md">
        <Link invited={invited} />
        <Group justify="flex-end">
          <Button onClick={() => manager.finish(`${invited.email} is invited`)}>Done</Button>
        </Group>
      </Stack>
    </div>
  );
}
