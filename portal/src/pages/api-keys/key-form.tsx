import { useState } from 'react';
import type { Draft } from './draft.ts';
import type { FormProps } from './form-props.ts';
import { KeyEditor } from './key-editor.tsx';
import { factsOf, LiveReview } from './live-review.tsx';

type Props = FormProps & {
  /** What the form begins with: nothing yet, or what the key is. Asked once, so that what is typed stays. */
  start(): Draft;
  isNew: boolean;
  submit: string;
  /** For LIVE: what is asked once more. */
  review: { text: string; submit: string };
  send(draft: Draft, first: Draft): void;
};

/** The form of a key, and for LIVE a second look: at all of a new key, and at what becomes different of one that is there. */
export function KeyForm({ start, isNew, submit, review, send, ...props }: Props) {
  const { attempt } = props;
  const [first] = useState(start);
  const [draft, setDraft] = useState(first);
  const [isReviewed, setReviewed] = useState(false);
  const known = isNew ? undefined : first;
  const finish = () => send(draft, first);
  if (isReviewed)
    return (
      <LiveReview
        {...review}
        facts={factsOf(draft, known)}
        attempt={attempt}
        onSubmit={finish}
        onBack={() => setReviewed(false)}
      />
    );
  return (
    <KeyEditor
      {...props}
      draft={draft}
      known={known}
      change={(to) => {
        attempt.forget();
        setDraft((old) => ({ ...old, ...to }));
      }}
      submit={submit}
      onSubmit={draft.mode === 'LIVE' ? () => setReviewed(true) : finish}
    />
  );
}
