import { ownerOfWorkspace } from '../../auth/portal/roles.ts';
import type { Services } from '../../auth/services.ts';
import { cancelAll, cancelPending, hasPending } from '../../channels/cancel.ts';
import { ChannelRecord } from '../../channels/record.ts';
import { ApiError } from '../../contract/api-error.ts';
import { changesOf } from '../../contract/changes.ts';
import { command } from '../../contract/command.ts';
import { NoData } from '../../contract/envelope.ts';
import { lockedChannel, recordOf } from './locked-channel.ts';
import { disable, enable, markDeleted } from './queries.ts';
import { ChannelPath } from './schema.ts';

const shared = { path: ChannelPath, status: 200, place: ownerOfWorkspace } as const;

/** What is due by then is cancelled with it, as far as it is little; the rest right after, and by the sweep if that fails. */
export const disableChannel = ({ db, now }: Pick<Services, 'db' | 'now'>) =>
  command({
    ...shared,
    answer: ChannelRecord,
    action: 'channel.disabled',
    errors: ['4040', '4091'],
    async run(step) {
      const { tx, nowMs } = step;
      const { id, channelId, status, mode } = await lockedChannel(step);
      if (status === 'DISABLED') throw new ApiError('4091', 'a channel that is DISABLED cannot be disabled');
      await disable(tx, id, nowMs);
      if (await cancelPending(tx, id, nowMs))
        tx.afterCommit(() => void cancelAll(db, id, now).catch(() => {}));
      const answer = await recordOf(tx, channelId, nowMs);
      const changes = changesOf({ status }, { status: 'DISABLED', disabledReason: 'OWNER' });
      return { answer, subject: channelId, changes, event: { mode, data: answer } };
    },
  });

/** Nothing from before is sent: while that is still being cancelled, it has to wait. */
export const enableChannel = command({
  ...shared,
  answer: ChannelRecord,
  action: 'channel.enabled',
  errors: ['4040', '4090', '4091'],
  async run(step) {
    const { tx, nowMs } = step;
    const { id, channelId, status } = await lockedChannel(step);
    if (status !== 'DISABLED') throw new ApiError('4091', `a channel that is ${status} cannot be enabled`);
    await cancelPending(tx, id, nowMs);
    if (await hasPending(tx, id))
      throw new ApiError('4090', 'deliveries of this channel are still being cancelled: try again', {
        headers: { 'retry-after': '1' },
      });
    await enable(tx, id, nowMs);
    const changes = changesOf({ status }, { status: 'ACTIVE' });
    return { answer: await recordOf(tx, channelId, nowMs), subject: channelId, changes };
  },
});

export const deleteChannel = command({
  ...shared,
  answer: NoData,
  action: 'channel.deleted',
  errors: ['4040'],
  async run(step) {
    const { id, channelId, typeCode, name, status } = await lockedChannel(step);
    await markDeleted(step.tx, id, step.nowMs);
    const changes = changesOf({ typeCode, name, status }, { typeCode: null, name: null, status: null });
    return { answer: null, subject: channelId, changes };
  },
});

/** A ping, for this channel alone. */
export const testChannel = command({
  ...shared,
  answer: ChannelRecord,
  action: 'channel.tested',
  errors: ['4040', '4091'],
  async run(step) {
    const { id, channelId, status, mode } = await lockedChannel(step);
    if (status === 'DISABLED') throw new ApiError('4091', 'a channel that is DISABLED cannot be tested');
    const answer = await recordOf(step.tx, channelId, step.nowMs);
    return {
      answer,
      subject: channelId,
      changes: {},
      event: { type: 'ping', mode, data: answer, channelId: id },
    };
  },
});
