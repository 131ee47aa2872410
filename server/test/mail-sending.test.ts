import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { pino } from 'pino';
import { generate } from 'selfsigned';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { smtpServer } from '../src/config/mail-values.ts';
import { sql } from '../src/db/sql.ts';
import { refusalsMax } from '../src/mail/delivery.ts';
import { type SmtpOptions, sendBySmtp, smtpTimes } from '../src/mail/smtp.ts';
import { startMaintenance } from '../src/maintenance.ts';
import { freePort } from './service-process.ts';
import { enqueue, openSender, waitingMails } from './support/mails.ts';
import { refusal, type SmtpServer, startSmtpServer } from './support/smtp-server.ts';
import { createStillClock, openWorld, type World } from './world.ts';

const password = 'p4ss word';
const clock = createStillClock();
/** Further than the first wait, and within half a minute of the failure. */
const retrySeconds = 25;

let world: World;
let server: SmtpServer | undefined;
let port: number;
beforeAll(async () => {
  port = await freePort();
  const url = `smtp://portico:${encodeURIComponent(password)}@127.0.0.1:${port}`;
  world = await openWorld({
    clock,
    env: { PORTICO_SMTP_URL: url, PORTICO_MAIL_FROM: 'Acme <portal@acme.example>' },
  });
});
afterAll(() => world.close());
afterEach(async () => {
  await server?.close();
  server = undefined;
  await world.db.query(sql`delete from mails`);
});

type Options = Parameters<typeof startSmtpServer>[0];
const onAuth: NonNullable<Options>['onAuth'] = (auth, _session, callback) =>
  auth.username === 'portico' && auth.password === password
    ? callback(null, { user: 'portico' })
    : callback(refusal(535));
const listen = async (options: Options = {}) => {
  server = await startSmtpServer({ onAuth, allowInsecureAuth: true, ...options }, port);
  return server;
};

/** Begins what is due, and waits for what becomes of it. */
async function sendDue(sender: ReturnType<typeof openSender>, attempts = 1): Promise<void> {
  const ended = () => sender.outcomes().sent + sender.outcomes().failed;
  await sender.fill();
  await expect.poll(ended).toBe(attempts);
  await sender.stop();
}

const tried = async (options: SmtpOptions = {}, attempts = 1) => {
  const sender = openSender(world, options);
  await sendDue(sender, attempts);
  return sender;
};

describe('a mail', () => {
  it('goes out by itself soon after the commit, and is deleted once the server has taken it', async () => {
    const { arrived } = await listen();
    const maintenance = startMaintenance(world.services, world.db, pino({ level: 'silent' }));
    await enqueue(world, 'ada@acme.example', { locale: 'zh-CN' });
    await expect.poll(() => arrived.length).toBe(1);
    await expect.poll(() => waitingMails(world)).toEqual([]);
    expect(arrived[0]).toMatchObject({
      from: 'portal@acme.example',
      to: ['ada@acme.example'],
      user: 'portico',
    });
    expect(arrived[0]?.mail.subject).toBe('重置您的 Portico 密码');
    expect(maintenance.mailOutcomes()).toEqual({ sent: 1, failed: 0, given_up: 0 });
    expect(maintenance.tasks().map(({ task }) => task)).toContain('mail');
    await maintenance.stop();
  });

  it('is kept while the server is away, and goes out within half a minute once it is back', async () => {
    await enqueue(world, 'ada@acme.example');
    const away = await tried();
    expect(away.outcomes()).toEqual({ sent: 0, failed: 1, given_up: 0 });
    expect(away.wakes()).toBe(0); // a server that is away is asked by the clock
    const { arrived } = await listen();
    const sender = openSender(world);
    await sender.fill();
    expect(await waitingMails(world)).toHaveLength(1);
    clock.advance(retrySeconds);
    await sendDue(sender);
    expect(sender.wakes()).toBe(1);
    expect(arrived).toHaveLength(1);
    expect(await waitingMails(world)).toEqual([]);
  });

  it('is given up after some refusals of its recipient, which hold up no other', async () => {
    const { arrived } = await listen({
      onRcptTo: ({ address }, _session, callback) =>
        callback(address.startsWith('nobody') ? refusal(550) : undefined),
    });
    await enqueue(world, 'nobody@acme.example');
    await enqueue(world, 'ada@acme.example');
    for (let refusals = 0; refusals < refusalsMax; refusals += 1) {
      expect((await waitingMails(world)).map(({ to }) => to)).toContain('nobody@acme.example');
      const { lines } = await tried({}, refusals === 0 ? 2 : 1);
      expect(JSON.stringify(lines)).not.toContain('nobody');
      clock.advance(3600);
    }
    expect(arrived.map(({ to }) => to)).toEqual([['ada@acme.example']]);
    expect(await waitingMails(world)).toEqual([]);
  });

  it.each([
    ['all, at its greeting', { onConnect: (_session, callback) => callback(refusal(421)) }],
    ['all, at the password', { onAuth: (_auth, _session, callback) => callback(refusal(535)) }],
    ['the sender', { onMailFrom: (_address, _session, callback) => callback(refusal(550)) }],
    ['the recipient for now', { onRcptTo: (_address, _session, callback) => callback(refusal(450)) }],
  ] satisfies [string, Options][])(
    'outlives a server that refuses %s, however often',
    async (_what, options) => {
      await listen(options);
      await enqueue(world, 'ada@acme.example');
      for (let times = 0; times <= refusalsMax; times += 1) {
        const { lines } = await tried();
        expect(lines).toHaveLength(1);
        expect(JSON.stringify(lines)).not.toMatch(/p4ss|cDRzcw|ada@/);
        clock.advance(3600);
      }
      expect(await waitingMails(world)).toHaveLength(1);
    },
  );

  it('that a killed server may have taken is sent again, under the same Message-ID', async () => {
    let isKilled = false;
    const ids: (string | undefined)[] = [];
    const { breakOff } = await listen({
      onData(stream, _session, callback) {
        let raw = '';
        stream.on('data', (chunk) => {
          raw += chunk;
        });
        stream.on('end', () => {
          ids.push(/^message-id: (.*)$/im.exec(raw)?.[1]);
          if (isKilled) return callback();
          isKilled = true;
          breakOff();
        });
      },
    });
    await enqueue(world, 'ada@acme.example');
    expect((await tried()).outcomes()).toMatchObject({ sent: 0, failed: 1 });
    clock.advance(retrySeconds);
    expect((await tried()).outcomes()).toMatchObject({ sent: 1, failed: 0 });
    expect(ids).toEqual([expect.stringMatching(/^<[0-9A-Z]{26}@acme\.example>$/), ids[0]]);
  });
});

