import type { InvitationRecord, MemberRecord } from '@portico/sdk/portal';
import { portal } from '../../session/portal.ts';
import type { Attempt } from '../../ui/attempt.ts';
import { ConfirmForm } from '../../ui/confirm-form.tsx';
import type { Manager } from './manager.ts';
import { refusalTitle } from './refusal.ts';

type Props = { manager: Manager; attempt: Attempt };

export function SignOutForm({ member, manager, attempt }: Props & { member: MemberRecord }) {
  const { workspace, finish, close } = manager;
  const signOut = () =>
    attempt.run(
      () => portal.signOutMember(workspace.bizId, member.accountId),
      () => finish(`${member.name} is signed out`),
    );
  return (
    <ConfirmForm
      attempt={attempt}
      submit="Sign out"
      errorTitle={refusalTitle(attempt.error)}
      onSubmit={signOut}
      onCancel={close}
    >
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
    <ConfirmForm
      attempt={attempt}
      submit="Remove"
      errorTitle={refusalTitle(attempt.error)}
      onSubmit={remove}
      onCancel={close}
    >
      <strong>{member.name}</strong> loses access to {workspace.name} with the next request, and the
      invitations that {member.name} sent are revoked. The account itself stays.
    </ConfirmForm>
  );
}

export function LeaveForm({ member, manager, attempt }: Props & { member: MemberRecord }) {
  const { workspace, depart, close } = manager;
  const leave = () => attempt.run(() => portal.removeMember(workspace.bizId, member.accountId), depart);
  return (
    <ConfirmForm
      attempt={attempt}
      submit="Leave"
      errorTitle={refusalTitle(attempt.error)}
      onSubmit={leave}
      onCancel={close}
    >
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
    <ConfirmForm
      attempt={attempt}
      submit="Revoke"
      errorTitle={refusalTitle(attempt.error)}
      onSubmit={revoke}
      onCancel={close}
    >
      The link that <strong>{invitation.email}</strong> was given stops working.
    </ConfirmForm>
  );
}
