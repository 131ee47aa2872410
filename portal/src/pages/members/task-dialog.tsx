import type { CreatedInvitation } from '@portico/sdk/portal';
import { useState } from 'react';
import { type Attempt, useAttempt } from '../../ui/attempt.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { memberDeedWords } from '../../words/members.tsx';
import { LeaveForm, RemoveForm, RevokeForm, SignOutForm } from './confirm-forms.tsx';
import { InviteForm } from './invite-form.tsx';
import { InvitedPanel } from './invited-panel.tsx';
import type { Manager, Task } from './manager.ts';
import { RoleForm } from './role-form.tsx';

const titles = (): Record<Task['action'], string> => ({
  invite: memberDeedWords.inviteTitle,
  role: memberDeedWords.changeRole,
  'sign-out': memberDeedWords.signOutTitle,
  remove: memberDeedWords.removeTitle,
  leave: memberDeedWords.leaveTitle,
  revoke: memberDeedWords.revokeTitle,
});

type FormProps = {
  task: Task;
  manager: Manager;
  attempt: Attempt;
  onInvited(invited: CreatedInvitation): void;
};

function Form({ task, onInvited, ...props }: FormProps) {
  switch (task.action) {
    case 'invite':
      return <InviteForm {...props} onInvited={onInvited} />;
    case 'role':
      return <RoleForm {...props} member={task.member} />;
    case 'sign-out':
      return <SignOutForm {...props} member={task.member} />;
    case 'remove':
      return <RemoveForm {...props} member={task.member} />;
    case 'leave':
      return <LeaveForm {...props} member={task.member} />;
    case 'revoke':
      return <RevokeForm {...props} invitation={task.invitation} />;
  }
}

/** The dialog of a task. The link of an invitation is in the state of this component alone, and gone with it. */
export function TaskDialog({ task, manager }: { task: Task; manager: Manager }) {
  const attempt = useAttempt();
  const [invited, setInvited] = useState<CreatedInvitation>();
  const onInvited = (result: CreatedInvitation) => {
    setInvited(result);
    void manager.refresh();
  };
  // A link that is shown once is not closed by chance.
  const isShown = invited?.url != null;
  return (
    <Dialog
      title={invited === undefined ? titles()[task.action] : memberDeedWords.invitedTitle}
      mayClose={!attempt.isPending && !isShown}
      hasCloseButton={!isShown}
      onClose={manager.close}
    >
      {invited === undefined ? (
        <Form task={task} manager={manager} attempt={attempt} onInvited={onInvited} />
      ) : (
        <InvitedPanel invited={invited} manager={manager} />
      )}
    </Dialog>
  );
}
