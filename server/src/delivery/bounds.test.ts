import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openSession } from '../../test/database.ts';
import {
  addChannel,
  addEvents,
  deliveriesOf,
  openDelivering,
  statusOf,
  type TestChannel,
} from '../../test/support/channels.ts';
import {
  type Answering,
  hung,
  ok,
  type Receiver,
  startReceiver,
  withStatus,
} from '../../test/support/receiver.ts';
import { createStillClock, openWorld, type World } from '../../test/world.ts';
import { sweepCancelled } from '../channels/cancel.ts';
import { sql } from '../db/sql.ts';
import { lanes, leaseMs } from './claim.ts';
import { countWaitingDeliveries, sweepDeletedChannels, sweepDeliveries } from './sweep.ts';

const clock = createStillClock();
const day = 86_400;
let world: World;
let dead: Receiver;
let alive: Receiver;
const opened: ReturnType<typeof openDelivering>[] = [];
beforeAll(async () => {
  world = await openWorld({ clock });
  dead = await startReceiver(hung);
  alive = await startReceiver();
});
afterEach(async () => {
  await dead.close(); // ends what hangs
  for (const delivering of opened.splice(0)) await delivering.stop();
  await world.db.query(sql`update channels set deleted_at = to_timestamp(${clock.now() / 1000})`);
  await world.db.query(sql`truncate deliveries, notifications`);
  dead = await startReceiver(hung);
  alive.received.length = 0;
  alive.answerWith(ok);
});
afterAll(async () => {
  await dead.close();
  await alive.close();
  await world.close();
});

const open = () => {
  const delivering = openDelivering(world);
  opened.push(delivering);
  return delivering;
};

const many = (count: number, url: string, given = {}) =>
  Promise.all(Array.from({ length: count }, () => addChannel(world, url, given)));

/** As one that has succeeded before. */
const settle = (channels: TestChannel[]) =>
  world.db.query(sql`
    insert into channel_turns (channel_id, due_at, lane) select id, 'infinity', 'QUICK' from unnest(${channels.map(({ id }) => id)}::int8[]) id
    on conflict (channel_id) do update set lane = 'QUICK'`);

const spread = (receiver: Receiver) => {
  const counts = new Map<string, number>();
  for (const { path } of receiver.received) counts.set(path, (counts.get(path) ?? 0) + 1);
  return [...counts.values()];
};

describe('a workspace with 50 channels whose receivers hang', () => {
  it('keeps nobody else waiting, though each has much to send, and those that answered before hang now', async () => {
    const hanging = await many(50, dead.url, { config: { url: dead.url, timeoutSeconds: 30 } });
    await settle(hanging.slice(25));
    const neighbour = await addChannel(world, alive.url, { workspace: 'WS_OTHER' });
    const newcomer = await addChannel(world, alive.url, { workspace: 'WS_DEMO_2' });
    await settle([neighbour]);
    const delivering = open();
    await addEvents(world, 40);
    await addEvents(world, 30, { workspace: 'WS_OTHER' });
    await addEvents(world, 3, { workspace: 'WS_DEMO_2' });
    await delivering.deliver(33);
    expect((await deliveriesOf(world, neighbour)).every(({ status }) => status === 'SUCCEEDED')).toBe(true);
    expect((await deliveriesOf(world, newcomer)).every(({ status }) => status === 'SUCCEEDED')).toBe(true);
    expect(dead.received.length).toBeLessThanOrEqual(lanes.QUICK.workspace + lanes.CAREFUL.workspace);
  });
});

