import type { Mode, Transfer } from '@portico/sdk/portal';
import { portal } from '../../session/portal.ts';
import type { Attempt } from '../../ui/attempt.ts';
import { ConfirmForm } from '../../ui/confirm-form.tsx';
import { ModeBand } from '../../ui/mode-band.tsx';
import { transfersWords } from '../../words/transfers.tsx';
import { Amount } from './columns.tsx';
import type { Manager } from './manager.ts';

type Props = { transfer: Transfer; mode: Mode; manager: Manager; attempt: Attempt };

export function CancelForm({ transfer, mode, manager, attempt }: Props) {
  const { workspace, finish, close, refresh } = manager;
  const cancel = async () => {
    try {
      await portal.cancelWorkspaceTransfer(workspace.bizId, transfer.transferId);
    } catch (error) {
      // It may have moved on meanwhile: what stands behind the dialog shows it.
      void refresh();
      throw error;
    }
  };
  return (
    <ConfirmForm
      attempt={attempt}
      submit={transfersWords.cancel}
      cancel={transfersWords.keep}
      onSubmit={() => attempt.run(cancel, () => finish(transfersWords.isCancelled))}
      onCancel={close}
    >
      <ModeBand mode={mode}>
        {mode === 'LIVE' ? transfersWords.realMoney : transfersWords.notRealMoney}
      </ModeBand>
      {transfersWords.cancelAbout(
        <strong>
          <Amount transfer={transfer} />
        </strong>,
      )}
    </ConfirmForm>
  );
}
