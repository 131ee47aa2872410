import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  addChannel,
  addEvents,
  deliveriesOf,
  newSecret,
  openDelivering,
  type TestChannel,
} from '../../test/support/channels.ts';
import { hung, ok, type Receiver, startReceiver, withStatus } from '../../test/support/receiver.ts';
import { createStillClock, openWorld, type World } from '../../test/world.ts';
import { sql } from '../db/sql.ts';

const clock = createStillClock();
let world: World;
let receiver: Receiver;
let delivering: ReturnType<typeof openDelivering>;
beforeAll(async () => {
  world = await openWorld({ clock });
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

const oldestOf = async (channel: TestChannel) => (await deliveriesOf(world, channel))[0];

describe('a webhook', () => {
  it('is verified by the library of Standard Webhooks, under the id of its event', async () => {
    const channel = await addChannel(world, `${receiver.url}/hooks?a=b`);
    const first = await addEvents(world, 3);
    await delivering.deliver(3);
    expect(receiver.received).toHaveLength(3);
    for (const { headers, body, path } of receiver.received) {
      const event = new Webhook(channel.secret).verify(body, headers as Record<string, string>);
      expect(event).toEqual(JSON.parse(body));
      expect(path).toBe('/hooks?a=b');
      expect(headers['content-type']).toBe('application/json');
      expect(headers['webhook-id']).toBe(JSON.parse(body).eventId);
      expect(() => new Webhook(newSecret()).verify(body, headers as Record<string, string>)).toThrow();
    }
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']).sort();
    expect(ids).toEqual([first, first + 1, first + 2].map((sequence) => `EVT_${sequence}`).sort());
    expect(Object.keys(JSON.parse(receiver.received[0]?.body ?? ''))).toEqual([
      ...['eventId', 'type', 'occurredAt', 'mode', 'workspaceId', 'data'],
    ]);
    expect(await oldestOf(channel)).toMatchObject({
      status: 'SUCCEEDED',
      attempts: 1,
      responseStatus: 200,
      responseBody: 'thanks',
      dueInMs: null,
    });
  });

  it('is signed with both secrets while one replaces the other, and then with one', async () => {
    const [old, current] = [newSecret(), newSecret()];
    const untilMs = clock.now() + 1000;
    const secrets = { fields: {}, signing: { current, previous: { secret: old, untilMs } } };
    await addChannel(world, receiver.url, { secrets });
    await addEvents(world);
    await delivering.deliver(1);
    const [both] = receiver.received;
    for (const secret of [old, current])
      new Webhook(secret).verify(both?.body ?? '', both?.headers as Record<string, string>);
    clock.advance(2);
    await addEvents(world);
    await delivering.deliver(1);
    const last = receiver.received[1];
    expect(String(last?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  it('goes to channels of its workspace and mode that want its type, were there before it, and are not disabled', async () => {
    await addEvents(world); // before any of them
    clock.advance(1);
    const wanted = await addChannel(world, receiver.url);
    const others = [
      await addChannel(world, receiver.url, { mode: 'TEST' }),
      await addChannel(world, receiver.url, { eventTypes: ['transfer.failed', 'member.added'] }),
      await addChannel(world, receiver.url, { workspace: 'WS_OTHER' }),
      await addChannel(world, receiver.url),
      await addChannel(world, receiver.url),
    ];
    await world.db.query(sql`update channels set status = 'DISABLED' where id = ${others[3]?.id}`);
    await world.db.query(sql`update channels set deleted_at = now() where id = ${others[4]?.id}`);
    await addEvents(world);
    await delivering.deliver(1);
    expect(await deliveriesOf(world, wanted)).toHaveLength(1);
    for (const other of others) expect(await deliveriesOf(world, other)).toEqual([]);
    const sequence = await addEvents(world, 1, { type: 'member.added', mode: null });
    await delivering.deliver(1);
    expect((await deliveriesOf(world, others[1] as TestChannel)).map((each) => each.sequence)).toEqual([
      sequence,
    ]);
  });

  it('of a test goes to its channel alone, before all that waits', async () => {
    const channel = await addChannel(world, receiver.url);
    const other = await addChannel(world, receiver.url);
    receiver.answerWith(withStatus(500));
    await addEvents(world, 1);
    await delivering.deliver(2);
    clock.advance(2);
    await addEvents(world, 20);
    const ping = await addEvents(world, 1, { type: 'ping', channel: channel.id });
    await world.db.query(sql`update channels set status = 'DISABLED' where id = ${other.id}`);
    receiver.received.length = 0;
    receiver.answerWith(hung);
    await delivering.dispatch();
    clock.advance(1);
    await delivering.run();
    await expect.poll(() => receiver.received.length).toBe(1); // FAILING: one at a time
    expect(receiver.received[0]?.headers['webhook-id']).toBe(`EVT_${ping}`);
    expect((await deliveriesOf(world, other)).filter(({ sequence }) => sequence === ping)).toEqual([]);
  });
});
