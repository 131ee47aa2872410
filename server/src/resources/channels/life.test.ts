import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newChannel } from '../../../test/suites/command-targets.ts';
import { addDeliveries, channelsUrl } from '../../../test/support/deliveries.ts';
import { lastRecord, run } from '../../../test/support/operator.ts';
import { openWorld, portalCall, signIn, type World } from '../../../test/world.ts';
import { sweepCancelled } from '../../channels/cancel.ts';
import { openSecrets } from '../../channels/secrets.ts';
import { sql } from '../../db/sql.ts';

let world: World;
let token: string;
beforeAll(async () => {
  world = await openWorld();
  token = await signIn(world);
  await run(world, 'enableChannelType', { type: 'SLACK' });
});
afterAll(() => world.close());

const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
  const response = await portalCall(world, token, {
    method,
    url: `${channelsUrl}${path}`,
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.statusCode, ...response.json() };
};

/** A channel of its own, which leaves room for others. */
async function make(change: object = {}) {
  const { data } = await call('POST', '', { ...newChannel, ...change });
  const id = `/${data.channelId}`;
  const secrets = async () => {
    const [row] = await world.db.query<{ sealed: Buffer | null }>(
      sql`select sealed from channels where biz_id = ${data.channelId}`,
    );
    return openSecrets(world.services.vault, data.channelId, row?.sealed ?? null);
  };
  return { data, id, secrets };
}

const waitingEvent = async () => {
  const [row] = await world.db.query<{
    type: string;
    mode: string;
    data: string;
    channel: string | null;
  }>(sql`
    select w.event_type as type, w.event_mode::text as mode, w.event_data as data, c.biz_id as channel
    from audit_waiting w left join channels c on c.id = w.event_channel_id order by w.id desc limit 1`);
  return row && { ...row, data: row.data && JSON.parse(row.data) };
};

const statuses = async (channelId: string) => {
  const rows = await world.db.query<{ status: string; count: number }>(sql`
    select d.status::text as status, count(*) as count from deliveries d join channels c on c.id = d.channel_id
    where c.biz_id = ${channelId} group by 1`);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
};

describe('a change of a channel', () => {
  it('changes what is given and nothing else, and is in the log field by field', async () => {
    const { id, data } = await make();
    const { data: renamed } = await call('PATCH', id, { name: 'y', eventTypes: ['file.created'] });
    const { secret: _secret, ...record } = data;
    expect(renamed).toEqual({
      ...record,
      name: 'y',
      eventTypes: ['file.created'],
      updatedAt: expect.any(String),
    });
    expect((await lastRecord(world))?.['changes']).toEqual({
      name: { from: 'x', to: 'y' },
      eventTypes: { from: ['transfer.created'], to: ['file.created'] },
    });
    expect((await call('PATCH', id, {})).data).toMatchObject({ name: 'y', eventTypes: ['file.created'] });
    expect((await lastRecord(world))?.['changes']).toEqual({});
  });

  it('replaces the configuration, but leaves out of it what is writeOnly as it was', async () => {
    const { id, data, secrets } = await make();
    const before = await secrets();
    const { data: moved } = await call('PATCH', id, {
      config: { url: 'https://other.example/', timeoutSeconds: 3 },
    });
    expect(moved.config).toEqual({ url: 'https://other.example/', timeoutSeconds: 3 });
    expect((await call('PATCH', id, { config: newChannel.config })).data.config).toEqual(data.config);
    expect(await secrets()).toEqual(before);
    const slack = await make({ typeCode: 'SLACK', config: { url: 'https://hooks.slack.com/first' } });
    expect((await call('PATCH', slack.id, { config: {} })).status).toBe(200);
    expect(await slack.secrets()).toEqual({ fields: { url: 'https://hooks.slack.com/first' } });
    await call('PATCH', slack.id, { config: { url: 'https://hooks.slack.com/second' } });
    expect(await slack.secrets()).toEqual({ fields: { url: 'https://hooks.slack.com/second' } });
    const hidden = { from: '(secret)', to: '(secret)' };
    expect((await lastRecord(world))?.['changes']).toEqual({ 'config.url': hidden });
  });

  it('takes a signing secret as a rotation: the one before signs for 24 hours more', async () => {
    const { id, data, secrets } = await make();
    const signingSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    await call('PATCH', id, { config: { ...newChannel.config, signingSecret } });
    const { signing } = await secrets();
    expect(signing).toEqual({
      current: signingSecret,
      previous: { secret: data.secret, untilMs: expect.any(Number) },
    });
    await call('PATCH', id, { config: { ...newChannel.config, signingSecret } });
    expect((await secrets()).signing).toEqual(signing);
  });

  it('refuses what its type would refuse of a new one, and changes nothing', async () => {
    const { id } = await make();
    const wrong: [object, string][] = [
      [{ config: {} }, 'config.url is required'],
      [{ config: { url: 'https://10.0.0.1/' } }, 'config.url must not lead to'],
      [{ config: 'x' }, 'config must be an object'],
      [{ name: '' }, 'name must'],
      [{ eventTypes: ['ping'] }, 'eventTypes[0] must be one of'],
    ];
    const before = (await call('GET', id)).data;
    for (const [body, message] of wrong) {
      const refused = await call('PATCH', id, body);
      expect([refused.status, refused.code]).toEqual([400, '4000']);
      expect(refused.message).toContain(message);
    }
    expect((await call('GET', id)).data).toEqual(before);
  });

  it('keeps type and mode, whatever is sent', async () => {
    const { id } = await make();
    const { data } = await call('PATCH', id, {
      typeCode: 'IN_APP',
      mode: 2,
      status: 'DISABLED',
      channelId: 'x',
    });
    expect(data).toMatchObject({ typeCode: 'WEBHOOK', mode: 'LIVE', status: 'ACTIVE' });
  });
});

