import { Stack, Text } from '@mantine/core';
import { type SubmitEvent, useEffect, useRef } from 'react';
import type { Attempt } from '../../ui/attempt.ts';
import dialog from '../../ui/dialog.module.css';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { Fields } from '../../ui/fields.tsx';
import { GivenName } from '../../ui/given-name.tsx';
import { ModeBand } from '../../ui/mode-band.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { transfersWords } from '../../words/transfers.tsx';
import { currencyName, formatAmount } from './amount.ts';
import type { Draft } from './draft.ts';
import { LostAnswer } from './lost-answer.tsx';

type Props = {
  draft: Draft;
  workspace: string;
  attempt: Attempt;
  isLost: boolean;
  onSubmit(): void;
  onBack(): void;
};

function factsOf({ amount, currency, reference }: Draft) {
  return [
    { name: transfersWords.amount, value: `${formatAmount(amount)} ${currency}` },
    { name: transfersWords.currency, value: currencyName(currency) },
    {
      name: transfersWords.reference,
      value: reference === '' ? transfersWords.noReference : <GivenName>{reference}</GivenName>,
    },
  ];
}

/** A second look at what will move real money. */
export function CreateReview({ draft, workspace, attempt, isLost, onSubmit, onBack }: Props) {
  const top = useRef<HTMLFormElement>(null);
  useEffect(() => top.current?.focus(), []);
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form
      ref={top}
      onSubmit={send}
      tabIndex={-1}
      className={dialog['raised']}
      aria-label={transfersWords.confirm}
    >
      <ModeBand mode="LIVE">{transfersWords.movesMoney}</ModeBand>
      <Stack gap="md">
        <Text size="sm">{transfersWords.createsLive(visibleText(workspace))}</Text>
        <Fields fields={factsOf(draft)} />
        {isLost ? <LostAnswer /> : null}
      </Stack>
      <DialogFoot
        submit={transfersWords.createLive}
        cancel={transfersWords.back}
        isPending={attempt.isPending}
        error={isLost ? null : attempt.error}
        onCancel={onBack}
      />
    </form>
  );
}
