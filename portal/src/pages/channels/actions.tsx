import { Button, Group } from '@mantine/core';
import type { ChannelRecord } from '@portico/sdk/portal';
import {
  type Icon,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { channelsWords } from '../../words/channels.ts';
import type { Manager } from './manager.ts';

type ActionProps = {
  icon: Icon;
  label: string;
  isDialog?: boolean;
  isDanger?: boolean;
  isOff?: boolean;
  onClick(trigger: HTMLElement): void;
};

function Action({
  icon: Icon,
  label,
  isDialog = false,
  isDanger = false,
  isOff = false,
  onClick,
}: ActionProps) {
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={<Icon size={16} aria-hidden />}
      disabled={isOff}
      {...(isDialog ? { 'aria-haspopup': 'dialog' as const } : {})}
      {...(isDanger ? { c: 'var(--mantine-color-error)' } : {})}
      onClick={({ currentTarget }) => onClick(currentTarget)}
    >
      {label}
    </Button>
  );
}

/** What owners do with a channel. */
export function Actions({ channel, manager }: { channel: ChannelRecord; manager: Manager }) {
  const isDisabled = channel.status === 'DISABLED';
  const { isPending } = manager.quick;
  const begin = (action: 'edit' | 'rotate' | 'disable' | 'delete') => (trigger: HTMLElement) =>
    manager.begin({ action, channel }, trigger);
  return (
    <Group gap={8}>
      {isDisabled ? null : (
        <Action
          icon={IconSend}
          label={channelsWords.sendTest}
          isOff={isPending}
          onClick={() => manager.test(channel)}
        />
      )}
      <Action icon={IconPencil} label={channelsWords.edit} isDialog onClick={begin('edit')} />
      {channel.typeCode === 'WEBHOOK' ? (
        <Action icon={IconRefresh} label={channelsWords.rotateSecret} isDialog onClick={begin('rotate')} />
      ) : null}
      {isDisabled ? (
        <Action
          icon={IconPlayerPlay}
          label={channelsWords.enable}
          isOff={isPending}
          onClick={() => manager.enable(channel)}
        />
      ) : (
        <Action icon={IconPlayerPause} label={channelsWords.disable} isDialog onClick={begin('disable')} />
      )}
      <Action icon={IconTrash} label={channelsWords.delete} isDialog isDanger onClick={begin('delete')} />
    </Group>
  );
}
