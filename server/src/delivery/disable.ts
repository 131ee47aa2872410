import { cancelPending } from '../channels/cancel.ts';
import { channelRecordOf } from '../channels/record.ts';
import type { Config } from '../config.ts';
import { isMailAddress } from '../contract/mail-address.ts';
import type { Transaction, Transactor } from '../db/database.ts';
import { instant, sql } from '../db/sql.ts';
import type { Actor } from '../log/actor.ts';
import { appendRecords } from '../log/append.ts';
import type { Locale } from '../mail/kinds.ts';
import type { Mail } from '../mail/mail.ts';

export type DisabledReason = 'GONE' | 'FAILED';

const delivery: Actor = { type: 'SYSTEM', id: 'delivery', name: 'Delivery', address: null, requestId: null };

/** Owners who are told; a workspace may have more. */
const ownersMax = 20;
/** Whoever hears of it later has seen it in the portal. */
const mailLifeMs = 3 * 86_400_000;

type Disabled = {
  workspaceId: number;
  institutionId: number;
  workspaceName: string;
  channelName: string;
  mode: 'LIVE' | 'TEST';
  before: string;
};

async function markDisabled(
  tx: Transaction,
  channelId: number,
  reason: DisabledReason,
  nowMs: number,
): Promise<Disabled | undefined> {
  const [row] = await tx.query<Disabled>(sql`
    with before as (
      select id, status from channels where id = ${channelId} and status <> 'DISABLED' and deleted_at is null for no key update
    )
    update channels c set status = 'DISABLED', disabled_reason = ${reason}, updated_at = ${instant(nowMs)}
    from before, workspaces w where c.id = before.id and w.id = c.workspace_id
    returning c.workspace_id as "workspaceId", w.institution_id as "institutionId", w.name as "workspaceName",
      c.name as "channelName", c.mode::text as mode, before.status::text as before`);
  return row;
}

type Owner = { email: string; locale: Locale };

const selectOwners = (tx: Transaction, workspaceId: number) =>
  tx.query<Owner>(sql`
    select a.email, a.locale from workspace_members m join accounts a on a.id = m.account_id
    where m.workspace_id = ${workspaceId} and m.role = 'OWNER' and a.status = 'ACTIVE' order by a.id limit ${ownersMax}`);

type DisablerOptions = { db: Transactor; services: { config: Config; mail: Mail; now(): number } };

/** Ends a channel that nothing arrives through, and tells whoever can mend it. What waits for it is cancelled; of very much, the rest by the sweep. */
export function createDisabler({ db, services: { config, mail, now } }: DisablerOptions) {
  const tellOwners = async (tx: Transaction, disabled: Disabled, reason: DisabledReason, nowMs: number) => {
    const { workspaceId, workspaceName, channelName } = disabled;
    const url = `${config.publicUrl}${config.basePath}/`;
    const values = {
      channelName,
      workspaceName,
      reason,
      at: new Date(nowMs).toISOString(),
      url,
    };
    for (const { email: to, locale } of await selectOwners(tx, workspaceId))
      if (isMailAddress(to)) {
        const letter = {
          to,
          locale,
          kind: 'channel-disabled',
          values,
          expiresAtMs: nowMs + mailLifeMs,
        } as const;
        await mail.enqueue(tx, letter, nowMs);
      }
  };
  return (channelId: number, reason: DisabledReason): Promise<void> =>
    db.transaction(async (tx) => {
      const nowMs = now();
      const disabled = await markDisabled(tx, channelId, reason, nowMs);
      if (disabled === undefined) return;
      await cancelPending(tx, channelId, nowMs);
      if (mail.isOn) await tellOwners(tx, disabled, reason, nowMs);
      const { workspaceId, institutionId, mode, before } = disabled;
      const data = await channelRecordOf(tx, sql`c.id = ${channelId}`, nowMs);
      const changes = {
        status: { from: before, to: 'DISABLED' },
        disabledReason: { from: null, to: reason },
      };
      const subject = { actor: delivery, workspaceId, institutionId, subjectId: data.channelId };
      const event = { mode, data };
      await appendRecords(tx, [
        { action: 'channel.disabled', ...subject, changes, occurredAtMs: nowMs, event },
      ]);
    });
}
