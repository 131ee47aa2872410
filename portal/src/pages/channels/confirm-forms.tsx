import type { ChannelRecord } from '@portico/sdk/portal';
import { portal } from '../../session/portal.ts';
import type { Attempt } from '../../ui/attempt.ts';
import { ConfirmForm } from '../../ui/confirm-form.tsx';
import { GivenName } from '../../ui/given-name.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { channelFormsWords } from '../../words/channel-forms.tsx';
import { channelsWords } from '../../words/channels.ts';
import type { IssuingProps } from './create-form.tsx';
import type { Manager } from './manager.ts';
import { ChannelBand } from './marks.tsx';

type Props = { channel: ChannelRecord; manager: Manager; attempt: Attempt };

const Name = ({ channel }: { channel: ChannelRecord }) => (
  <strong>
    <GivenName>{channel.name}</GivenName>
  </strong>
);

export function DisableForm({ channel, manager, attempt }: Props) {
  const { workspace, finish, close } = manager;
  const disable = () =>
    attempt.run(
      () => portal.disableChannel(workspace.bizId, channel.channelId),
      () => finish(channelsWords.isDisabled(visibleText(channel.name))),
    );
  return (
    <ConfirmForm attempt={attempt} submit={channelFormsWords.disable} onSubmit={disable} onCancel={close}>
      <ChannelBand mode={channel.mode} />
      {channelFormsWords.disableAbout(<Name channel={channel} />)}
    </ConfirmForm>
  );
}

export function DeleteForm({ channel, manager, attempt, onDeleted }: Props & { onDeleted(): void }) {
  const { workspace, depart, close } = manager;
  const remove = () =>
    attempt.run(
      () => portal.deleteChannel(workspace.bizId, channel.channelId),
      () => {
        depart(channelsWords.isDeleted(visibleText(channel.name)));
        onDeleted();
      },
    );
  return (
    <ConfirmForm attempt={attempt} submit={channelFormsWords.delete} onSubmit={remove} onCancel={close}>
      <ChannelBand mode={channel.mode} />
      {channelFormsWords.deleteAbout(<Name channel={channel} />)}
    </ConfirmForm>
  );
}

export function RotateForm({
  channel,
  manager,
  attempt,
  onIssued,
}: IssuingProps & { channel: ChannelRecord }) {
  const { workspace, close } = manager;
  const rotate = () =>
    attempt.run(
      () => portal.rotateChannelSecret(workspace.bizId, channel.channelId),
      (rotated) => onIssued({ how: 'rotated', channel: rotated }),
    );
  return (
    <ConfirmForm attempt={attempt} submit={channelFormsWords.rotate} onSubmit={rotate} onCancel={close}>
      <ChannelBand mode={channel.mode} />
      {channelFormsWords.rotateAbout(<Name channel={channel} />)}
    </ConfirmForm>
  );
}
