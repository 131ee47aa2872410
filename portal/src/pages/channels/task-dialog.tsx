import { useState } from 'react';
import { useAttempt } from '../../ui/attempt.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { channelFormsWords } from '../../words/channel-forms.tsx';
import { DeleteForm, DisableForm, RotateForm } from './confirm-forms.tsx';
import { CreateForm, type IssuingProps } from './create-form.tsx';
import { EditForm } from './edit-form.tsx';
import type { Manager, Task } from './manager.ts';
import { RedeliverForm } from './redeliver-form.tsx';
import { doneText, type Issued, SecretPanel } from './secret-panel.tsx';

const titles = {
  create: 'createTitle',
  edit: 'editTitle',
  rotate: 'rotateTitle',
  disable: 'disableTitle',
  delete: 'deleteTitle',
  'redeliver-failed': 'redeliverTitle',
} as const;
const issuedTitles = { created: 'createdTitle', rotated: 'rotatedTitle' } as const;

type FormProps = IssuingProps & { task: Task; onDeleted(): void };

function Form({ task, onDeleted, ...props }: FormProps) {
  switch (task.action) {
    case 'create':
      return <CreateForm {...props} />;
    case 'edit':
      return <EditForm channel={task.channel} {...props} />;
    case 'rotate':
      return <RotateForm channel={task.channel} {...props} />;
    case 'disable':
      return <DisableForm channel={task.channel} {...props} />;
    case 'delete':
      return <DeleteForm channel={task.channel} onDeleted={onDeleted} {...props} />;
    default:
      return <RedeliverForm channel={task.channel} {...props} />;
  }
}

type Props = { task: Task; manager: Manager; onCreated(channelId: string): void; onDeleted(): void };

/**
 * The dialog of a task, from its form to the secret it may give. The secret is in the state of this component alone,
 * and gone with it; until its owner says that it is stored, nothing closes the dialog.
 */
export function TaskDialog({ task, manager, onCreated, onDeleted }: Props) {
  const attempt = useAttempt();
  const [issued, setIssued] = useState<Issued>();
  const finish = (done: Issued) => {
    manager.finish(doneText(done));
    if (done.how === 'created') onCreated(done.channel.channelId);
  };
  const onIssued = (result: Issued) => {
    // Only a WEBHOOK has one.
    if (result.how === 'created' && result.channel.typeCode !== 'WEBHOOK') return finish(result);
    setIssued(result);
    void manager.refresh();
  };
  return (
    <Dialog
      onClose={manager.close}
      title={channelFormsWords[issued === undefined ? titles[task.action] : issuedTitles[issued.how]]}
      isWide={task.action === 'create' || task.action === 'edit' || issued !== undefined}
      mayClose={issued === undefined && !attempt.isPending}
      hasCloseButton={issued === undefined}
    >
      {issued === undefined ? (
        <Form task={task} manager={manager} attempt={attempt} onIssued={onIssued} onDeleted={onDeleted} />
      ) : (
        <SecretPanel issued={issued} onDone={() => finish(issued)} />
      )}
    </Dialog>
  );
}
