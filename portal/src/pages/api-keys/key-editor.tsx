import { Stack } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { useFirstWrong } from '../../ui/use-first-wrong.ts';
import { changeOf, type Draft, isSendable, problemsOf } from './draft.ts';
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
  const [isTried, setTried] = useState(false);
  const { form, show } = useFirstWrong();
  const problems = problemsOf(draft, Date.now(), known);
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (isSendable(problems)) onSubmit();
    else show();
  };
  const field = { draft, change, problems, isTried };
  return (
    <form ref={form} onSubmit={send} noValidate>
      <KeyBand mode={draft.mode} />
      <Stack gap="lg">
        <NameField {...field} />
        {known === undefined ? (
          <ModeField draft={draft} change={change} mayTest={manager.powers.mayTest} />
        ) : null}
        <ScopeField draft={draft} change={change} />
        <AddressField {...field} />
        <ExpiryField {...field} />
      </Stack>
      <DialogFoot
        submit={submit}
        isOff={isSame}
        isPending={attempt.isPending}
        error={attempt.error}
        onCancel={manager.close}
      />
    </form>
  );
}
