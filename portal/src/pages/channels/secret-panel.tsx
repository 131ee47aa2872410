import type { CreatedChannel } from '@portico/sdk/portal';
import { LostOnce, ShownOnce } from '../../ui/shown-once.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { channelFormsWords } from '../../words/channel-forms.tsx';
import { channelsWords } from '../../words/channels.ts';
import { ChannelBand } from './marks.tsx';

/** A secret that is shown once. */
export type Issued = { how: 'created' | 'rotated'; channel: CreatedChannel };

export const doneText = ({ how, channel: { name } }: Issued): string =>
  how === 'created' ? channelsWords.isCreated(visibleText(name)) : channelsWords.isRotated(visibleText(name));

type Props = { issued: Issued; onDone(): void };

/** The signing secret in full, once, and no way on before it is stored. */
export function SecretPanel({ issued: { channel, how }, onDone }: Props) {
  const { channelId, name, mode, secret } = channel;
  const id = { name: channelFormsWords.channelId, value: channelId };
  const isNew = how === 'created';
  if (secret === null)
    return (
      <LostOnce values={[id]} onClose={onDone}>
        {isNew
          ? channelFormsWords.createdLost(visibleText(name))
          : channelFormsWords.rotatedLost(visibleText(name))}
      </LostOnce>
    );
  return (
    <ShownOnce
      band={<ChannelBand mode={mode} />}
      about={isNew ? channelFormsWords.createdAbout : channelFormsWords.rotatedAbout}
      values={[id, { name: channelFormsWords.signingSecret, value: secret }]}
      onDone={onDone}
    />
  );
}