describe('what one instance is at', () => {
  it('is at most 8 of a channel, and of many channels some of each', async () => {
    const [first, ...more] = [...Array(8).keys()].map((name) => `${dead.url}/${name}`);
    const channels = [await addChannel(world, first ?? '')];
    await settle(channels);
    const delivering = open();
    await addEvents(world, 20);
    await delivering.run();
    await expect.poll(() => dead.received.length).toBe(lanes.QUICK.channel);
    for (const url of more) await settle([await addChannel(world, url)]);
    await addEvents(world, 5);
    await delivering.run();
    await expect.poll(() => dead.received.length).toBe(lanes.QUICK.workspace);
    const [of, ...others] = spread(dead);
    expect(of).toBe(8);
    expect(Math.max(...others) - Math.min(...others)).toBeLessThanOrEqual(1);
  });

  it('is one thing of a channel that fails, a second after the last, until one arrives', async () => {
    const channel = await addChannel(world, alive.url);
    const delivering = open();
    alive.answerWith(withStatus(500));
    await addEvents(world, 1);
    await delivering.deliver(1);
    await addEvents(world, 30);
    await delivering.run();
    expect(alive.received).toHaveLength(1);
    clock.advance(1);
    await delivering.deliver(1);
    expect(await statusOf(world, channel)).toBe('FAILING');
    alive.answerWith(ok);
    clock.advance(1);
    await delivering.deliver(29);
    expect((await deliveriesOf(world, channel)).filter(({ status }) => status === 'SUCCEEDED')).toHaveLength(
      29,
    );
  });

  it('is left to others when it is lost, and not before its lease ends', async () => {
    const channel = await addChannel(world, dead.url);
    await addEvents(world);
    const lost = open();
    await lost.run();
    await expect.poll(() => dead.received.length).toBe(1);
    const other = open();
    clock.advance(leaseMs / 1000 - 1);
    await other.run();
    expect(dead.received).toHaveLength(1);
    dead.answerWith(ok);
    clock.advance(1);
    await other.deliver(1);
    expect(dead.received.map(({ headers }) => headers['webhook-id'])).toEqual(
      Array(2).fill(dead.received[0]?.headers['webhook-id']),
    );
    expect(await deliveriesOf(world, channel)).toMatchObject([{ status: 'SUCCEEDED', attempts: 2 }]);
  });

  it('is given back by an instance that stops, and counts as no attempt', async () => {
    const channel = await addChannel(world, dead.url);
    await addEvents(world);
    const stopping = open();
    await stopping.run();
    await expect.poll(() => dead.received.length).toBe(1);
    await stopping.stop();
    expect(await deliveriesOf(world, channel)).toMatchObject([
      { status: 'PENDING', attempts: 0, dueInMs: 0 },
    ]);
    expect(await statusOf(world, channel)).toBe('ACTIVE');
  });

  it('is shared with another instance: nothing is sent by both', async () => {
    const channels = await many(10, alive.url);
    const instances = [open(), open()];
    await addEvents(world, 50);
    await Promise.all(instances.map((delivering) => delivering.run()));
    const ended = () => instances.reduce((sum, delivering) => sum + delivering.ended(), 0);
    await expect.poll(ended).toBe(500);
    const sent = alive.received.map(({ headers, body }) => `${headers['webhook-signature']}${body}`);
    expect(new Set(sent).size).toBe(500);
    for (const channel of channels)
      expect((await deliveriesOf(world, channel)).every(({ status }) => status === 'SUCCEEDED')).toBe(true);
  });
});

