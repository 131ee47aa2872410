import type { Mode } from '@portico/sdk/portal';
import { useAttempt } from '../../ui/attempt.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { transfersWords } from '../../words/transfers.tsx';
import { CancelForm } from './cancel-form.tsx';
import { CreateForm } from './create-form.tsx';
import type { Manager, Task } from './manager.ts';

export function TaskDialog({ task, manager, mode }: { task: Task; manager: Manager; mode: Mode }) {
  const attempt = useAttempt();
  const shared = { manager, attempt };
  return (
    <Dialog title={transfersWords[task.action]} mayClose={!attempt.isPending} onClose={manager.close}>
      {task.action === 'create' ? (
        <CreateForm {...shared} mode={mode} />
      ) : (
        <CancelForm {...shared} transfer={task.transfer} mode={task.mode} />
      )}
    </Dialog>
  );
}
