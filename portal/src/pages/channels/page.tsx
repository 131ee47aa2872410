import { type ChannelRecord, channelStatuses, type Mode, type OwnWorkspace } from '@portico/sdk/portal';
import { IconSend } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { ListView } from '../../list/list-view.tsx';
import { OneFilter } from '../../list/one-filter.tsx';
import { useList } from '../../list/use-list.ts';
import { usePageQuery } from '../../list/use-page-query.ts';
import { InWorkspace } from '../../session/in-workspace.tsx';
import { useMode } from '../../session/mode.ts';
import { portal } from '../../session/portal.ts';
import { useInWorkspace } from '../../session/workspace.ts';
import { BeginButton } from '../../ui/begin-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { channelsWords } from '../../words/channels.ts';
import { uiWords } from '../../words/ui.ts';
import { columnsOf } from './columns.tsx';
import { Detail } from './detail.tsx';
import { channelsList, channelsQuery, healthMs, openParameter, savedFields, useTypeName } from './list.ts';
import { type Manager, useManager } from './manager.ts';
import { TaskDialog } from './task-dialog.tsx';

function NoChannels({ isOwner, mode }: { isOwner: boolean; mode: Mode }) {
  return (
    <EmptyState
      icon={<IconSend size={24} />}
      title={mode === 'TEST' ? channelsWords.noneTest : channelsWords.none}
    >
      {channelsWords.noneAbout} {isOwner ? channelsWords.noneToOwners : channelsWords.noneToReaders}
    </EmptyState>
  );
}

type ChannelsProps = { manager: Manager; mode: Mode; open: (channel: ChannelRecord) => void };

function Channels({ manager, mode, open }: ChannelsProps) {
  const { workspace, isOwner } = manager;
  const list = useList(channelsList);
  const filters = { ...list.state.filters, mode };
  const result = usePageQuery({
    key: [...channelsQuery(workspace.bizId), 'list', filters],
    query: list.query,
    load: (query, options) => portal.listChannels(workspace.bizId, filters, query, options),
    pollMs: () => healthMs,
  });
  const nameOf = useTypeName();
  const columns = useMemo(() => columnsOf(open, nameOf), [open, nameOf]);
  return (
    <Page
      title={channelsWords.title}
      description={isOwner ? channelsWords.about : channelsWords.aboutToReaders}
      actions={
        isOwner ? (
          <BeginButton
            label={channelsWords.create}
            onBegin={(opener) => manager.begin({ action: 'create' }, opener)}
          />
        ) : null
      }
    >
      <ListView
        label={channelsWords.title}
        list={list}
        result={result}
        columns={columns}
        rowKey={({ channelId }) => channelId}
        onOpen={open}
        toolbar={<OneFilter list={list} name="status" label={uiWords.status} options={channelStatuses} />}
        csv={{
          name: `channels-${mode.toLowerCase()}`,
          fields: savedFields,
        }}
        empty={<NoChannels isOwner={isOwner} mode={mode} />}
      />
    </Page>
  );
}

/** The channel that the address names, and the ways to another and back to all of them. */
function useOpenChannel() {
  const [params] = useSearchParams();
  const [path, navigate] = useLocation();
  const inWorkspace = useInWorkspace();
  const home = inWorkspace(path);
  const mode = useMode();
  // What the address says of the list is not for the deliveries, and the other way round.
  const open = useCallback(
    (channelId: string) => navigate(`${home}&${new URLSearchParams({ [openParameter]: channelId })}`),
    [home, navigate],
  );
  return { channelId: params.get(openParameter) || undefined, mode, open, home, leave: () => navigate(home) };
}

function OfWorkspace({ workspace }: { workspace: OwnWorkspace }) {
  const manager = useManager(workspace);
  const { channelId, mode, open, home, leave } = useOpenChannel();
  const openChannel = useCallback((channel: ChannelRecord) => open(channel.channelId), [open]);
  const { task } = manager;
  return (
    <>
      {channelId === undefined ? (
        // Rows of another mode are never shown, not even while others are on their way.
        <Channels key={mode} manager={manager} mode={mode} open={openChannel} />
      ) : (
        <Detail key={channelId} channelId={channelId} manager={manager} home={home} />
      )}
      {task === undefined ? null : (
        <TaskDialog key={task.number} task={task} manager={manager} onCreated={open} onDeleted={leave} />
      )}
    </>
  );
}

export const ChannelsPage = () => (
  <InWorkspace title={channelsWords.title} icon={IconSend}>
    {(workspace) => <OfWorkspace workspace={workspace} />}
  </InWorkspace>
);
