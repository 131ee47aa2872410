import { portal } from '../../session/portal.ts';
import { type Draft, emptyDraft, expiryOf, newKeyOf } from './draft.ts';
import type { IssuingProps } from './form-props.ts';
import { KeyForm } from './key-form.tsx';
import type { Issued } from './secret-panel.tsx';

/** The service sets the expiry of a key that is there already. */
async function createKey(workspaceId: string, draft: Draft): Promise<Issued> {
  const expiresAt = expiryOf(draft, Date.now());
  const key = await portal.createApiKey(workspaceId, newKeyOf(draft));
  if (expiresAt === undefined) return { how: 'created', key };
  try {
    await portal.changeApiKey(workspaceId, key.apiKeyId, { expiresAt });
    return { how: 'created', key };
  } catch (error) {
    return { how: 'created', key, missed: { expiresAt, error } };
  }
}

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
      send={(draft) => attempt.run(() => createKey(manager.workspaceId, draft), onIssued)}
    />
  );
}
