import { type Mode, NetworkError, type NewWorkspaceTransfer } from '@portico/sdk/portal';
import { useEffect, useRef, useState } from 'react';
import { portal } from '../../session/portal.ts';
import type { Attempt } from '../../ui/attempt.ts';
import { fieldErrors } from '../../ui/field-errors.ts';
import { useCallKey } from '../../ui/use-call-key.ts';
import { CreateEditor } from './create-editor.tsx';
import { CreateReview } from './create-review.tsx';
import { type Draft, emptyDraft, fieldNames, newTransferOf } from './draft.ts';
import type { Manager } from './manager.ts';

type Props = { manager: Manager; attempt: Attempt; mode: Mode };

/** What is wrong with the draft brings back to it: the fields say it there. */
function useReview(error: unknown): [boolean, (isReviewed: boolean) => void] {
  const [isReviewed, setReviewed] = useState(false);
  const last = useRef(error);
  useEffect(() => {
    if (last.current === error) return;
    last.current = error;
    if (fieldErrors(error, fieldNames) !== undefined) setReviewed(false);
  }, [error]);
  return [isReviewed, setReviewed];
}

/** A new transfer, and for LIVE a second look. The service judges what was typed, and nothing of that is lost. */
export function CreateForm({ manager, attempt, mode }: Props) {
  const [draft, setDraft] = useState(() => emptyDraft(mode));
  const [isReviewed, setReviewed] = useReview(attempt.error);
  const keyOf = useCallKey();
  const create = (body: NewWorkspaceTransfer) =>
    portal.createWorkspaceTransfer(manager.workspace.bizId, body, { idempotencyKey: keyOf(body) });
  const send = () =>
    attempt.run(
      () => create(newTransferOf(draft)),
      (transfer) => manager.show(transfer, draft.mode),
    );
  const shared = { draft, attempt, isLost: attempt.error instanceof NetworkError };
  if (isReviewed)
    return (
      <CreateReview
        {...shared}
        workspace={manager.workspace.name}
        onSubmit={send}
        onBack={() => {
          attempt.forget();
          setReviewed(false);
        }}
      />
    );
  return (
    <CreateEditor
      {...shared}
      change={(to: Partial<Draft>) => {
        attempt.forget();
        setDraft((old) => ({ ...old, ...to }));
      }}
      onSubmit={draft.mode === 'LIVE' ? () => setReviewed(true) : send}
      onCancel={manager.close}
    />
  );
}