describe('a rotation of the secret', () => {
  it('shows the new one once, and keeps the one before for 24 hours', async () => {
    const { id, data, secrets } = await make();
    const { data: rotated } = await call('POST', `${id}/rotate-secret`);
    expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { signing } = await secrets();
    expect(signing).toMatchObject({ current: rotated.secret, previous: { secret: data.secret } });
    const left = (signing?.previous?.untilMs ?? 0) - world.clock.now();
    expect(left).toBeGreaterThan(86_000_000);
    expect(left).toBeLessThanOrEqual(86_400_000);
    expect(Object.keys((await call('GET', id)).data)).not.toContain('secret');
    const { data: third } = await call('POST', `${id}/rotate-secret`);
    expect((await secrets()).signing?.previous?.secret).toBe(rotated.secret);
    expect(third.secret).not.toBe(rotated.secret);
  });

  it('is refused with 409 4091 where nothing is signed', async () => {
    const { id } = await make({ typeCode: 'IN_APP', config: {} });
    expect(await call('POST', `${id}/rotate-secret`)).toMatchObject({ status: 409, code: '4091' });
  });
});

describe('a test of a channel', () => {
  it('tells an event of type ping to that channel alone', async () => {
    const { id, data } = await make({ mode: 2 });
    const { data: record } = await call('POST', `${id}/test`);
    expect(await waitingEvent()).toEqual({
      type: 'ping',
      mode: 'TEST',
      data: record,
      channel: data.channelId,
    });
    await call('POST', `${id}/disable`);
    expect(await call('POST', `${id}/test`)).toMatchObject({ status: 409, code: '4091' });
  });
});

describe('a channel that is disabled', () => {
  it('cancels what is PENDING, says who did it, and tells an event with its record', async () => {
    const { id, data } = await make();
    await addDeliveries(world, data.channelId, { status: 'PENDING', count: 3 });
    await addDeliveries(world, data.channelId, { status: 'SUCCEEDED' });
    const { data: record } = await call('POST', `${id}/disable`);
    expect(record).toMatchObject({ status: 'DISABLED', disabledReason: 'OWNER' });
    expect(await waitingEvent()).toEqual({
      type: 'channel.disabled',
      mode: 'LIVE',
      data: record,
      channel: null,
    });
    expect(JSON.stringify(record)).not.toContain('whsec_');
    expect(await statuses(data.channelId)).toEqual({ CANCELLED: 3, SUCCEEDED: 1 });
    expect(await call('POST', `${id}/disable`)).toMatchObject({ status: 409, code: '4091' });
  });

  it('works again once it is enabled, without what failed before', async () => {
    const { id, data } = await make();
    await world.db.query(sql`
      update channels set status = 'FAILING', failing_since = now() where biz_id = ${data.channelId}`);
    expect(await call('POST', `${id}/enable`)).toMatchObject({ status: 409, code: '4091' });
    await call('POST', `${id}/disable`);
    const { data: record } = await call('POST', `${id}/enable`);
    expect(record).toMatchObject({ status: 'ACTIVE', disabledReason: null, failingSince: null });
  });

  it('answers soon however much is PENDING, and cancels all of it, or the sweep does', async () => {
    const { id, data } = await make();
    await addDeliveries(world, data.channelId, { status: 'PENDING', count: 5000 });
    expect((await call('POST', `${id}/disable`)).status).toBe(200);
    await expect.poll(() => statuses(data.channelId)).toEqual({ CANCELLED: 5000 });
    await addDeliveries(world, data.channelId, { status: 'PENDING', count: 1500 });
    expect(await call('POST', `${id}/enable`)).toMatchObject({ status: 409, code: '4090' });
    while (await sweepCancelled(world.db, world.clock.now()));
    expect(await statuses(data.channelId)).toEqual({ CANCELLED: 6500 });
    expect((await call('POST', `${id}/enable`)).status).toBe(200);
  });

  it('leaves what others send alone', async () => {
    const { data } = await make();
    await addDeliveries(world, data.channelId, { status: 'PENDING', count: 2 });
    while (await sweepCancelled(world.db, world.clock.now()));
    expect(await statuses(data.channelId)).toEqual({ PENDING: 2 });
  });
});

describe('a channel that is deleted', () => {
  it('is in no list, has no deliveries and no secret, and can be deleted once', async () => {
    const { id, data } = await make();
    await addDeliveries(world, data.channelId);
    expect(await call('DELETE', id)).toMatchObject({ status: 200, data: null });
    for (const path of ['', '/deliveries'])
      expect(await call('GET', `${id}${path}`)).toMatchObject({ status: 404, code: '4040' });
    expect((await call('GET', '?size=100')).data.content).not.toContainEqual(
      expect.objectContaining({ channelId: data.channelId }),
    );
    expect(await call('DELETE', id)).toMatchObject({ status: 404, code: '4040' });
    const [row] = await world.db.query<{ sealed: Buffer | null; deletedAt: Date | null }>(
      sql`select sealed, deleted_at as "deletedAt" from channels where biz_id = ${data.channelId}`,
    );
    expect(row).toEqual({ sealed: null, deletedAt: expect.anything() });
  });
});
