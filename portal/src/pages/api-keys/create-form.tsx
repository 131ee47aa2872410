import { portal } from '../../session/portal.ts';
import { emptyDraft, newKeyOf } from './draft.ts';
import { KeyForm } from './key-form.tsx';
import type { IssuingProps } from './task-dialog.tsx';

const review = {
  text: 'This creates a LIVE key. Its secret gives access to the real data of the workspace.',
  submit: 'Create LIVE key',
};

/** A new key: what it is, then for LIVE a second look, then its secret. */
export function CreateForm({ onIssued, ...props }: IssuingProps) {
  const { manager, attempt } = props;
  return (
    <KeyForm
      {...props}
      start={() => emptyDraft(manager.powers.mayTest ? 'TEST' : 'LIVE')}
      isNew
      submit="Create API key"
      review={review}
      send={(draft) =>
        attempt.run(
          () => portal.createApiKey(manager.workspaceId, newKeyOf(draft, Date.now())),
          (key) => onIssued({ how: 'created', key }),
        )
      }
    />
  );
}
