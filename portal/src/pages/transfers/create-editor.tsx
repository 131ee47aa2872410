import { Group, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useEffect, useRef } from 'react';
import { ModeSwitch } from '../../list/mode-switch.tsx';
import type { Attempt } from '../../ui/attempt.ts';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { ModeBand } from '../../ui/mode-band.tsx';
import { transfersWords } from '../../words/transfers.tsx';
import { currencyName } from './amount.ts';
import { type Draft, fieldNames, outcomeText } from './draft.ts';
import { LostAnswer } from './lost-answer.tsx';

type Props = {
  draft: Draft;
  attempt: Attempt;
  isLost: boolean;
  change(to: Partial<Draft>): void;
  onSubmit(): void;
  onCancel(): void;
};

/** Leads to the first field that the service refused, once for each refusal. */
function useFirstWrong(error: unknown) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return form;
}

function Inputs({ draft, change, wrong }: Pick<Props, 'draft' | 'change'> & { wrong: Partial<Draft> }) {
  const { amount, currency, reference } = draft;
  const shared = { autoComplete: 'off', spellCheck: false } as const;
  return (
    <>
      <TextInput
        {...shared}
        data-autofocus
        label={transfersWords.amount}
        description={transfersWords.amountAbout}
        inputMode="decimal"
        value={amount}
        error={wrong.amount}
        onChange={({ currentTarget }) => change({ amount: currentTarget.value })}
      />
      <TextInput
        {...shared}
        label={transfersWords.currency}
        description={currency.length === 3 ? currencyName(currency) : transfersWords.currencyAbout}
        maxLength={3}
        value={currency}
        error={wrong.currency}
        onChange={({ currentTarget }) => change({ currency: currentTarget.value.toUpperCase() })}
      />
      <TextInput
        {...shared}
        label={transfersWords.reference}
        description={transfersWords.referenceAbout}
        value={reference}
        error={wrong.reference}
        onChange={({ currentTarget }) => change({ reference: currentTarget.value })}
      />
    </>
  );
}

export function CreateEditor({ draft, attempt, isLost, change, onSubmit, onCancel }: Props) {
  const { error } = attempt;
  const wrong = fieldErrors(error, fieldNames);
  const form = useFirstWrong(error);
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form ref={form} onSubmit={send} noValidate>
      <ModeBand mode={draft.mode}>
        {draft.mode === 'LIVE'
          ? transfersWords.movesMoney
          : transfersWords.noMoney(outcomeText(draft.amount))}
      </ModeBand>
      <Stack gap="md">
        <Group>
          <ModeSwitch mode={draft.mode} setMode={(mode) => change({ mode })} />
        </Group>
        <Inputs draft={draft} change={change} wrong={wrong ?? {}} />
        {isLost ? <LostAnswer /> : null}
      </Stack>
      <DialogFoot
        submit={draft.mode === 'LIVE' ? transfersWords.continue : transfersWords.createTest}
        isPending={attempt.isPending}
        error={isLost || wrong !== undefined ? null : error}
        onCancel={onCancel}
      />
    </form>
  );
}