describe('what became of deliveries', () => {
  it('is kept for all others while someone has a channel locked, and for that one afterwards', async () => {
    const [locked, free] = [await addChannel(world, alive.url), await addChannel(world, alive.url)];
    const session = await openSession(world.database);
    let isLocked: () => void = () => {};
    const answering: Answering = async (response, received) => {
      await new Promise<void>((resolve) => {
        isLocked = resolve;
        waiting.push(resolve);
      });
      ok(response, received);
    };
    const waiting: (() => void)[] = [];
    alive.answerWith(answering);
    const delivering = open();
    await addEvents(world);
    await delivering.run();
    await expect.poll(() => waiting.length).toBe(2);
    await session.query('begin');
    await session.query(`select from channels where id = ${locked.id} for update`);
    for (const go of waiting) go();
    isLocked();
    await expect.poll(async () => (await deliveriesOf(world, free))[0]?.status).toBe('SUCCEEDED');
    expect((await deliveriesOf(world, locked))[0]?.status).toBe('PENDING');
    await session.query('rollback');
    await session.end();
    await expect.poll(async () => (await deliveriesOf(world, locked))[0]?.status).toBe('SUCCEEDED');
  });

  it('does not undo what an owner did meanwhile', async () => {
    const channel = await addChannel(world, alive.url);
    const cancelled = sql`update deliveries set status = 'CANCELLED', next_attempt_at = null where channel_id = ${channel.id}`;
    alive.answerWith(
      (response, received) => void world.db.query(cancelled).then(() => ok(response, received)),
    );
    await addEvents(world);
    await open().deliver(1);
    expect((await deliveriesOf(world, channel))[0]?.status).toBe('CANCELLED');
  });
});

describe('events', () => {
  it('are handed out in steps of few rows, each once, however many instances try', async () => {
    const channels = await many(50, alive.url, { eventTypes: ['transfer.failed'] });
    await world.db.query(sql`update channel_turns set due_at = 'infinity'`);
    await addEvents(world, 100, { type: 'transfer.failed' });
    const step = () =>
      world.db.query<{ handled: number }>(sql`select delivery_dispatch(now(), 500, 1000) as handled`);
    const [first] = await step();
    expect(first?.handled).toBe(20);
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while (((await step())[0]?.handled ?? 0) > 0);
      }),
    );
    while (((await step())[0]?.handled ?? 0) > 0);
    for (const channel of channels) expect(await deliveriesOf(world, channel)).toHaveLength(100);
  });
});

describe('the sweep', () => {
  it('deletes deliveries of more than 30 days and no others', async () => {
    clock.advance(1);
    const channel = await addChannel(world, alive.url);
    const delivering = open();
    for (const days of [0, 29, 2]) {
      clock.advance(days * day);
      await addEvents(world);
      await delivering.deliver(1);
    }
    expect(await sweepDeliveries(world.db, clock.now())).toBe(false);
    expect(await deliveriesOf(world, channel)).toHaveLength(2);
  });

  it('cancels what waits for a channel that is DISABLED, and deletes a deleted one with all that it had', async () => {
    const [off, gone] = [await addChannel(world, dead.url), await addChannel(world, dead.url)];
    await addEvents(world, 3);
    await open().dispatch();
    await world.db.query(sql`update channels set status = 'DISABLED' where id = ${off.id}`);
    await world.db.query(
      sql`update channels set deleted_at = to_timestamp(${clock.now() / 1000}) where id = ${gone.id}`,
    );
    expect(await sweepCancelled(world.db, clock.now())).toBe(false);
    expect((await deliveriesOf(world, off)).map(({ status }) => status)).toEqual(Array(3).fill('CANCELLED'));
    expect(await sweepDeletedChannels(world.db, clock.now())).toBe(false);
    expect(await deliveriesOf(world, gone)).toEqual([]);
    expect(await statusOf(world, gone)).toBe('ACTIVE');
    await sweepDeletedChannels(world.db, clock.now() + 3_600_001);
    expect(await statusOf(world, gone)).toBe('gone');
    expect(await statusOf(world, off)).toBe('DISABLED');
  });

  it('leaves it to a measure to tell how much waits, and for how long what could have gone', async () => {
    clock.advance(1);
    const channels = [await addChannel(world, dead.url), await addChannel(world, alive.url)];
    await addEvents(world, 5);
    await open().dispatch();
    clock.advance(60);
    expect(await countWaitingDeliveries(world.db, clock.now())).toEqual({ count: 10, oldestSeconds: 0 });
    await world.db.query(sql`update channel_turns set lane = 'QUICK' where channel_id = ${channels[1]?.id}`);
    expect(await countWaitingDeliveries(world.db, clock.now())).toEqual({ count: 10, oldestSeconds: 60 });
  });
});
