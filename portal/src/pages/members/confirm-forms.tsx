import type { InvitationRecord, MemberRecord } from '@portico/sdk/portal';
import { portal } from '../../session/portal.ts';
import type { Attempt } from '../../ui/attempt.ts';
import { ConfirmForm } from '../../ui/confirm-form.tsx';
import { GivenName } from '../../ui/given-name.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { memberDeedWords, memberFormWords, memberSaidWords } from '../../words/members.tsx';
import type { Manager } from './manager.ts';
import { refusalTitle } from './refusal.ts';

type Props = { manager: Manager; attempt: Attempt };

const Strong = ({ children }: { children: string }) => (
  <strong>
    <GivenName>{children}</GivenName>
  </strong>
);

export function SignOutForm({ member, manager, attempt }: Props & { member: MemberRecord }) {
  const { workspace, finish, close } = manager;
  const signOut = () =>
    attempt.run(
      () => portal.signOutMember(workspace.bizId, member.accountId),
      () => finish(memberSaidWords.signedOut(visibleText(member.name))),
    );
  return (
    <ConfirmForm
      attempt={attempt}
      submit={memberDeedWords.signOut}
      errorTitle={refusalTitle(attempt.error)}
      onSubmit={signOut}
      onCancel={close}
    >
      {memberFormWords.signOut(<Strong>{member.name}</Strong>)}
    </ConfirmForm>
  );
}

export function RemoveForm({ member, manager, attempt }: Props & { member: MemberRecord }) {
  const { workspace, finish, close } = manager;
  const remove = () =>
    attempt.run(
      () => portal.removeMember(workspace.bizId, member.accountId),
      () => finish(memberSaidWords.removed(visibleText(member.name))),
    );
  return (
    <ConfirmForm
      attempt={attempt}
      submit={memberDeedWords.remove}
      errorTitle={refusalTitle(attempt.error)}
      onSubmit={remove}
      onCancel={close}
    >
      {memberFormWords.remove(
        <Strong>{member.name}</Strong>,
        <GivenName>{workspace.name}</GivenName>,
        <GivenName>{member.name}</GivenName>,
      )}
    </ConfirmForm>
  );
}

export function LeaveForm({ member, manager, attempt }: Props & { member: MemberRecord }) {
  const { workspace, depart, close } = manager;
  const leave = () => attempt.run(() => portal.removeMember(workspace.bizId, member.accountId), depart);
  return (
    <ConfirmForm
      attempt={attempt}
      submit={memberDeedWords.leave}
      errorTitle={refusalTitle(attempt.error)}
      onSubmit={leave}
      onCancel={close}
    >
      {memberFormWords.leave(<Strong>{workspace.name}</Strong>)}
    </ConfirmForm>
  );
}

export function RevokeForm({ invitation, manager, attempt }: Props & { invitation: InvitationRecord }) {
  const { workspace, finish, close } = manager;
  const revoke = () =>
    attempt.run(
      () => portal.revokeInvitation(workspace.bizId, invitation.invitationId),
      () => finish(memberSaidWords.revoked(invitation.email)),
    );
  return (
    <ConfirmForm
      attempt={attempt}
      submit={memberDeedWords.revoke}
      errorTitle={refusalTitle(attempt.error)}
      onSubmit={revoke}
      onCancel={close}
    >
      {memberFormWords.revoke(<Strong>{invitation.email}</Strong>)}
    </ConfirmForm>
  );
}
