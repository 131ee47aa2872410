import { Group, Text, Title } from '@mantine/core';
import { type ChannelRecord, NotFoundError } from '@portico/sdk/portal';
import { IconChevronLeft } from '@tabler/icons-react';
import { Link } from 'wouter';
import { RecordTrouble } from '../../list/record-drawer.tsx';
import { useRecordMode } from '../../session/record-mode.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { ModeMark } from '../../ui/mode-band.tsx';
import { Page } from '../../ui/page.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { channelsWords, deliveriesWords } from '../../words/channels.ts';
import { Actions } from './actions.tsx';
import { Deliveries } from './deliveries.tsx';
import classes from './detail.module.css';
import { Health } from './health.tsx';
import { useChannel, useTypeName } from './list.ts';
import type { Manager } from './manager.ts';
import { ChannelStatus } from './marks.tsx';
import { Settings } from './settings.tsx';

function BackLink({ home }: { home: string }) {
  return (
    <Link href={home} className={classes['back']}>
      <IconChevronLeft size={16} aria-hidden />
      {channelsWords.allChannels}
    </Link>
  );
}

function Facts({ channel }: { channel: ChannelRecord }) {
  const nameOf = useTypeName();
  return (
    <Group component="span" gap={8}>
      {nameOf(channel.typeCode)}
      <ModeMark mode={channel.mode} />
      {/* It changes while one looks. */}
      <span role="status">
        <ChannelStatus status={channel.status} />
      </span>
    </Group>
  );
}

type Props = { channelId: string; manager: Manager; home: string };

function Found({ channel, manager }: { channel: ChannelRecord; manager: Manager }) {
  const { quick, isOwner } = manager;
  return (
    <Page
      title={visibleText(channel.name)}
      description={<Facts channel={channel} />}
      actions={isOwner ? <Actions channel={channel} manager={manager} /> : null}
    >
      {quick.error === null ? null : <ErrorNotice error={quick.error} />}
      <div className={classes['parts']}>
        <Health channel={channel} />
        <Settings channel={channel} />
      </div>
      <section aria-label={deliveriesWords.title}>
        <Title order={2} size="h4">
          {deliveriesWords.title}
        </Title>
        <Text size="sm" c="dimmed" mt={4} mb="sm">
          {deliveriesWords.about}
        </Text>
        <Deliveries channel={channel} manager={manager} />
      </section>
    </Page>
  );
}

/** One channel, at an address of its own. */
export function Detail({ channelId, manager, home }: Props) {
  const { data, error, refetch, isFetching } = useChannel(manager.workspace.bizId, channelId);
  useRecordMode(data?.mode);
  const trouble = { error, isFetching, retry: () => void refetch() };
  return (
    <div>
      <BackLink home={home} />
      {data === undefined || error instanceof NotFoundError ? (
        <Page title={channelsWords.oneChannel}>
          <RecordTrouble noun={channelsWords.channel} result={trouble} />
        </Page>
      ) : (
        <Found channel={data} manager={manager} />
      )}
    </div>
  );
}
