import { Skeleton } from '@mantine/core';
import type { ChannelRecord, ChannelType } from '@portico/sdk/portal';
import { useMemo, useState } from 'react';
import { portal } from '../../session/portal.ts';
import type { Attempt } from '../../ui/attempt.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { channelFormsWords } from '../../words/channel-forms.tsx';
import { channelsWords } from '../../words/channels.ts';
import { ChannelEditor } from './channel-editor.tsx';
import { changeOf, draftOf, schemaOf } from './draft.ts';
import { useTypes } from './list.ts';
import type { Manager } from './manager.ts';
import { fieldsOf } from './schema/fields.ts';

type Props = { channel: ChannelRecord; manager: Manager; attempt: Attempt };

function OfType({ type, channel, manager, attempt }: Props & { type: ChannelType }) {
  const fields = useMemo(() => fieldsOf(schemaOf(type.extraConfig), false), [type]);
  // What is read again meanwhile changes nothing that was typed.
  const [first] = useState(() => draftOf(channel, fields));
  const [draft, setDraft] = useState(first);
  const change = changeOf(first, draft, fields);
  return (
    <ChannelEditor
      type={type}
      draft={draft}
      fields={fields}
      isNew={false}
      attempt={attempt}
      submit={channelFormsWords.save}
      isOff={Object.keys(change).length === 0}
      change={(to) => {
        attempt.forget();
        setDraft((old) => ({ ...old, ...to }));
      }}
      onSubmit={() =>
        attempt.run(
          () => portal.changeChannel(manager.workspace.bizId, channel.channelId, change),
          ({ name }) => manager.finish(channelsWords.isChanged(visibleText(name))),
        )
      }
      onCancel={manager.close}
    />
  );
}

/** Another name, other events or settings. */
export function EditForm(props: Props) {
  const { data, error, refetch, isFetching } = useTypes();
  const type = data?.content.find(({ typeCode }) => typeCode === props.channel.typeCode);
  if (type !== undefined) return <OfType {...props} type={type} />;
  if (error === null) return <Skeleton height={420} />;
  return <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />;
}
