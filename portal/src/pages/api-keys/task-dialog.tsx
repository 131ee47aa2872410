import { useState } from 'react';
import { useAttempt } from '../../ui/attempt.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { keyActionWords } from '../../words/api-keys.tsx';
import { EndForm, ToggleForm } from './confirm-forms.tsx';
import { CreateForm } from './create-form.tsx';
import { EditForm } from './edit-form.tsx';
import type { IssuingProps } from './form-props.ts';
import type { Manager, Task } from './manager.ts';
import { RevokeForm } from './revoke-form.tsx';
import { RotateForm } from './rotate-form.tsx';
import { type Issued, SecretPanel } from './secret-panel.tsx';

function Form({ task, ...props }: IssuingProps & { task: Task }) {
  switch (task.action) {
    case 'create':
      return <CreateForm {...props} />;
    case 'edit':
      return <EditForm apiKey={task.apiKey} {...props} />;
    case 'rotate':
      return <RotateForm known={task.apiKey} {...props} />;
    case 'revoke':
      return <RevokeForm apiKey={task.apiKey} {...props} />;
    case 'end':
      return <EndForm apiKey={task.apiKey} {...props} />;
    default:
      return <ToggleForm action={task.action} apiKey={task.apiKey} {...props} />;
  }
}

/**
 * The dialog of a task, from its form to the secret it may give. The secret is in the state of this component alone,
 * and gone with it; until its owner says that it is stored, nothing closes the dialog.
 */
export function TaskDialog({ task, manager }: { task: Task; manager: Manager }) {
  const attempt = useAttempt();
  const [issued, setIssued] = useState<Issued>();
  const mayClose = issued === undefined && !attempt.isPending;
  const onIssued = (result: Issued) => {
    setIssued(result);
    void manager.refresh();
  };
  return (
    <Dialog
      onClose={manager.close}
      title={keyActionWords[`${issued === undefined ? task.action : issued.how}Title`]}
      isWide={task.action === 'create' || task.action === 'edit' || issued !== undefined}
      mayClose={mayClose}
      hasCloseButton={issued === undefined}
    >
      {issued === undefined ? (
        <Form task={task} manager={manager} attempt={attempt} onIssued={onIssued} />
      ) : (
        <SecretPanel issued={issued} manager={manager} />
      )}
    </Dialog>
  );
}
