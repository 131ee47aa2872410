import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { createVault } from '../server/src/auth/secrets/vault.ts';
import { sealChannel } from '../server/src/channels/secrets.ts';
import { type ServerProcess, startProcess } from './processes.ts';
import { startDatabase, startPortico } from './world.ts';

type Seen = { [path: string]: { count: number; lastMs: number; lateMs: number[] } };
type Late = { count: number; p50Ms: number; p99Ms: number };

export type DeliveriesResult = {
  channels: number;
  /** Of many at once, from the commit of the first to the arrival of the last. */
  deliveries: number;
  perSecond: number;
  /** From commit to arrival, while nothing else is to be delivered. */
  idle: Late;
  /** The same for a steady stream to all channels but one, whose receiver answers or hangs. */
  alive: Late;
  dead: Late;
  /** What a receiver has missed is sent once it is back, beside the same stream to the others. */
  outage: { backlog: number; seconds: number; beside: Late };
};

export type DeliveriesSizes = {
  channels: number;
  bulk: number;
  idle: number;
  backlog: number;
  streamSeconds: number;
};

const streamPerSecond = 100;
const streamType = 'transfer.completed';

function lateness(all: readonly number[]): Late {
  const sorted = [...all].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN;
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** A workspace for each channel, as tenants are; their events wait to be sealed, as a command leaves them. */
class Ground {
  readonly admin: pg.Pool;
  readonly receiver: ServerProcess;
  private readonly vault: ReturnType<typeof createVault>;

  constructor(admin: pg.Pool, receiver: ServerProcess, masterKey: Buffer) {
    this.admin = admin;
    this.receiver = receiver;
    this.vault = createVault(masterKey);
  }

  async addChannel(name: string, path: string, eventTypes: string[]): Promise<void> {
    const channelId = `NCH_${name}`;
    const signing = { current: `whsec_${randomBytes(32).toString('base64')}` };
    await this.admin.query(
      `with w as (insert into workspaces (biz_id, institution_id, name) values ($1, 1, $1) on conflict (biz_id) do update set name = excluded.name returning id)
       insert into channels (biz_id, workspace_id, type_code, name, mode, event_types, config, sealed, created_at, updated_at)
       select $2, w.id, 'WEBHOOK', $2, 'LIVE', $3, $4, $5, now() - interval '1 hour', now() from w`,
      [
        `WS_${name}`,
        channelId,
        eventTypes,
        { url: `http://127.0.0.1:${this.receiver.port}${path}` },
        sealChannel(this.vault, channelId, { fields: {}, signing }),
      ],
    );
  }

  /** So many events for each of the workspaces from one number to another. */
  async commit(workspaces: readonly string[], type: string, each = 1): Promise<void> {
    await this.admin.query(
      `insert into audit_waiting (audit_id, occurred_at, actor_type, actor_id, actor_name, action, subject_type, subject_id, changes,
         workspace_id, event_type, event_mode, event_data)
       select 'AUD_' || gen_random_uuid(), now(), 'SYSTEM', 'bench', 'Bench', $2, 'TRANSFER', 'TRF_BENCH', '{}', 'WS_' || w, $2, 'LIVE',
         json_build_object('transferId', 'TRF_BENCH', 'amount', '12.50', 'currency', 'USD', 'status', 'COMPLETED', 'atMs', $4::float8)::text
       from unnest($1::text[]) w, generate_series(1, $3::int)`,
      [workspaces, type, each, Date.now()],
    );
  }

  async seen(): Promise<Seen> {
    return (await (await fetch(`http://127.0.0.1:${this.receiver.port}/seen`)).json()) as Seen;
  }

  /** What has arrived since, once it is so many. */
  async await(count: number, isWanted: (path: string) => boolean = () => true): Promise<Seen[string][]> {
    const all: Seen[string][] = [];
    for (let found = 0; found < count; ) {
      await sleep(20);
      const now = Object.entries(await this.seen()).filter(([path]) => isWanted(path));
      for (const [, each] of now) all.push(each);
      found = all.reduce((sum, each) => sum + each.count, 0);
    }
    return all;
  }
}

const late = (seen: readonly Seen[string][]) => lateness(seen.flatMap(({ lateMs }) => lateMs));

async function measureBulk(ground: Ground, names: readonly string[], each: number) {
  const begun = Date.now();
  await ground.commit(names, 'transfer.created', each);
  const seen = await ground.await(names.length * each);
  const seconds = (Math.max(...seen.map(({ lastMs }) => lastMs)) - begun) / 1000;
  return (names.length * each) / seconds;
}

async function measureIdle(ground: Ground, name: string, count: number): Promise<Late> {
  for (let made = 0; made < count; made += 1) {
    await ground.commit([name], streamType);
    await sleep(37 + (made % 5) * 13); // at all moments between two looks of the sealer
  }
  return late(await ground.await(count));
}

/** A steady stream to all of them in turn; gives how late it was. */
async function stream(
  ground: Ground,
  names: readonly string[],
  seconds: number,
  isWanted: (path: string) => boolean,
): Promise<Late> {
  const begun = performance.now();
  let made = 0;
  for (; made < seconds * streamPerSecond; made += 1) {
    const waitMs = begun + (made * 1000) / streamPerSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    await ground.commit([names[made % names.length] ?? ''], streamType);
  }
  return late(await ground.await(made, isWanted));
}

const isSteady = (path: string) => path.startsWith('/steady');

/** In the order without, with, with, without, so that what grows weighs on both alike. */
async function measureDead(ground: Ground, names: readonly string[], seconds: number) {
  const parts = { alive: [] as Late[], dead: [] as Late[] };
  for (const kind of ['alive', 'dead', 'dead', 'alive'] as const) {
    if (kind === 'dead') await ground.commit(['HUNG'], streamType, 50);
    parts[kind].push(await stream(ground, names, seconds, isSteady));
  }
  const worst = (found: readonly Late[]): Late => ({
    count: found.reduce((sum, { count }) => sum + count, 0),
    p50Ms: Math.max(...found.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...found.map(({ p99Ms }) => p99Ms)),
  });
  return { alive: worst(parts.alive), dead: worst(parts.dead) };
}

async function measureOutage(ground: Ground, names: readonly string[], backlog: number, seconds: number) {
  await ground.commit(['DOWN'], streamType, backlog);
  await sleep(3000);
  await fetch(`http://127.0.0.1:${ground.receiver.port}/up`);
  await ground.seen();
  const begun = Date.now();
  const down: Seen[string][] = [];
  const lates: number[] = [];
  let isOver = false;
  const streaming = (async () => {
    for (let made = 0; made < seconds * streamPerSecond; made += 1) {
      const waitMs = begun + (made * 1000) / streamPerSecond - Date.now();
      if (waitMs > 0) await sleep(waitMs);
      await ground.commit([names[made % names.length] ?? ''], streamType);
    }
    isOver = true;
  })();
  // Those that were tried while it was down wait for their own next attempt.
  const wanted = backlog - 10;
  for (let found = 0; found < wanted || !isOver || lates.length < seconds * streamPerSecond; ) {
    await sleep(50);
    for (const [path, each] of Object.entries(await ground.seen()))
      if (isSteady(path)) lates.push(...each.lateMs);
      else down.push(each);
    found = down.reduce((sum, { count }) => sum + count, 0);
  }
  await streaming;
  const lastMs = Math.max(...down.map((each) => each.lastMs));
  return { backlog, seconds: (lastMs - begun) / 1000, beside: lateness(lates) };
}

const sizesAll: DeliveriesSizes = {
  channels: 100,
  bulk: 20_000,
  idle: 200,
  backlog: 3600,
  streamSeconds: 10,
};

/** On a database of its own, to a receiver in a process of its own. */
export async function measureDeliveries(
  seconds: number,
  sizes: Partial<DeliveriesSizes> = {},
): Promise<DeliveriesResult> {
  const { channels, bulk, idle, backlog, streamSeconds } = { ...sizesAll, ...sizes };
  const database = await startDatabase();
  const masterKey = randomBytes(32);
  const env = { PORTICO_MASTER_KEY: masterKey.toString('base64') };
  const portico = await startPortico(database.url, env);
  const receiver = await startProcess(['--import', 'tsx', 'bench/targets/receiver.ts'], {});
  const ground = new Ground(database.admin, receiver, masterKey);
  const names = Array.from({ length: channels }, (_, index) => String(index));
  for (const name of names)
    await ground.addChannel(name, `/steady/${name}`, ['transfer.created', streamType]);
  await ground.addChannel('HUNG', '/hung', [streamType]);
  await ground.addChannel('DOWN', '/down', [streamType]);
  await measureBulk(ground, names, Math.min(10, bulk / channels)); // warms up
  const perSecond = await measureBulk(ground, names, bulk / channels);
  const idleLate = await measureIdle(ground, '0', idle);
  const dead = await measureDead(ground, names, streamSeconds * seconds);
  const outage = await measureOutage(ground, names, backlog, streamSeconds * seconds);
  await portico.stop();
  await receiver.stop();
  await database.stop();
  return { channels, deliveries: bulk, perSecond, idle: idleLate, ...dead, outage };
}
