import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { waitingMax } from '../src/mail/mail.ts';
import { claimMail, postponeMail } from '../src/mail/queries.ts';
import { retryDelayMs } from '../src/mail/retry.ts';
import { leaseMs } from '../src/mail/sender.ts';
import { sweep } from '../src/sweep.ts';
import { enqueue, letterTo, openSender, waitingMails } from './support/mails.ts';
import { type SmtpServer, startSmtpServer } from './support/smtp-server.ts';
import { createStillClock, openWorld, type World } from './world.ts';

const clock = createStillClock();
const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

let server: SmtpServer;
let world: World;
let env: Record<string, string>;
beforeAll(async () => {
  server = await startSmtpServer();
  env = { PORTICO_SMTP_URL: server.url, PORTICO_MAIL_FROM: 'portal@acme.example', PORTICO_MASTER_KEY: first };
  world = await openWorld({ clock, env });
});
afterAll(async () => {
  await world.close();
  await server.close();
});
afterEach(async () => {
  await world.db.query(sql`delete from mails`);
  server.arrived.length = 0;
});

const addresses = () => server.arrived.flatMap(({ to }) => to).sort();
const nothingWaits = () => expect.poll(() => waitingMails(world)).toEqual([]);
const arrive = (...to: string[]) => expect.poll(addresses).toEqual(to);

describe('a mail that waits', () => {
  it('is kept with what its transaction changes, and whoever sends is told only then', async () => {
    const woken = vi.fn();
    world.services.mail.onWake(woken);
    const letter = letterTo(world, 'ada@acme.example');
    const lost = world.db.transaction(async (tx) => {
      await world.services.mail.enqueue(tx, letter, clock.now());
      throw new Error('undone');
    });
    await expect(lost).rejects.toThrow('undone');
    expect(await waitingMails(world)).toEqual([]);
    expect(woken).not.toHaveBeenCalled();
    await world.db.transaction(async (tx) => {
      await world.services.mail.enqueue(tx, letter, clock.now());
      expect(woken).not.toHaveBeenCalled();
    });
    expect(woken).toHaveBeenCalledTimes(1);
    expect(await waitingMails(world)).toHaveLength(1);
  });

  it('shows neither address nor link to who reads the row, and is bound to it', async () => {
    await enqueue(world, 'lovelace@acme.example'); // no word that random bytes, or their digits, may spell
    const [row] = await world.db.query<{ shown: string }>(sql`
      select m::text || encode(sealed, 'escape') || encode(recipient, 'escape') as shown from mails m`);
    expect(row?.shown).not.toMatch(/lovelace|acme|s3cret|portal|password|"to"/i);
    await enqueue(world, 'eve@acme.example');
    await world.db.query(sql`update mails m set sealed = o.sealed from mails o where o.id <> m.id`);
    await expect(waitingMails(world)).rejects.toThrow();
  });

  it('is one of at most twenty to its recipient, however the address is written; more are left out', async () => {
    for (let count = 0; count < waitingMax; count += 1)
      expect(await enqueue(world, count % 2 ? 'ada@acme.example' : 'Ada@ACME.example')).toBe(true);
    expect(await enqueue(world, 'ADA@acme.example')).toBe(false);
    expect(await waitingMails(world)).toHaveLength(waitingMax);
    await world.db.query(sql`delete from mails where id = (select min(id) from mails)`);
    expect(await enqueue(world, 'ada@acme.example')).toBe(true);
    expect(await enqueue(world, 'bob@acme.example')).toBe(true);
  });

  it('is for an address and nothing else', async () => {
    const wrong = [
      '',
      'ada',
      'a@b, c@d',
      'a@b\r\nBcc: c@d',
      '<a@b>',
      '"a b"@c',
      'a@b@c',
      'a@\u202Eb',
      `${'a'.repeat(65)}@b`,
    ];
    for (const to of [...wrong, `a@${'b'.repeat(260)}`])
      await expect(enqueue(world, to)).rejects.toThrow('no address');
    expect(await waitingMails(world)).toEqual([]);
  });

  it('is never sent once it has expired, and is swept away', async () => {
    await enqueue(world, 'ada@acme.example', { expiresAtMs: clock.now() + 60_000 });
    await enqueue(world, 'bob@acme.example');
    clock.advance(61);
    const sender = openSender(world);
    await sender.fill();
    await arrive('bob@acme.example');
    await sweep(world.services, world.db);
    await nothingWaits();
    await sender.stop();
    expect(sender.outcomes()).toEqual({ sent: 1, failed: 0, given_up: 0 });
  });

  it('that cannot be read holds up no other, and is not lost', async () => {
    await enqueue(world, 'ada@acme.example');
    await world.db.query(sql`update mails set sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1)`);
    await enqueue(world, 'bob@acme.example');
    const sender = openSender(world);
    await sender.fill();
    await arrive('bob@acme.example');
    await expect.poll(sender.outcomes).toEqual({ sent: 1, failed: 1, given_up: 0 });
    await sender.stop();
    expect(await world.db.query(sql`select from mails`)).toHaveLength(1);
  });

  it('is counted, with the age of the oldest', async () => {
    const metrics = async () => (await world.app.inject('/metrics')).body;
    expect(await metrics()).toMatch(/^portico_mails_oldest_seconds 0$/m);
    await enqueue(world, 'ada@acme.example');
    clock.advance(90);
    await enqueue(world, 'bob@acme.example');
    expect(await metrics()).toMatch(/^portico_mails_waiting 2$/m);
    expect(await metrics()).toMatch(/^portico_mails_oldest_seconds 90$/m);
  });
});

