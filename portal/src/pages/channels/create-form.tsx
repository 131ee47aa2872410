import type { ChannelType, NewChannel } from '@portico/sdk/portal';
import { useMemo, useState } from 'react';
import { useMode } from '../../session/mode.ts';
import { portal } from '../../session/portal.ts';
import type { Attempt } from '../../ui/attempt.ts';
import { useCallKey } from '../../ui/use-call-key.ts';
import { channelFormsWords } from '../../words/channel-forms.tsx';
import { ChannelEditor } from './channel-editor.tsx';
import { type Draft, emptyDraft, newChannelOf, schemaOf } from './draft.ts';
import type { Manager } from './manager.ts';
import { fieldsOf } from './schema/fields.ts';
import type { Issued } from './secret-panel.tsx';
import { TypeChoice } from './type-choice.tsx';

export type IssuingProps = { manager: Manager; attempt: Attempt; onIssued(issued: Issued): void };

type Props = IssuingProps & { type: ChannelType; onBack(): void };

function OfType({ type, manager, attempt, onIssued, onBack }: Props) {
  const mode = useMode();
  const fields = useMemo(() => fieldsOf(schemaOf(type.extraConfig), true), [type]);
  const [draft, setDraft] = useState(() => emptyDraft(fields, mode));
  const keyOf = useCallKey();
  const create = (body: NewChannel) =>
    portal.createChannel(manager.workspace.bizId, body, { idempotencyKey: keyOf(body) });
  return (
    <ChannelEditor
      type={type}
      draft={draft}
      fields={fields}
      isNew
      attempt={attempt}
      submit={channelFormsWords.create}
      cancel={channelFormsWords.back}
      change={(to: Partial<Draft>) => {
        attempt.forget();
        setDraft((old) => ({ ...old, ...to }));
      }}
      onSubmit={() =>
        attempt.run(
          () => create(newChannelOf(type.typeCode, draft, fields)),
          (channel) => onIssued({ how: 'created', channel }),
        )
      }
      onCancel={() => {
        attempt.forget();
        onBack();
      }}
    />
  );
}

/** A new channel: of which type, then what that type needs. */
export function CreateForm(props: IssuingProps) {
  const [type, setType] = useState<ChannelType>();
  if (type === undefined) return <TypeChoice onChoose={setType} onCancel={props.manager.close} />;
  return <OfType {...props} type={type} onBack={() => setType(undefined)} />;
}
