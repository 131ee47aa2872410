import type { FileRecord } from '@portico/sdk/portal';
import { portal } from '../../session/portal.ts';
import { useAttempt } from '../../ui/attempt.ts';
import { ConfirmForm } from '../../ui/confirm-form.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { GivenName } from '../../ui/given-name.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import type { Manager } from './manager.ts';

type Props = { file: FileRecord; manager: Manager; onDeleted(): void };

/** A second look at what cannot be undone. */
export function DeleteDialog({ file, manager, onDeleted }: Props) {
  const attempt = useAttempt();
  const { bizId, originalFilename } = file;
  const remove = () =>
    attempt.run(
      () => portal.deleteFile(bizId),
      () => {
        onDeleted();
        manager.finish(`${visibleText(originalFilename)} is deleted`);
      },
    );
  return (
    <Dialog title="Delete file" mayClose={!attempt.isPending} onClose={manager.close}>
      <ConfirmForm
        attempt={attempt}
        submit="Delete"
        cancel="Keep it"
        onSubmit={remove}
        onCancel={manager.close}
      >
        <strong>
          <GivenName>{originalFilename}</GivenName>
        </strong>{' '}
        and its content are gone at once, for everyone. That cannot be undone; the audit log remembers that it
        was there. To keep it out of the way, archive it instead.
      </ConfirmForm>
    </Dialog>
  );
}
