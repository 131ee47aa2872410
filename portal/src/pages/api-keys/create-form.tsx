import { Stack } from '@mantine/core';
import { type SubmitEvent, useEffect, useState } from 'react';
import { portal } from '../../session/portal.ts';
import { AddressField, ExpiryField, ModeField, NameField, ScopeField } from './create-fields.tsx';
import { DialogFoot } from './dialog-foot.tsx';
import { type Draft, emptyDraft, expiryOf, newKeyOf, problemsOf } from './draft.ts';
import { LiveReview } from './live-review.tsx';
import { ModeBand } from './marks.tsx';
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

type EditorProps = IssuingProps & {
  draft: Draft;
  change: (to: Partial<Draft>) => void;
  onSubmit: () => void;
};

function Editor({ draft, change, onSubmit, manager, attempt }: EditorProps) {
  const [problems, setProblems] = useState<string[]>([]);
  const [isTried, setTried] = useState(false);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = problemsOf(draft, Date.now());
    setTried(true);
    setProblems(found);
    if (found.length === 0) onSubmit();
  };
  // What was wrong may be right by now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the draft changes
  useEffect(() => setProblems([]), [draft]);
  return (
    <form onSubmit={submit} noValidate>
      <ModeBand mode={draft.mode} />
      <Stack gap="lg">
        <NameField draft={draft} change={change} isTried={isTried} />
        <ModeField draft={draft} change={change} mayTest={manager.powers.mayTest} />
        <ScopeField draft={draft} change={change} />
        <AddressField draft={draft} change={change} />
        <ExpiryField draft={draft} change={change} />
      </Stack>
      <DialogFoot
        submit="Create API key"
        isPending={attempt.isPending}
        error={attempt.error}
        problems={problems}
        onCancel={manager.close}
      />
    </form>
  );
}

/** A new key: what it is, then for LIVE a second look, then its secret. */
export function CreateForm(props: IssuingProps) {
  const { manager, attempt, onIssued } = props;
  const [draft, setDraft] = useState(() => emptyDraft(manager.powers.mayTest ? 'TEST' : 'LIVE'));
  const [isReviewed, setReviewed] = useState(false);
  const send = () => attempt.run(() => createKey(manager.workspaceId, draft), onIssued);
  if (isReviewed)
    return <LiveReview draft={draft} attempt={attempt} onSubmit={send} onBack={() => setReviewed(false)} />;
  return (
    <Editor
      {...props}
      draft={draft}
      change={(to) => {
        attempt.forget();
        setDraft((old) => ({ ...old, ...to }));
      }}
      onSubmit={draft.mode === 'LIVE' ? () => setReviewed(true) : send}
    />
  );
}
