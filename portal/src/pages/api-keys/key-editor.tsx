import { Stack } from '@mantine/core';
import { type SubmitEvent, useEffect, useState } from 'react';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { changeOf, type Draft, problemsOf } from './draft.ts';
import type { FormProps } from './form-props.ts';
import { AddressField, ExpiryField, ModeField, NameField, ScopeField } from './key-fields.tsx';
import { KeyBand } from './marks.tsx';

type Props = FormProps & {
  draft: Draft;
  /** What the key has already; undefined: it is a new one. */
  known: Draft | undefined;
  change: (to: Partial<Draft>) => void;
  submit: string;
  onSubmit: () => void;
};

/** What a key is and may do, for a new one and for one that is there. */
export function KeyEditor(props: Props) {
  const { draft, known, change, submit, onSubmit, manager, attempt } = props;
  const isSame = known !== undefined && Object.keys(changeOf(known, draft, Date.now())).length === 0;
  const [problems, setProblems] = useState<string[]>([]);
  const [isTried, setTried] = useState(false);
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = problemsOf(draft, Date.now(), known);
    setTried(true);
    setProblems(found);
    if (found.length === 0) onSubmit();
  };
  // What was wrong may be right by now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the draft changes
  useEffect(() => setProblems([]), [draft]);
  return (
    <form onSubmit={send} noValidate>
      <KeyBand mode={draft.mode} />
      <Stack gap="lg">
        <NameField draft={draft} change={change} isTried={isTried} />
        {known === undefined ? (
          <ModeField draft={draft} change={change} mayTest={manager.powers.mayTest} />
        ) : null}
        <ScopeField draft={draft} change={change} />
        <AddressField draft={draft} change={change} />
        <ExpiryField draft={draft} change={change} known={known} />
      </Stack>
      <DialogFoot
        submit={submit}
        isOff={isSame}
        isPending={attempt.isPending}
        error={attempt.error}
        problems={problems}
        onCancel={manager.close}
      />
    </form>
  );
}