describe('a server that does not go on', () => {
  let hanging: Server;
  let say: (socket: Socket) => void;
  const sockets = new Set<Socket>();
  beforeAll(async () => {
    hanging = createServer((socket) => {
      sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
      say(socket.resume());
    }).listen(port, '127.0.0.1');
    await once(hanging, 'listening');
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    hanging.close();
  });

  const trickle = (socket: Socket) => {
    socket.write('220 hello\r\n250-');
    const timer = setInterval(() => socket.write('.'), 20);
    socket.on('close', () => clearInterval(timer));
  };
  const greetAndHang = (socket: Socket) => void socket.write('220 hello\r\n');
  const short = { ...smtpTimes, greetingMs: 100, silentMs: 100 };
  it.each([
    ['says nothing', () => {}, short],
    ['greets and says no more', greetAndHang, short],
    ['says a little for ever', trickle, { ...smtpTimes, totalMs: 300 }],
  ] as const)('and %s is given up, its connection ended and the mail kept', async (_how, how, times) => {
    say = how;
    await enqueue(world, 'ada@acme.example');
    const sender = await tried({ times });
    expect(sender.outcomes()).toMatchObject({ failed: 1 });
    await expect.poll(() => sockets.size).toBe(0);
    expect(await waitingMails(world)).toHaveLength(1);
  });

  it('holds up neither who enqueues nor who begins, has four connections, and not an instance that stops', async () => {
    say = () => {};
    const sender = openSender(world);
    for (let count = 0; count < 6; count += 1)
      expect(await enqueue(world, `ada${count}@acme.example`)).toBe(true);
    await sender.fill();
    await sender.fill();
    await expect.poll(() => sockets.size).toBe(4);
    await sender.stop();
    expect(sender.outcomes()).toEqual({ sent: 0, failed: 4, given_up: 0 });
    expect(sender.lines).toHaveLength(1);
    expect(await waitingMails(world)).toHaveLength(6);
  });
});

describe('a server beyond this machine', () => {
  const posted = { from: 'a@acme.example', to: 'b@acme.example', bytes: Buffer.from('Subject: x\r\n\r\ny') };
  let pems: { private: string; cert: string };
  beforeAll(async () => {
    pems = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
      keyType: 'ec',
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
    });
  });
  const secured = () => ({
    key: pems.private,
    cert: pems.cert,
    allowInsecureAuth: false,
    authOptional: false,
  });
  /** What the same address is taken for when it is not known to be this machine. */
  const far = (protocol: string) => ({
    ...smtpServer(`${protocol}://portico:${encodeURIComponent(password)}@127.0.0.1:${port}`),
    mayBePlain: false,
  });
  const send = (protocol: string, ca?: string) =>
    sendBySmtp(far(protocol), posted, ca === undefined ? {} : { tls: { ca } }, new AbortController().signal);

  it.each(['smtp', 'smtps'])('is told password and mail over TLS, by %s', async (protocol) => {
    const { arrived } = await listen({ ...secured(), secure: protocol === 'smtps' });
    await send(protocol, pems.cert);
    expect(arrived).toMatchObject([{ isSecure: true, user: 'portico', to: ['b@acme.example'] }]);
  });

  it.each(['smtp', 'smtps'])(
    'is told neither when nobody vouches for its certificate, by %s',
    async (protocol) => {
      const passwords: unknown[] = [];
      const { arrived } = await listen({
        ...secured(),
        secure: protocol === 'smtps',
        onAuth: ({ password: given }, _session, callback) => {
          passwords.push(given);
          callback(null, { user: 'x' });
        },
      });
      await expect(send(protocol)).rejects.toMatchObject({ fault: 'away' });
      expect([passwords, arrived]).toEqual([[], []]);
    },
  );

  it('is told neither when it has no STARTTLS', async () => {
    const passwords: unknown[] = [];
    const { arrived } = await listen({
      onAuth: ({ password: given }, _session, callback) => {
        passwords.push(given);
        callback(null, { user: 'x' });
      },
    });
    await expect(send('smtp', pems.cert)).rejects.toMatchObject({ fault: 'away' });
    expect([passwords, arrived]).toEqual([[], []]);
  });

  it('on this machine may have a certificate that nobody signed', async () => {
    const { arrived } = await listen(secured());
    await enqueue(world, 'ada@acme.example');
    await tried();
    expect(arrived).toMatchObject([{ isSecure: true, user: 'portico' }]);
  });
});
