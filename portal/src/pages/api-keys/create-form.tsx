import { useState } from 'react';
import { portal } from '../../session/portal.ts';
import { type Draft, emptyDraft, expiryOf, newKeyOf } from './draft.ts';
import { KeyEditor } from './key-editor.tsx';
import { factsOf, LiveReview } from './live-review.tsx';
import type { Issued } from './secret-panel.tsx';
import type { IssuingProps } from './task-dialog.tsx';

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

/** A new key: what it is, then for LIVE a second look, then its secret. */
export function CreateForm(props: IssuingProps) {
  const { manager, attempt, onIssued } = props;
  const [draft, setDraft] = useState(() => emptyDraft(manager.powers.mayTest ? 'TEST' : 'LIVE'));
  const [isReviewed, setReviewed] = useState(false);
  const send = () => attempt.run(() => createKey(manager.workspaceId, draft), onIssued);
  if (isReviewed)
    return (
      <LiveReview
        text="This creates a LIVE key. Its secret gives access to the real data of the workspace."
        facts={factsOf(draft, expiryOf(draft, Date.now()))}
        submit="Create LIVE key"
        attempt={attempt}
        onSubmit={send}
        onBack={() => setReviewed(false)}
      />
    );
  return (
    <KeyEditor
      {...props}
      draft={draft}
      change={(to) => {
        attempt.forget();
        setDraft((old) => ({ ...old, ...to }));
      }}
      submit="Create API key"
      onSubmit={draft.mode === 'LIVE' ? () => setReviewed(true) : send}
    />
  );
}