describe('several instances', () => {
  it('send each mail once between them', async () => {
    const other = await openWorld({ clock, env, database: world.database });
    const names = Array.from({ length: 12 }, (_, index) => `m${String(index).padStart(2, '0')}@acme.example`);
    for (const name of names) await enqueue(world, name);
    const senders = [openSender(world), openSender(other), openSender(world), openSender(other)];
    await Promise.all(senders.map(({ fill }) => fill()));
    await arrive(...names);
    await nothingWaits();
    await Promise.all(senders.map(({ stop }) => stop()));
    await other.close();
  });

  it('send what one of them had begun when it was killed, once its lease has ended', async () => {
    await enqueue(world, 'ada@acme.example');
    const other = await openWorld({ clock, env, database: world.database });
    await other.db.transaction(async (tx) => expect(await claimMail(tx, clock.now(), leaseMs)).toBeDefined());
    await other.close();
    const sender = openSender(world);
    await sender.fill();
    clock.advance(leaseMs / 1000 - 1);
    await sender.fill();
    expect(sender.outcomes()).toMatchObject({ sent: 0, failed: 0 });
    clock.advance(1);
    await sender.fill();
    await arrive('ada@acme.example');
    await nothingWaits();
    await sender.stop();
  });

  it('do not put off what another has begun anew, when they come back late', async () => {
    await enqueue(world, 'ada@acme.example');
    const late = await claimMail(world.db, clock.now(), leaseMs);
    clock.advance(leaseMs / 1000);
    await claimMail(world.db, clock.now(), leaseMs);
    if (late !== undefined) await postponeMail(world.db, late, clock.now());
    expect(await claimMail(world.db, clock.now(), leaseMs)).toBeUndefined();
  });

  it('send under a new master key what waited under the old one, and go on counting by recipient', async () => {
    for (let count = 0; count < waitingMax; count += 1) await enqueue(world, 'ada@acme.example');
    const keys = { PORTICO_MASTER_KEY: second, PORTICO_MASTER_KEY_PREVIOUS: first };
    const rotated = await openWorld({ clock, env: { ...env, ...keys }, database: world.database });
    expect(await enqueue(rotated, 'ada@acme.example')).toBe(false);
    await rotated.close();
    const after = await openWorld({
      clock,
      env: { ...env, PORTICO_MASTER_KEY: second },
      database: world.database,
    });
    expect((await waitingMails(after)).map(({ to }) => to)).toEqual(
      Array(waitingMax).fill('ada@acme.example'),
    );
    await after.close();
    const back = { PORTICO_MASTER_KEY: first, PORTICO_MASTER_KEY_PREVIOUS: second };
    await (await openWorld({ clock, env: { ...env, ...back }, database: world.database })).close();
  });
});

describe('without a server', () => {
  it('nothing can be enqueued', async () => {
    const off = await openWorld({ clock, env: { PORTICO_MASTER_KEY: first }, database: world.database });
    expect(off.services.mail.isOn).toBe(false);
    await expect(enqueue(off, 'ada@acme.example')).rejects.toThrow('PORTICO_SMTP_URL');
    await off.close();
  });
});

describe('the wait before a mail is tried again', () => {
  it('is at most ten seconds at first, then three times as long each time, up to an hour, and spread', () => {
    const waits = (random: number) =>
      [1, 2, 3, 4, 5, 6, 7, 1000].map((attempts) => retryDelayMs(attempts, () => random) / 1000);
    expect(waits(1)).toEqual([10, 30, 90, 270, 810, 2430, 3600, 3600]);
    expect(waits(0)).toEqual([5, 15, 45, 135, 405, 1215, 1800, 1800]);
  });
});
