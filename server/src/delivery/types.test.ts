import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addChannel, addEvents, deliveriesOf, openDelivering } from '../../test/support/channels.ts';
import { ok, type Receiver, startReceiver, withStatus } from '../../test/support/receiver.ts';
import { refusal, type SmtpServer, startSmtpServer } from '../../test/support/smtp-server.ts';
import { createStillClock, openWorld, type World } from '../../test/world.ts';
import { sql } from '../db/sql.ts';

const clock = createStillClock();
let world: World;
let receiver: Receiver;
let smtp: SmtpServer;
let isRefusing = false;
let delivering: ReturnType<typeof openDelivering>;
beforeAll(async () => {
  receiver = await startReceiver();
  smtp = await startSmtpServer({
    onRcptTo: (_address, _session, callback) => (isRefusing ? callback(refusal(550)) : callback()),
  });
  const env = {
    PORTICO_SMTP_URL: smtp.url,
    PORTICO_MAIL_FROM: 'portal@acme.example',
    PORTICO_SMS_URL: receiver.url.replace('//', '//gate:p%40ss@').concat('/sms?from=acme'),
  };
  world = await openWorld({ clock, env });
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
  await smtp.close();
  await world.close();
});

/** Whoever named the thing wrote this into its record. */
const hostile = { transferId: 'TRF_7', name: '<!channel> @all **x**', reference: '<script>' };

describe('a chat', () => {
  const line = (sequence: number) =>
    expect.stringMatching(
      new RegExp(
        `^transfer\\.created TRF_7 \\(LIVE, WS_DEMO, EVT_${sequence}, [^)]*Z\\) http://127\\.0\\.0\\.1:8080$`,
      ),
    );
  const shapes: [string, (text: string) => object, string, string | undefined][] = [
    ['SLACK', (text) => ({ text }), 'ok', undefined],
    [
      'LARK',
      (text) => ({ msg_type: 'text', content: { text } }),
      '{"code":0}',
      '{"code":19001,"msg":"param invalid"}',
    ],
    ['LARK', (text) => ({ msg_type: 'text', content: { text } }), '{"StatusCode":0}', '{}'],
    [
      'DINGTALK',
      (text) => ({ msgtype: 'text', text: { content: text } }),
      '{"errcode":0,"errmsg":"ok"}',
      '{"errcode":310000}',
    ],
    ['WECOM', (text) => ({ msgtype: 'text', text: { content: text } }), '{"errcode":0}', 'no json'],
    [
      'MS_TEAMS',
      (text) => ({ type: 'message', attachments: [{ content: { body: [{ type: 'TextBlock', text }] } }] }),
      '1',
      undefined,
    ],
  ];

  it.each(shapes)(
    '%s is told in its own format, without a word that a partner wrote',
    async (typeCode, shape, good, bad) => {
      const channel = await addChannel(world, `${receiver.url}/services/T0/s3cret`, { typeCode });
      receiver.answerWith(withStatus(200, good));
      const sequence = await addEvents(world, 1, { data: hostile });
      await delivering.deliver(1);
      const [arrived] = receiver.received;
      expect(arrived?.path).toBe('/services/T0/s3cret');
      expect(JSON.parse(arrived?.body ?? '')).toMatchObject(shape(line(sequence)));
      expect(arrived?.body).not.toMatch(/channel>|@all|script/);
      expect(await deliveriesOf(world, channel)).toMatchObject([{ status: 'SUCCEEDED', responseBody: good }]);
      if (bad === undefined) return;
      receiver.answerWith(withStatus(200, bad));
      await addEvents(world, 1, { data: hostile });
      await delivering.deliver(1);
      expect((await deliveriesOf(world, channel))[1]).toMatchObject({
        status: 'PENDING',
        responseStatus: 200,
        responseBody: bad,
      });
    },
  );
});

describe('an SMS', () => {
  it('is handed to the gateway of the operator, whose 410 disables nobody', async () => {
    const channel = await addChannel(world, '', { typeCode: 'SMS', config: { to: '+491511234567' } });
    await addEvents(world, 1, { data: hostile });
    await delivering.deliver(1);
    const [arrived] = receiver.received;
    expect(arrived?.path).toBe('/sms?from=acme');
    expect(arrived?.headers.authorization).toBe(`Basic ${Buffer.from('gate:p@ss').toString('base64')}`);
    expect(JSON.parse(arrived?.body ?? '')).toEqual({
      to: '+491511234567',
      text: expect.stringMatching(/^transfer\.created TRF_7 /),
    });
    receiver.answerWith(withStatus(410));
    await addEvents(world);
    await delivering.deliver(1);
    expect((await deliveriesOf(world, channel))[1]).toMatchObject({ status: 'PENDING', responseStatus: 410 });
  });
});

