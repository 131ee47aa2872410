import { Stack, Text } from '@mantine/core';
import type { MemberRecord } from '@portico/sdk/portal';
import { type SubmitEvent, useState } from 'react';
import { portal } from '../../session/portal.ts';
import type { Attempt } from '../../ui/attempt.ts';
import { Caution } from '../../ui/caution.tsx';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { formatName } from '../../ui/format.ts';
import { GivenName } from '../../ui/given-name.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { memberDeedWords, memberFormWords, memberSaidWords } from '../../words/members.tsx';
import type { Manager } from './manager.ts';
import { refusalTitle } from './refusal.ts';
import { RoleChoice } from './role-choice.tsx';

type Props = { member: MemberRecord; manager: Manager; attempt: Attempt };

export function RoleForm({ member, manager, attempt }: Props) {
  const { workspace, accountId, finish, close } = manager;
  const [role, setRole] = useState(member.role);
  const isChanged = role !== member.role;
  const change = async () => {
    await portal.changeMember(workspace.bizId, member.accountId, { role });
    return memberSaidWords.role(visibleText(member.name), formatName(role));
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    attempt.run(change, finish);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm">
          {memberFormWords.roleOf(
            <strong>
              <GivenName>{member.name}</GivenName>
            </strong>,
            <GivenName>{workspace.name}</GivenName>,
          )}
        </Text>
        <RoleChoice role={role} onChange={setRole} />
        {isChanged && member.accountId === accountId ? (
          <Caution role="alert" title={memberFormWords.ownRole}>
            {memberFormWords.ownRoleCaution}
          </Caution>
        ) : null}
      </Stack>
      <DialogFoot
        submit={memberDeedWords.changeRole}
        isOff={!isChanged}
        isPending={attempt.isPending}
        error={attempt.error}
        errorTitle={refusalTitle(attempt.error)}
        onCancel={close}
      />
    </form>
  );
}
