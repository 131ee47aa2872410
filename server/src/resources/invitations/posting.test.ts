import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRows } from '../../../test/hostile/ledger.ts';
import { waitingMails } from '../../../test/support/mails.ts';
import { invitationsUrl, lookup } from '../../../test/support/people.ts';
import { createStillClock, openWorld, portalCall, tokenOf, type World } from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';
import type { Content } from '../../mail/kinds.ts';
import { waitingMax } from '../../mail/mail.ts';

/** Nobody listens there: what is asked is answered all the same. */
const env = { PORTICO_SMTP_URL: 'smtp://127.0.0.1:1', PORTICO_MAIL_FROM: 'portico@example.com' };

let world: World;
let owner: string;
beforeAll(async () => {
  world = await openWorld({ env });
  owner = await tokenOf(world, 'ACC_DEMO_OWNER');
});
afterAll(() => world.close());

const invite = (email: string, key?: string) =>
  portalCall(world, owner, {
    url: invitationsUrl,
    body: { email, role: 'MEMBER' },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });

const lastMail = async (from: World) => (await waitingMails(from)).at(-1) as Content; // one was sent before each call

const tokenIn = ({ values }: Content) => ('url' in values ? values.url.split('#')[1] : '');

describe('where a mail server is set, an invitation', () => {
  it('goes out by mail, and the answer has no link', async () => {
    const answer = await invite('Ada@Example.com');
    expect([answer.statusCode, answer.json().data.url]).toEqual([201, null]);
    const mail = await lastMail(world);
    expect(mail).toEqual({
      to: 'Ada@Example.com',
      locale: 'en',
      kind: 'invitation',
      values: {
        inviterName: 'Demo Owner',
        workspaceName: 'Demo Workspace',
        institutionName: 'Demo Institution',
        role: 'MEMBER',
        expiresAt: answer.json().data.expiresAt,
        url: expect.stringMatching(/\/invitation#[0-9A-Za-z]{43}$/),
      },
    });
    expect((await lookup(world, tokenIn(mail))).json().data.email).toBe('Ada@Example.com');
  });

  it('is written in the language of who is invited, and where that is not known, of who invites', async () => {
    await world.db.query(sql`update accounts set locale = 'zh-CN' where biz_id = 'ACC_DEMO_OUTSIDER'`);
    await invite('OUTSIDER@demo.test');
    expect((await lastMail(world)).locale).toBe('zh-CN');
    await world.db.query(sql`update accounts set locale = 'zh-CN' where biz_id = 'ACC_DEMO_OWNER'`);
    await invite('nobody-knows@demo.test');
    expect((await lastMail(world)).locale).toBe('zh-CN');
  });

  it('is mailed once though it is asked for again, and not at all when it is refused', async () => {
    await invite('once@demo.test', 'k');
    const rows = await countRows(world);
    expect((await invite('once@demo.test', 'k')).headers['idempotent-replayed']).toBe('true');
    expect((await invite('viewer@demo.test')).statusCode).toBe(409);
    expect(await countRows(world)).toEqual(rows);
  });

  it('is refused when too many mails wait for the address, rather than told to who invites', async () => {
    for (let mails = 0; mails < waitingMax; mails += 1)
      expect((await invite('full@demo.test')).json().data.url).toBeNull();
    const rows = await countRows(world);
    const refused = await invite('full@demo.test');
    expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([
      429,
      '4290',
      '60',
    ]);
    expect(refused.body).not.toContain('invitation#');
    expect(await countRows(world)).toEqual(rows);
  });

  it('to one address is mailed ten times, then one every six minutes: 429 4290, and nothing is kept', async () => {
    const clock = createStillClock();
    const limited = await openWorld({ env: { ...env, PORTICO_LIMIT_SIGN_IN: '5/5' }, clock });
    const token = await tokenOf(limited, 'ACC_DEMO_OWNER');
    const send = (email: string) =>
      portalCall(limited, token, { url: invitationsUrl, body: { email, role: 'VIEWER' } });
    for (let mails = 0; mails < 10; mails += 1) expect((await send('spam@demo.test')).statusCode).toBe(201);
    const rows = await countRows(limited);
    const refused = await send('SPAM@demo.test');
    expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([
      429,
      '4290',
      '360',
    ]);
    expect(await countRows(limited)).toEqual(rows);
    const links = await Promise.all(
      (await waitingMails(limited)).map((mail) => lookup(limited, tokenIn(mail))),
    );
    expect(links.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect((await send('other@demo.test')).statusCode).toBe(201);
    clock.advance(360);
    expect((await send('spam@demo.test')).statusCode).toBe(201);
    await limited.close();
  });
});
