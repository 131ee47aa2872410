import type { Static } from 'typebox';
import type { WorkspaceGround } from '../../auth/portal/roles.ts';
import { channelRecordOf } from '../../channels/record.ts';
import { ApiError } from '../../contract/api-error.ts';
import type { Step } from '../../contract/command.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { type LockedChannel, lockChannel } from './queries.ts';
import type { ChannelPath } from './schema.ts';

type OfChannel = Pick<Step<unknown, WorkspaceGround, Static<typeof ChannelPath>>, 'tx' | 'place' | 'input'>;

export const noChannel = 'the workspace has no such notification channel';

/** Every change is made on the locked channel. */
export async function lockedChannel({ tx, place, input }: OfChannel): Promise<LockedChannel> {
  const channel = await lockChannel(tx, place.workspaceId, input.channelId);
  if (channel === undefined) throw new ApiError('4040', noChannel);
  return channel;
}

/** And answered with what the channel then is. */
export const recordOf = (tx: Transaction, channelId: string, nowMs: number) =>
  channelRecordOf(tx, sql`c.biz_id = ${channelId}`, nowMs);
