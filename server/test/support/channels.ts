import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { expect } from 'vitest';
import { type ChannelSecrets, sealChannel } from '../../src/channels/secrets.ts';
import { ulid } from '../../src/db/identifiers.ts';
import { instant, sql } from '../../src/db/sql.ts';
import { createDeliverer, type DelivererOptions } from '../../src/delivery/deliverer.ts';
import { createDispatcher } from '../../src/delivery/dispatch.ts';
import type { World } from '../world.ts';

export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

type Given = {
  typeCode?: string;
  workspace?: string;
  mode?: 'LIVE' | 'TEST';
  eventTypes?: string[];
  config?: object;
  secrets?: ChannelSecrets;
};

export type TestChannel = { id: number; channelId: string; secret: string };

/** A channel as it would be created; unless told otherwise a webhook for transfers of WS_DEMO. */
export async function addChannel(world: World, url: string, given: Given = {}): Promise<TestChannel> {
  const {
    typeCode = 'WEBHOOK',
    workspace = 'WS_DEMO',
    mode = 'LIVE',
    eventTypes = ['transfer.created'],
  } = given;
  const channelId = `NCH_${ulid(world.clock.now())}`;
  const secret = newSecret();
  const isHook = typeCode === 'WEBHOOK';
  const secrets =
    given.secrets ?? (isHook ? { fields: {}, signing: { current: secret } } : { fields: { url } });
  const config = given.config ?? (isHook ? { url } : {});
  const at = instant(world.clock.now());
  const [row] = await world.db.query<{ id: number }>(sql`
    insert into channels (biz_id, workspace_id, type_code, name, mode, event_types, config, sealed, created_at, updated_at)
    select ${channelId}, w.id, ${typeCode}, ${'Hooks'}, ${mode}::key_mode, ${eventTypes}::text[], ${JSON.stringify(config)}::jsonb,
      ${sealChannel(world.services.vault, channelId, secrets)}, ${at}, ${at} from workspaces w where w.biz_id = ${workspace}
    returning id`);
  return { id: row?.id ?? 0, channelId, secret };
}

type GivenEvent = {
  type?: string;
  workspace?: string;
  mode?: 'LIVE' | 'TEST' | null;
  data?: object;
  channel?: number;
};

/** So many events as the sealer would leave them; gives the number of the first. */
export async function addEvents(world: World, count = 1, given: GivenEvent = {}): Promise<number> {
  const {
    type = 'transfer.created',
    workspace = 'WS_DEMO',
    mode = 'LIVE',
    data = { transferId: 'TRF_1' },
  } = given;
  const [row] = await world.db.query<{ first: number }>(sql`
    with head as (update log_heads set sequence = sequence + ${count} where log = 'audit' returning sequence - ${count} as before),
    added as (
      insert into events (sequence, type, occurred_at, workspace_id, mode, channel_id, data)
      select before + n, ${type}, ${instant(world.clock.now())}, ${workspace}, ${mode}::key_mode, ${given.channel ?? null}, ${JSON.stringify(data)}
      from head, generate_series(1, ${count}) n
    )
    select before + 1 as first from head`);
  return row?.first ?? 0;
}

export type TestDelivery = {
  channelId: number;
  sequence: number;
  status: string;
  attempts: number;
  dueInMs: number | null;
  responseStatus: number | null;
  durationMs: number | null;
  responseBody: string | null;
};

/** All deliveries of a channel, oldest first. */
export function deliveriesOf(world: World, { id }: Pick<TestChannel, 'id'>): Promise<TestDelivery[]> {
  return world.db.query<TestDelivery>(sql`
    select channel_id as "channelId", event_sequence as sequence, status::text as status, attempts,
      round(extract(epoch from next_attempt_at - ${instant(world.clock.now())}) * 1000)::float8 as "dueInMs",
      response_status as "responseStatus", duration_ms as "durationMs", response_body as "responseBody"
    from deliveries where channel_id = ${id} order by event_sequence`);
}

export async function statusOf(world: World, { id }: Pick<TestChannel, 'id'>): Promise<string> {
  const [row] = await world.db.query<{ status: string }>(
    sql`select status::text as status from channels where id = ${id}`,
  );
  return row?.status ?? 'gone';
}

/** What one instance does for channels, when it is told to. */
export function openDelivering(world: World, options: Partial<DelivererOptions> = {}) {
  const { services, db, clock } = world;
  const lines: { msg: string }[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const dispatch = createDispatcher(db, clock.now);
  let filling = Promise.resolve();
  const wake = () => {
    filling = filling.then(deliverer.fill);
  };
  const deliverer = createDeliverer({ services, db, logger, wake, ...options });
  const ended = () => deliverer.outcomes().succeeded + deliverer.outcomes().failed;
  return {
    ...deliverer,
    lines,
    dispatch,
    ended,
    /** Hands out what there is and begins what is due; more as soon as there is room. */
    async run(): Promise<void> {
      await dispatch();
      wake();
      await filling;
    },
    /** The same, and waits until so many attempts have come to an end. */
    async deliver(attempts: number): Promise<void> {
      const before = ended();
      await this.run();
      await expect.poll(() => ended() - before, { timeout: 20_000, interval: 5 }).toBe(attempts);
    },
  };
}
