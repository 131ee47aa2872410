import {
  type ChannelRecord,
  channelStatuses,
  type DeliveryRecord,
  deliveryStatuses,
} from '@portico/sdk/portal';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { defineList } from '../../list/url-state.ts';
import { portal } from '../../session/portal.ts';
import { awayMs, isServerAway } from '../../ui/error-text.ts';
import { formatName } from '../../ui/format.ts';
import { shippedText } from '../../words/shipped-types.ts';

export type SortField = 'createdAt' | 'updatedAt' | 'name' | 'typeCode' | 'status';
export type DeliverySort = 'createdAt';

/** The parameter of the address that names the channel that is shown in full. */
export const openParameter = 'channel';

export type Filter = 'status';

export const channelsList = defineList<SortField, Filter>({
  sortable: ['createdAt', 'updatedAt', 'name', 'typeCode', 'status'],
  defaultSort: { field: 'createdAt', direction: 'desc' },
  filters: { status: channelStatuses },
});

export const deliveriesList = defineList<DeliverySort, 'status'>({
  sortable: ['createdAt'],
  defaultSort: { field: 'createdAt', direction: 'desc' },
  filters: { status: deliveryStatuses },
});

/** Of a line of the file that a list is saved as. */
export const savedFields: readonly (keyof ChannelRecord)[] = [
  'channelId',
  'name',
  'typeCode',
  'mode',
  'status',
  'eventTypes',
  'lastSuccessAt',
  'failingSince',
  'createdAt',
  'updatedAt',
];

export const savedDeliveryFields: readonly (keyof DeliveryRecord)[] = [
  'deliveryId',
  'eventId',
  'eventType',
  'status',
  'attempts',
  'nextAttemptAt',
  'responseStatus',
  'durationMs',
  'createdAt',
  'updatedAt',
];

/** Of every list and every single channel of a workspace, with all that belongs to it. */
export const channelsQuery = (workspaceId: string) => ['channels', workspaceId];

/** How often the health of what is looked at is asked for: it changes by itself. */
export const healthMs = 5000;

/** One channel, as it is now. */
export function useChannel(workspaceId: string, channelId: string, pollMs = healthMs) {
  return useQuery({
    queryKey: [...channelsQuery(workspaceId), 'one', channelId],
    queryFn: ({ signal }) => portal.getChannel(workspaceId, channelId, { signal }),
    refetchInterval: ({ state }) => {
      if (isServerAway(state.error)) return awayMs;
      return state.data === undefined ? false : pollMs;
    },
  });
}

/** Every type of channel, and what each needs: channels may be of one that takes no new ones any more. */
export function useTypes() {
  return useQuery({
    queryKey: ['channel-types', 'all'],
    queryFn: ({ signal }) => portal.queryChannelTypes({}, { page: 0, size: 100 }, { signal }),
    staleTime: 60_000,
  });
}

/** What people call a type; its code until that is known. */
export function useTypeName(): (typeCode: string) => string {
  const { data } = useTypes();
  return useCallback(
    (code) => {
      const known = data?.content.find(({ typeCode }) => typeCode === code)?.typeName;
      return known === undefined ? formatName(code) : shippedText(known);
    },
    [data],
  );
}
