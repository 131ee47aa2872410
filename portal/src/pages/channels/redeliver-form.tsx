import { Stack, Text, TextInput } from '@mantine/core';
import type { ChannelRecord, Redelivered } from '@portico/sdk/portal';
import { type SubmitEvent, useState } from 'react';
import { portal } from '../../session/portal.ts';
import type { Attempt } from '../../ui/attempt.ts';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { formatCount } from '../../ui/format.ts';
import { channelFormsWords } from '../../words/channel-forms.tsx';
import type { Manager } from './manager.ts';
import { refusalTitle } from './refusal.ts';

const dayMs = 86_400_000;

/** As a date field writes it: local, to the minute. */
const localTime = (atMs: number) =>
  new Date(atMs - new Date(atMs).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** From when it began to fail; else of the last day. */
const startOf = ({ failingSince }: ChannelRecord) =>
  localTime(failingSince === null ? Date.now() - dayMs : Date.parse(failingSince));

function doneText({ count, hasMore }: Redelivered): string {
  if (count === 0) return channelFormsWords.nothingFailed;
  return channelFormsWords.redelivered(count, formatCount(count), hasMore);
}

type Props = { channel: ChannelRecord; manager: Manager; attempt: Attempt };

/** Everything that did not arrive since a time. */
export function RedeliverForm({ channel, manager, attempt }: Props) {
  const [from, setFrom] = useState(() => startOf(channel));
  const refused = fieldErrors(attempt.error, ['from']);
  const isTime = !Number.isNaN(Date.parse(from));
  const change = (text: string) => {
    attempt.forget();
    setFrom(text);
  };
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isTime) return;
    const since = { from: new Date(from).toISOString() };
    attempt.run(
      () => portal.redeliverFailed(manager.workspace.bizId, channel.channelId, since),
      (answer) => manager.finish(doneText(answer)),
    );
  };
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="md">
        <Text size="sm">{channelFormsWords.redeliverAbout}</Text>
        <TextInput
          data-autofocus
          type="datetime-local"
          label={channelFormsWords.createdSince}
          value={from}
          error={refused?.from}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      </Stack>
      <DialogFoot
        submit={channelFormsWords.redeliver}
        isOff={!isTime}
        isPending={attempt.isPending}
        error={refused === undefined ? attempt.error : null}
        errorTitle={refusalTitle(attempt.error)}
        onCancel={manager.close}
      />
    </form>
  );
}
