import type { ApiKeyRecord } from '@portico/sdk/portal';
import { useState } from 'react';
import { portal } from '../../session/portal.ts';
import { changeOf, draftOf, expiryOf } from './draft.ts';
import { KeyEditor } from './key-editor.tsx';
import { factsOf, LiveReview } from './live-review.tsx';
import type { FormProps } from './task-dialog.tsx';

/** Another name, other scopes, addresses or expiry; for LIVE a second look at what becomes of it. */
export function EditForm({ apiKey, ...props }: FormProps & { apiKey: ApiKeyRecord }) {
  const { manager, attempt } = props;
  // Another reading of the key must not change what is being typed.
  const [known] = useState(() => draftOf(apiKey));
  const [draft, setDraft] = useState(known);
  const [isReviewed, setReviewed] = useState(false);
  const change = changeOf(known, draft, Date.now());
  const send = () =>
    attempt.run(async () => {
      await portal.changeApiKey(manager.workspaceId, apiKey.apiKeyId, change);
      return `${draft.name} is changed`;
    }, manager.finish);
  if (isReviewed) {
    const before = factsOf(known, expiryOf(known, Date.now()));
    const after = factsOf(draft, expiryOf(draft, Date.now()));
    return (
      <LiveReview
        text="This changes a LIVE key. Its next call is judged by what you set here."
        facts={after.filter(({ value }, index) => value !== before[index]?.value)}
        submit="Change LIVE key"
        attempt={attempt}
        onSubmit={send}
        onBack={() => setReviewed(false)}
      />
    );
  }
  return (
    <KeyEditor
      {...props}
      draft={draft}
      known={known}
      change={(to) => {
        attempt.forget();
        setDraft((old) => ({ ...old, ...to }));
      }}
      submit="Save changes"
      isOff={Object.keys(change).length === 0}
      onSubmit={draft.mode === 'LIVE' ? () => setReviewed(true) : send}
    />
  );
}
