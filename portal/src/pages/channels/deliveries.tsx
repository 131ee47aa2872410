import { Button } from '@mantine/core';
import { type ChannelRecord, type DeliveryRecord, deliveryStatuses } from '@portico/sdk/portal';
import { IconInbox, IconRepeat } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { ListView } from '../../list/list-view.tsx';
import { OneFilter } from '../../list/one-filter.tsx';
import { type List, useList } from '../../list/use-list.ts';
import { useOpenRow } from '../../list/use-open-row.ts';
import { usePageQuery } from '../../list/use-page-query.ts';
import { portal } from '../../session/portal.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { deliveriesWords } from '../../words/channels.ts';
import { columnsOf } from './delivery-columns.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { channelsQuery, type DeliverySort, deliveriesList, healthMs, savedDeliveryFields } from './list.ts';
import type { Manager } from './manager.ts';

/** How often what is under way is asked for. */
const pendingMs = 2000;
/** What was just done shows for so long what comes of it. */
const watchMs = 15_000;

/** Often while something is due soon, or was just asked for; else as often as one looks at the health of it. */
function pollMs(deliveries: readonly DeliveryRecord[], doneAtMs: number, nowMs: number): number {
  if (nowMs - doneAtMs < watchMs) return pendingMs;
  const due = deliveries
    .filter(({ status }) => status === 'PENDING')
    .map(({ nextAttemptAt }) => (nextAttemptAt === null ? 0 : Date.parse(nextAttemptAt) - nowMs));
  return Math.min(healthMs, Math.max(pendingMs, Math.min(...due)));
}

type Props = { channel: ChannelRecord; manager: Manager };

function Toolbar({ list, channel, manager }: Props & { list: List<DeliverySort, 'status'> }) {
  return (
    <>
      <OneFilter list={list} name="status" label={deliveriesWords.status} options={deliveryStatuses} />
      {manager.isOwner && channel.status !== 'DISABLED' ? (
        <Button
          variant="default"
          leftSection={<IconRepeat size={16} aria-hidden />}
          aria-haspopup="dialog"
          onClick={({ currentTarget }) =>
            manager.begin({ action: 'redeliver-failed', channel }, currentTarget)
          }
        >
          {deliveriesWords.redeliverFailed}
        </Button>
      ) : null}
    </>
  );
}

/** What the channel was told of, the newest first. */
export function Deliveries({ channel, manager }: Props) {
  const { channelId } = channel;
  const workspaceId = manager.workspace.bizId;
  const list = useList(deliveriesList);
  const { filters } = list.state;
  const result = usePageQuery({
    key: [...channelsQuery(workspaceId), 'deliveries', channelId, filters],
    query: list.query,
    load: (query, options) => portal.listDeliveries(workspaceId, channelId, filters, query, options),
    pollMs: ({ content }) => pollMs(content, manager.doneAtMs, Date.now()),
  });
  const { openId, open, close } = useOpenRow('delivery');
  const openDelivery = useCallback(({ deliveryId }: DeliveryRecord) => open(deliveryId), [open]);
  const columns = useMemo(() => columnsOf(openDelivery), [openDelivery]);
  return (
    <>
      <ListView
        label={deliveriesWords.title}
        list={list}
        result={result}
        columns={columns}
        rowKey={({ deliveryId }) => deliveryId}
        onOpen={openDelivery}
        toolbar={<Toolbar list={list} channel={channel} manager={manager} />}
        csv={{
          name: 'deliveries',
          fields: savedDeliveryFields,
        }}
        empty={
          <EmptyState icon={<IconInbox size={24} />} title={deliveriesWords.none}>
            {deliveriesWords.noneAbout}
          </EmptyState>
        }
      />
      <DeliveryDrawer id={openId} page={result} channel={channel} manager={manager} onClose={close} />
    </>
  );
}