describe('an e-mail', () => {
  const open = () =>
    addChannel(world, '', { typeCode: 'EMAIL', config: { to: 'operations@partner.example' } });

  it('tells type, ids, mode, time and the portal, and nothing that a partner wrote', async () => {
    await open();
    const sequence = await addEvents(world, 1, { data: hostile });
    await delivering.deliver(1);
    const arrived = smtp.arrived.at(-1);
    expect(arrived?.to).toEqual(['operations@partner.example']);
    expect(arrived?.mail.subject).toBe('transfer.created TRF_7');
    for (const text of ['WS_DEMO', 'LIVE', 'TRF_7', `EVT_${sequence}`, 'UTC', 'http://127.0.0.1:8080/'])
      expect(arrived?.mail.text).toContain(text);
    expect(arrived?.raw).not.toMatch(/channel>|@all|script/);
    expect(arrived?.mail.messageId).toContain(`EVT_${sequence}.NCH_`);
  });

  it('is written in the language of its channel', async () => {
    const config = { to: 'operations@partner.example', locale: 'zh-CN' };
    await addChannel(world, '', { typeCode: 'EMAIL', config });
    await addEvents(world);
    await delivering.deliver(1);
    const { subject, text } = smtp.arrived.at(-1)?.mail ?? {};
    expect([subject, text]).toEqual(['事件 transfer.created TRF_1', expect.stringContaining('打开门户')]);
  });

  it('that is refused fails; a mail server that is away is no fault of the channel', async () => {
    const channel = await open();
    isRefusing = true;
    await addEvents(world);
    await delivering.deliver(1);
    isRefusing = false;
    expect(await deliveriesOf(world, channel)).toMatchObject([
      { status: 'PENDING', attempts: 1, responseStatus: 550 },
    ]);
    const away = openDelivering({
      ...world,
      services: { ...world.services, config: { ...world.services.config, smtp: { ...smtpOf(), port: 9 } } },
    });
    clock.advance(7);
    await away.run();
    await expect.poll(async () => (await deliveriesOf(world, channel))[0]?.dueInMs).toBe(30_000);
    expect(await deliveriesOf(world, channel)).toMatchObject([
      { status: 'PENDING', attempts: 1, responseStatus: 550 },
    ]);
    expect(away.outcomes().failed).toBe(0);
    await away.stop();
  });

  const smtpOf = () => {
    const { smtp: server } = world.services.config;
    if (server === undefined) throw new Error('no mail server is set');
    return server;
  };

  it('is one of at most 100 an hour; those beyond wait', async () => {
    const channel = await open();
    await addEvents(world);
    await delivering.deliver(1);
    await world.db.query(
      sql`update channel_turns set hour_count = 98 where channel_id = ${channel.id} and hour_count = 1`,
    );
    await addEvents(world, 4);
    await delivering.deliver(2);
    const waiting = async () =>
      (await deliveriesOf(world, channel)).filter(({ status }) => status === 'PENDING');
    clock.advance(3590);
    await delivering.run();
    expect(await waiting()).toHaveLength(2);
    clock.advance(10);
    await delivering.deliver(2);
    expect(await waiting()).toEqual([]);
  });
});

describe('a channel in the portal', () => {
  it('tells members of each event once, however often it is delivered', async () => {
    const channel = await addChannel(world, '', { typeCode: 'IN_APP' });
    const other = await addChannel(world, '', { typeCode: 'IN_APP' });
    const sequence = await addEvents(world, 2);
    await delivering.deliver(4);
    await world.db.query(
      sql`update deliveries set status = 'PENDING', attempts = 0, next_attempt_at = created_at where channel_id = ${channel.id}`,
    );
    await world.db.query(
      sql`update channel_turns set due_at = now() - interval '1 day' where channel_id = ${channel.id}`,
    );
    await delivering.deliver(2);
    const told = await world.db.query(sql`
      select w.biz_id as workspace, n.event_sequence as sequence from notifications n join workspaces w on w.id = n.workspace_id
      where n.event_sequence >= ${sequence} order by 2`);
    expect(told).toEqual([
      { workspace: 'WS_DEMO', sequence },
      { workspace: 'WS_DEMO', sequence: sequence + 1 },
    ]);
    expect(await deliveriesOf(world, other)).toHaveLength(2);
  });
});
