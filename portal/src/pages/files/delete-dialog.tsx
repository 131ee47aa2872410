import type { FileRecord } from '@portico/sdk/portal';
import { portal } from '../../session/portal.ts';
import { useAttempt } from '../../ui/attempt.ts';
import { ConfirmForm } from '../../ui/confirm-form.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { GivenName } from '../../ui/given-name.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { filesWords } from '../../words/files.tsx';
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
        manager.finish(filesWords.isDeleted(visibleText(originalFilename)));
      },
    );
  return (
    <Dialog title={filesWords.deleteTitle} mayClose={!attempt.isPending} onClose={manager.close}>
      <ConfirmForm
        attempt={attempt}
        submit={filesWords.delete}
        cancel={filesWords.keep}
        onSubmit={remove}
        onCancel={manager.close}
      >
        {filesWords.deleteAbout(
          <strong>
            <GivenName>{originalFilename}</GivenName>
          </strong>,
        )}
      </ConfirmForm>
    </Dialog>
  );
}
