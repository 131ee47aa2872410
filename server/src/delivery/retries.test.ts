import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  addChannel,
  addEvents,
  deliveriesOf,
  openDelivering,
  statusOf,
  type TestChannel,
} from '../../test/support/channels.ts';
import { waitingMails } from '../../test/support/mails.ts';
import { ok, type Receiver, startReceiver, withStatus } from '../../test/support/receiver.ts';
import { createStillClock, openWorld, type World } from '../../test/world.ts';
import { sql } from '../db/sql.ts';
import { createSealer } from '../log/sealer.ts';
import { retryDelayMs, retryDelaysMs } from './retry.ts';

const clock = createStillClock();
const day = 86_400;
let world: World;
let receiver: Receiver;
let delivering: ReturnType<typeof openDelivering>;
beforeAll(async () => {
  const env = { PORTICO_SMTP_URL: 'smtp://127.0.0.1:9', PORTICO_MAIL_FROM: 'portal@acme.example' };
  world = await openWorld({ clock, env });
  receiver = await startReceiver();
  delivering = openDelivering(world);
});
afterEach(async () => {
  await world.db.query(sql`update channels set deleted_at = now() where deleted_at is null`);
  receiver.received.length = 0;
  receiver.answerWith(ok);
});
afterAll(async () => {
  await delivering.stop();
  await receiver.close();
  await world.close();
});

const channelRow = async ({ id }: TestChannel) => {
  const [row] = await world.db.query<{
    failingMs: number | null;
    successMs: number | null;
    reason: string | null;
  }>(sql`
    select (extract(epoch from failing_since) * 1000)::float8 as "failingMs", disabled_reason as reason,
      (extract(epoch from last_success_at) * 1000)::float8 as "successMs" from channels where id = ${id}`);
  return row;
};

describe('a delivery that fails', () => {
  it('is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, under the same id, and then given up', async () => {
    const [s, min, h] = [1000, 60_000, 3_600_000];
    expect(retryDelaysMs).toEqual([5 * s, 5 * min, 30 * min, 2 * h, 5 * h, 10 * h, 14 * h, 20 * h, 24 * h]);
    receiver.answerWith(withStatus(503, 'busy'));
    const channel = await addChannel(world, receiver.url);
    const sequence = await addEvents(world);
    for (const [index, delayMs] of retryDelaysMs.entries()) {
      await delivering.deliver(1);
      const [tried] = await deliveriesOf(world, channel);
      expect(tried).toMatchObject({
        status: 'PENDING',
        attempts: index + 1,
        responseStatus: 503,
        responseBody: 'busy',
      });
      expect(tried?.dueInMs).toBeGreaterThanOrEqual(delayMs);
      expect(tried?.dueInMs).toBeLessThanOrEqual(delayMs * 1.2);
      clock.advance((delayMs - 1) / 1000);
      await delivering.run();
      expect(receiver.received).toHaveLength(index + 1);
      clock.advance((delayMs * 0.2 + 1000) / 1000);
    }
    await delivering.deliver(1);
    expect(await deliveriesOf(world, channel)).toMatchObject([
      { status: 'FAILED', attempts: 10, dueInMs: null },
    ]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([`EVT_${sequence}`]),
    );
    expect(delivering.outcomes().given_up).toBe(1);
  });

  it('comes back at another moment than those that failed with it', () => {
    expect(retryDelayMs(1, () => 0)).toBe(5000);
    expect(retryDelayMs(1, () => 0.999)).toBeCloseTo(6000, -1);
    expect(retryDelayMs(10)).toBeUndefined();
  });

  it.each([300, 301, 307, 400, 401, 404, 429, 500, 503])('is one that is answered %i', async (status) => {
    receiver.answerWith(withStatus(status, '', { location: `${receiver.url}/elsewhere` }));
    const channel = await addChannel(world, receiver.url);
    await addEvents(world);
    await delivering.deliver(1);
    expect(await deliveriesOf(world, channel)).toMatchObject([{ status: 'PENDING', responseStatus: status }]);
    expect(receiver.received).toHaveLength(1);
  });

  it('tells why, when nobody answered', async () => {
    const gone = await startReceiver();
    await gone.close();
    const channel = await addChannel(world, gone.url);
    await addEvents(world);
    await delivering.deliver(1);
    expect(await deliveriesOf(world, channel)).toMatchObject([
      {
        status: 'PENDING',
        responseStatus: null,
        responseBody: 'the connection was refused',
        durationMs: expect.any(Number),
      },
    ]);
  });
});

