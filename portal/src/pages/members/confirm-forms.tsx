import { Text } from '@mantine/core';
import type { InvitationRecord, MemberRecord } from '@portico/sdk/portal';
import type { ReactNode, SubmitEvent } from 'react';
import { portal } from '../../session/portal.ts';
import type { Attempt } from '../../ui/attempt.ts';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import type { Manager } from './manager.ts';
import { refusalTitle } from './refusal.ts';

type Props = { manager: Manager; attempt: Attempt };

type ConfirmProps = Pick<Props, 'attempt'> & {
  submit: string;
  onSubmit(): void;
  onCancel(): void;
  children: ReactNode;
};

/** Says what will happen, and asks. */
function ConfirmForm({ attempt, submit, onSubmit, onCancel, children }: ConfirmProps) {
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={send}>
      <Text size="sm">{children}</Text>
      <DialogFoot
        submit={submit}
        color="red.9"
        isPending={attempt.isPending}
        error={attempt.error}
        errorTitle={refusalTitle(attempt.error)}
        onCancel={onCancel}
      />
    </form>
  );
}

export function SignOutForm({ member, manager, attempt }: Props & { member: MemberRecord }) {
  const { workspace, finish, close } = manager;
  const signOut = () =>
    attempt.run(
      () => portal.signOutMember(workspace.bizId, member.accountId),
      () => finish(`${member.name} is signed out`),
    );
  return (
    <ConfirmForm attempt={attempt} submit="Sign out" onSubmit={signOut} onCancel={close}>
      <strong>{member.name}</strong> is signed out everywhere with the next click, on every device, and may
      sign in again.
    </ConfirmForm>
  );
}

export function RemoveForm({ member, manager, attempt }: Props & { member: MemberRecord }) {
  const { workspace, finish, close } = manager;
  const remove = () =>
    attempt.run(
      () => portal.removeMember(workspace.bizId, member.accountId),
      () => finish(`${member.name} is removed`),
    );
  return (
    <ConfirmForm attempt={attempt} submit="Remove" onSubmit={remove} onCancel={close}>
      <strong>{member.name}</strong> loses access to {workspace.name} with the next request, and the
      invitations that {member.name} sent are revoked. The account itself stays.
    </ConfirmForm>
  );
}

export function LeaveForm({ member, manager, attempt }: Props & { member: MemberRecord }) {
  const { workspace, depart, close } = manager;
  const leave = () => attempt.run(() => portal.removeMember(workspace.bizId, member.accountId), depart);
  return (
    <ConfirmForm attempt={attempt} submit="Leave" onSubmit={leave} onCancel={close}>
      You lose access to <strong>{workspace.name}</strong> at once. Only an owner can invite you again.
    </ConfirmForm>
  );
}

export function RevokeForm({ invitation, manager, attempt }: Props & { invitation: InvitationRecord }) {
  const { workspace, finish, close } = manager;
  const revoke = () =>
    attempt.run(
      () => portal.revokeInvitation(workspace.bizId, invitation.invitationId),
      () => finish(`The invitation of ${invitation.email} is revoked`),
    );
  return (
    <ConfirmForm attempt={attempt} submit="Revoke" onSubmit={revoke} onCancel={close}>
      The link that <strong>{invitation.email}</strong> was given stops working.
    </ConfirmForm>
  );
}
