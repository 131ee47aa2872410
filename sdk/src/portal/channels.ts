import type { Answer } from '../answer.ts';
import type { CallOptions } from '../call-options.ts';
import type { FlatPage, PageQuery } from '../envelope.ts';
import { queryString } from '../wire.ts';
import type {
  ChannelChange,
  ChannelFilters,
  ChannelRecord,
  CreatedChannel,
  DeliveryFilters,
  DeliveryRecord,
  FailedSince,
  NewChannel,
  NotificationRecord,
  ReadMark,
  Redelivered,
  UnreadNotifications,
} from './channel-records.ts';
import { channelPath, channelsPath, deliveryPath, notificationsPath } from './paths.ts';
import { WorkCalls } from './work.ts';

/** How a workspace is told of events. */
export class ChannelCalls extends WorkCalls {
  listChannels(
    workspaceId: string,
    filters: ChannelFilters = {},
    page: PageQuery = {},
    options: CallOptions = {},
  ): Answer<FlatPage<ChannelRecord>> {
    return this.read(`${channelsPath(workspaceId)}${queryString({ ...filters, ...page })}`, options);
  }

  getChannel(workspaceId: string, channelId: string, options: CallOptions = {}): Answer<ChannelRecord> {
    return this.read(channelPath(workspaceId, channelId), options);
  }

  createChannel(workspaceId: string, body: NewChannel, options: CallOptions = {}): Answer<CreatedChannel> {
    return this.command(channelsPath(workspaceId), body, options);
  }

  changeChannel(
    workspaceId: string,
    channelId: string,
    change: ChannelChange,
    options: CallOptions = {},
  ): Answer<ChannelRecord> {
    return this.write('PATCH', channelPath(workspaceId, channelId), change, options);
  }

  deleteChannel(workspaceId: string, channelId: string, options: CallOptions = {}): Answer<void> {
    return this.done(this.write('DELETE', channelPath(workspaceId, channelId), undefined, options));
  }

  enableChannel(workspaceId: string, channelId: string, options: CallOptions = {}): Answer<ChannelRecord> {
    return this.command(`${channelPath(workspaceId, channelId)}/enable`, undefined, options);
  }

  disableChannel(workspaceId: string, channelId: string, options: CallOptions = {}): Answer<ChannelRecord> {
    return this.command(`${channelPath(workspaceId, channelId)}/disable`, undefined, options);
  }

  /** Sends a `ping` to this channel alone. */
  testChannel(workspaceId: string, channelId: string, options: CallOptions = {}): Answer<ChannelRecord> {
    return this.command(`${channelPath(workspaceId, channelId)}/test`, undefined, options);
  }

  rotateChannelSecret(
    workspaceId: string,
    channelId: string,
    options: CallOptions = {},
  ): Answer<CreatedChannel> {
    return this.command(`${channelPath(workspaceId, channelId)}/rotate-secret`, undefined, options);
  }

  listDeliveries(
    workspaceId: string,
    channelId: string,
    filters: DeliveryFilters = {},
    page: PageQuery = {},
    options: CallOptions = {},
  ): Answer<FlatPage<DeliveryRecord>> {
    const query = queryString({ ...filters, ...page });
    return this.read(`${channelPath(workspaceId, channelId)}/deliveries${query}`, options);
  }

  redeliver(
    workspaceId: string,
    channelId: string,
    deliveryId: string,
    options: CallOptions = {},
  ): Answer<DeliveryRecord> {
    return this.command(`${deliveryPath(workspaceId, channelId, deliveryId)}/redeliver`, undefined, options);
  }

  /** At most 10,000 each call, the oldest first. */
  redeliverFailed(
    workspaceId: string,
    channelId: string,
    since: FailedSince,
    options: CallOptions = {},
  ): Answer<Redelivered> {
    return this.command(`${channelPath(workspaceId, channelId)}/deliveries/redeliver-failed`, since, options);
  }

  listNotifications(
    workspaceId: string,
    page: PageQuery = {},
    options: CallOptions = {},
  ): Answer<FlatPage<NotificationRecord>> {
    return this.read(`${notificationsPath(workspaceId)}${queryString(page)}`, options);
  }

  countUnreadNotifications(workspaceId: string, options: CallOptions = {}): Answer<UnreadNotifications> {
    return this.read(`${notificationsPath(workspaceId)}/unread`, options);
  }

  /** That of the event and all before it; answers what is left unread. */
  markNotificationsRead(
    workspaceId: string,
    body: ReadMark,
    options: CallOptions = {},
  ): Answer<UnreadNotifications> {
    return this.write('POST', `${notificationsPath(workspaceId)}/read`, body, options);
  }
}