describe('a channel', () => {
  it('is FAILING while its newest attempt failed, and ACTIVE with the next success', async () => {
    const channel = await addChannel(world, receiver.url);
    await addEvents(world);
    await delivering.deliver(1);
    const firstMs = clock.now();
    expect([await statusOf(world, channel), await channelRow(channel)]).toMatchObject([
      'ACTIVE',
      { successMs: firstMs, failingMs: null },
    ]);
    receiver.answerWith(withStatus(500));
    clock.advance(10);
    await addEvents(world);
    await delivering.deliver(1);
    const failedMs = clock.now();
    clock.advance(7);
    await delivering.deliver(1);
    expect([await statusOf(world, channel), await channelRow(channel)]).toMatchObject([
      'FAILING',
      { successMs: firstMs, failingMs: failedMs },
    ]);
    receiver.answerWith(ok);
    clock.advance(400);
    await delivering.deliver(1);
    expect([await statusOf(world, channel), await channelRow(channel)]).toMatchObject([
      'ACTIVE',
      { successMs: clock.now(), failingMs: null },
    ]);
  });

  const recordsOf = ({ channelId }: TestChannel) =>
    world.db.query(sql`
      select actor_type::text as "actorType", action, changes::json as changes from audit_log where subject_id = ${channelId}`);

  it('whose receiver says 410 is disabled at once: with a record, an event, mails to owners, and what waits is cancelled', async () => {
    await world.db.query(sql`delete from mails`);
    const channel = await addChannel(world, receiver.url);
    const told = await addChannel(world, receiver.url, { eventTypes: ['channel.disabled'] });
    receiver.answerWith(withStatus(500));
    await addEvents(world);
    await delivering.deliver(1);
    clock.advance(2);
    await addEvents(world, 3);
    receiver.answerWith(withStatus(410, 'gone'));
    await delivering.dispatch();
    clock.advance(1);
    await delivering.deliver(1);
    await expect.poll(() => statusOf(world, channel)).toBe('DISABLED');
    expect((await channelRow(channel))?.reason).toBe('GONE');
    const statuses = (await deliveriesOf(world, channel)).map(({ status }) => status).sort();
    expect(statuses).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED', 'FAILED']);
    const mails = await waitingMails(world);
    expect(mails.length).toBeGreaterThan(0);
    for (const mail of mails)
      expect(mail).toMatchObject({
        kind: 'channel-disabled',
        values: { channelName: 'Hooks', reason: 'GONE' },
      });
    await createSealer(world.db)();
    expect(await recordsOf(channel)).toEqual([
      {
        actorType: 'SYSTEM',
        action: 'channel.disabled',
        changes: { status: { from: 'FAILING', to: 'DISABLED' }, disabledReason: { from: null, to: 'GONE' } },
      },
    ]);
    receiver.received.length = 0;
    receiver.answerWith(ok);
    await delivering.deliver(1);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      type: 'channel.disabled',
      mode: 'LIVE',
      workspaceId: 'WS_DEMO',
      data: {
        channelId: channel.channelId,
        status: 'DISABLED',
        disabledReason: 'GONE',
        config: { url: receiver.url },
      },
    });
    expect(await deliveriesOf(world, told)).toMatchObject([{ status: 'SUCCEEDED' }]);
    await addEvents(world);
    await delivering.run();
    expect(await deliveriesOf(world, channel)).toHaveLength(4);
  });

  it('through which nothing arrived for five days is disabled, and not before', async () => {
    const channel = await addChannel(world, receiver.url);
    receiver.answerWith(withStatus(500));
    await addEvents(world);
    await delivering.deliver(1);
    clock.advance(5 * day - 60);
    await delivering.deliver(1);
    expect(await statusOf(world, channel)).toBe('FAILING');
    clock.advance(60);
    await addEvents(world);
    await delivering.dispatch();
    clock.advance(1);
    await delivering.deliver(1);
    await expect.poll(() => statusOf(world, channel)).toBe('DISABLED');
    expect((await channelRow(channel))?.reason).toBe('FAILED');
  });

  it('with a success in between is not', async () => {
    const channel = await addChannel(world, receiver.url);
    for (const answering of [withStatus(500), ok, withStatus(500)]) {
      receiver.answerWith(answering);
      clock.advance(3 * day);
      await addEvents(world);
      const { length } = (await deliveriesOf(world, channel)).filter(({ status }) => status === 'PENDING');
      await delivering.deliver(length + 1);
    }
    expect(await statusOf(world, channel)).toBe('FAILING');
  });
});
