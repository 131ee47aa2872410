import { Stack, TextInput } from '@mantine/core';
import type { CreatedInvitation } from '@portico/sdk/portal';
import { type SubmitEvent, useState } from 'react';
import { portal } from '../../session/portal.ts';
import type { Attempt } from '../../ui/attempt.ts';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { memberFormWords, membersWords } from '../../words/members.tsx';
import { uiWords } from '../../words/ui.ts';
import type { Manager } from './manager.ts';
import { refusalTitle } from './refusal.ts';
import { RoleChoice } from './role-choice.tsx';

type Props = { manager: Manager; attempt: Attempt; onInvited(invited: CreatedInvitation): void };

export function InviteForm({ manager, attempt, onInvited }: Props) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('MEMBER');
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    attempt.run(
      () => portal.createInvitation(manager.workspace.bizId, { email: email.trim(), role }),
      onInvited,
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          data-autofocus
          type="email"
          label={uiWords.email}
          description={memberFormWords.emailDescription}
          autoComplete="off"
          required
          withAsterisk={false}
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <RoleChoice role={role} onChange={setRole} />
      </Stack>
      <DialogFoot
        submit={membersWords.invite}
        isPending={attempt.isPending}
        error={attempt.error}
        errorTitle={refusalTitle(attempt.error)}
        onCancel={manager.close}
      />
    </form>
  );
}
