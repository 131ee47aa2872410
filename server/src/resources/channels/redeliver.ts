import type { Static } from 'typebox';
import { ownerOfWorkspace, type WorkspaceGround } from '../../auth/portal/roles.ts';
import { ApiError } from '../../contract/api-error.ts';
import { changesOf } from '../../contract/changes.ts';
import { selectOne } from '../../contract/collection.ts';
import { command, type Step } from '../../contract/command.ts';
import { epochMsOf } from '../../contract/date-time.ts';
import { sql } from '../../db/sql.ts';
import { deliveries } from './delivery-collection.ts';
import {
  giveTurn,
  type LockedDelivery,
  lockDelivery,
  renewDelivery,
  renewFailed,
} from './delivery-queries.ts';
import { DeliveryPath, DeliveryRecord, Redelivered, Redelivery } from './delivery-schema.ts';
import { lockedChannel } from './locked-channel.ts';
import { ChannelPath } from './schema.ts';

const shared = {
  status: 200,
  place: ownerOfWorkspace,
  action: 'channel.redelivered',
  errors: ['4040', '4091'],
} as const;

type OfChannel = Pick<Step<unknown, WorkspaceGround, Static<typeof ChannelPath>>, 'tx' | 'place' | 'input'>;

/** The channel, if it sends at all. */
async function sendingChannel(step: OfChannel) {
  const channel = await lockedChannel(step);
  if (channel.status === 'DISABLED')
    throw new ApiError('4091', 'a channel that is DISABLED sends nothing: enable it first');
  return channel;
}

const idOf = (text: string) => /^DLV_([1-9][0-9]{0,17})$/.exec(text)?.[1];

async function lockedDelivery(step: OfChannel, channelId: number, text: string): Promise<LockedDelivery> {
  const id = idOf(text);
  const found = id === undefined ? undefined : await lockDelivery(step.tx, channelId, id);
  if (found === undefined) throw new ApiError('4040', 'the channel has no such delivery');
  if (!found.isKept) throw new ApiError('4091', 'the event of this delivery is no longer kept');
  return found;
}

export const redeliver = command({
  ...shared,
  path: DeliveryPath,
  answer: DeliveryRecord,
  async run(step) {
    const { tx, nowMs, input } = step;
    const channel = await sendingChannel(step);
    const { id, status } = await lockedDelivery(step, channel.id, input.deliveryId);
    await renewDelivery(tx, id, nowMs);
    await giveTurn(tx, channel.id, nowMs);
    const answer = await selectOne(tx, deliveries, [sql`d.id = ${id}`], nowMs);
    if (answer === undefined) throw new Error('a locked delivery cannot be gone');
    const changes = {
      deliveryId: { from: null, to: answer.deliveryId },
      ...changesOf({ status }, { status: 'PENDING' }),
    };
    return { answer, subject: channel.channelId, changes };
  },
});

export const redeliverFailed = command({
  ...shared,
  path: ChannelPath,
  body: Redelivery,
  answer: Redelivered,
  async run(step) {
    const { tx, nowMs, input } = step;
    const { id, channelId } = await sendingChannel(step);
    const answer = await renewFailed(tx, id, epochMsOf(input.from), nowMs);
    if (answer.count > 0) await giveTurn(tx, id, nowMs);
    const changes = { redelivered: { from: null, to: { from: input.from, count: answer.count } } };
    return { answer, subject: channelId, changes };
  },
});
