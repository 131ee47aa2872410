import { Stack, Text } from '@mantine/core';
import { Fragment, type SubmitEvent, useEffect, useRef } from 'react';
import type { Attempt } from '../../ui/attempt.ts';
import dialog from '../../ui/dialog.module.css';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { formatExact } from '../../ui/time.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { apiKeysWords, keyFormWords } from '../../words/api-keys.tsx';
import { uiWords } from '../../words/ui.ts';
import classes from './dialogs.module.css';
import { type Draft, expiryOf } from './draft.ts';
import { KeyBand } from './marks.tsx';
import { readNetworks } from './networks.ts';

type Fact = { name: string; value: string };
type Props = {
  text: string;
  facts: readonly Fact[];
  submit: string;
  attempt: Attempt;
  onSubmit(): void;
  onBack(): void;
};

const several = (values: readonly string[], none: string) => (values.length === 0 ? none : values.join(', '));

function allFactsOf(draft: Draft): Fact[] {
  const expiresAt = expiryOf(draft, Date.now());
  return [
    { name: uiWords.name, value: visibleText(draft.name) },
    { name: keyFormWords.mayDo, value: several(draft.scopes, keyFormWords.nothing) },
    {
      name: keyFormWords.from,
      value: several(readNetworks(draft.addresses).entries, apiKeysWords.anyAddress),
    },
    {
      name: apiKeysWords.expires,
      value: expiresAt === undefined ? keyFormWords.never : formatExact(expiresAt),
    },
  ];
}

/** All of a draft, or what differs from what is known. */
export function factsOf(draft: Draft, known: Draft | undefined): Fact[] {
  const before = known === undefined ? [] : allFactsOf(known);
  return allFactsOf(draft).filter(({ value }, index) => value !== before[index]?.value);
}

/** A second look at what will work on real data. */
export function LiveReview({ text, facts, submit: label, attempt, onSubmit, onBack }: Props) {
  const top = useRef<HTMLFormElement>(null);
  useEffect(() => top.current?.focus(), []);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form
      ref={top}
      onSubmit={submit}
      tabIndex={-1}
      className={dialog['raised']}
      aria-label={keyFormWords.confirm}
    >
      <KeyBand mode="LIVE" />
      <Stack gap="md">
        <Text size="sm">{text}</Text>
        <dl className={classes['facts']}>
          {facts.map(({ name, value }) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </dl>
      </Stack>
      <DialogFoot
        submit={label}
        cancel={keyFormWords.back}
        isPending={attempt.isPending}
        error={attempt.error}
        onCancel={() => {
          attempt.forget();
          onBack();
        }}
      />
    </form>
  );
}
