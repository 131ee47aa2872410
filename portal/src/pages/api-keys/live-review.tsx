import { Stack, Text } from '@mantine/core';
import { type SubmitEvent, useEffect, useRef } from 'react';
import { formatExact } from '../../ui/format.ts';
import type { Attempt } from './attempt.ts';
import { DialogFoot } from './dialog-foot.tsx';
import classes from './dialogs.module.css';
import { type Draft, expiryOf } from './draft.ts';
import { ModeBand } from './marks.tsx';
import { readNetworks } from './networks.ts';

type Props = { draft: Draft; attempt: Attempt; onSubmit(): void; onBack(): void };

const several = (values: readonly string[], none: string) => (values.length === 0 ? none : values.join(', '));

function Facts({ draft }: { draft: Draft }) {
  const expiresAt = expiryOf(draft, Date.now());
  return (
    <dl className={classes['facts']}>
      <dt>Name</dt>
      <dd className={classes['strong']}>{draft.name}</dd>
      <dt>May do</dt>
      <dd>{several(draft.scopes, 'Nothing')}</dd>
      <dt>From</dt>
      <dd>{several(readNetworks(draft.addresses).entries, 'Any address')}</dd>
      <dt>Expires</dt>
      <dd>{expiresAt === undefined ? 'Never' : formatExact(expiresAt)}</dd>
    </dl>
  );
}

/** A second look at what will work on real data. */
export function LiveReview({ draft, attempt, onSubmit, onBack }: Props) {
  const top = useRef<HTMLFormElement>(null);
  useEffect(() => top.current?.focus(), []);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form ref={top} onSubmit={submit} tabIndex={-1} className={classes['raised']} aria-label="Confirm">
      <ModeBand mode="LIVE" />
      <Stack gap="md">
        <Text size="sm">
          This creates a LIVE key. Its secret gives access to the real data of the workspace.
        </Text>
        <Facts draft={draft} />
      </Stack>
      <DialogFoot
        submit="Create LIVE key"
        cancel="Back"
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
