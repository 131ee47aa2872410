import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertPasswordReset, resetLifeMs, sweepPasswordResets } from '../src/auth/portal/password-resets.ts';
import { sql } from '../src/db/sql.ts';
import { countRows } from './hostile/ledger.ts';
import { waitingMails } from './support/mails.ts';
import { addFactor, codeOf, dropFactor, ownerId, restorePassword } from './support/own-account.ts';
import { createStillClock, openWorld, portalCall, signIn, tokenOf, type World } from './world.ts';

const mailEnv = { PORTICO_SMTP_URL: 'smtp://127.0.0.1:9', PORTICO_MAIL_FROM: 'portico@example.com' };
const url = '/web/v1/auth/password-reset';
const clock = createStillClock();
let world: World;
beforeAll(async () => {
  world = await openWorld({ clock, env: mailEnv });
});
afterAll(() => world.close());
beforeEach(async () => {
  await restorePassword(world);
  await world.db.query(sql`update accounts set status = 'ACTIVE', locale = 'en'`);
  await world.db.query(sql`delete from mails`);
  await world.db.query(sql`delete from password_resets`);
});

const ask = (email: string, on = world) => portalCall(on, undefined, { url, body: { email } });
const confirm = (token: string, newPassword = 'another password', on = world) =>
  portalCall(on, undefined, { url: `${url}/confirm`, body: { token, newPassword } });
const codeAfter = async (answer: ReturnType<typeof confirm>) => (await answer).json().code;
const accountIdOf = async (bizId: string) => {
  const [row] = await world.db.query<{ id: number }>(sql`select id from accounts where biz_id = ${bizId}`);
  return row?.id ?? 0;
};
const newLink = async (bizId = ownerId, lifeMs = resetLifeMs.mailed) => {
  const id = await accountIdOf(bizId);
  return world.db.transaction((tx) => insertPasswordReset(tx, id, lifeMs, clock.now()));
};

/** What is done after the answer is waited for by its end: the last record, or the last word of the log. */
const mailsAfter = (count: number) => expect.poll(() => waitingMails(world)).toHaveLength(count);

describe('asking for a reset', () => {
  test('mails a link in the language of the account, which works', async () => {
    await world.db.query(sql`update accounts set locale = 'zh-CN' where biz_id = ${ownerId}`);
    expect((await ask('OWNER@demo.test')).statusCode).toBe(202);
    await mailsAfter(1);
    const [mail] = await waitingMails(world);
    expect(mail).toMatchObject({ to: 'owner@demo.test', locale: 'zh-CN', kind: 'password-reset' });
    const { url: mailed } = (mail as { values: { url: string } }).values; // as its kind says
    const link = new URL(mailed);
    expect(link.pathname).toBe('/reset-password');
    expect(await codeAfter(confirm(link.hash.slice(1)))).toBe('2000');
    await mailsAfter(2);
    expect(await waitingMails(world)).toContainEqual(
      expect.objectContaining({ to: 'owner@demo.test', kind: 'password-changed' }),
    );
  });

  test('answers the same for every address, before the database was asked anything', async () => {
    await world.db.query(sql`update accounts set status = 'DISABLED' where email = 'viewer@demo.test'`);
    await world.db.query(sql`update accounts set password_hash = null where email = 'outsider@demo.test'`);
    const { db } = world.services;
    const { query, transaction } = db;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holding = {
      query: (statement: Parameters<typeof query>[0]) => held.then(() => query(statement)),
      transaction: (work: Parameters<typeof transaction>[0]) => held.then(() => transaction(work)),
    };
    Object.assign(db, holding);
    const answers = new Set<string>();
    for (const name of ['owner', 'viewer', 'outsider', 'nobody']) {
      const { statusCode, headers, body } = await ask(`${name}@demo.test`);
      const { 'x-request-id': _id, date: _date, ...others } = headers;
      answers.add(JSON.stringify([statusCode, others, JSON.parse(body)]));
    }
    Object.assign(db, { query, transaction });
    release();
    expect([...answers]).toEqual([expect.stringMatching(/^\[202,/)]);
    await mailsAfter(1);
    const [mail] = await waitingMails(world);
    expect(mail?.to).toBe('owner@demo.test');
  });

  test('is limited by e-mail address, known or not, three an hour', async () => {
    const limited = await openWorld({
      clock,
      database: world.database,
      env: { ...mailEnv, PORTICO_LIMIT_SIGN_IN: '100/100' },
    });
    for (const email of ['owner@demo.test', 'nobody@demo.test']) {
      const statuses = [];
      for (const typed of [email, email.toUpperCase(), email, email])
        statuses.push((await ask(typed, limited)).statusCode);
      expect(statuses).toEqual([202, 202, 202, 429]);
    }
    clock.advance(1201);
    expect((await ask('owner@demo.test', limited)).statusCode).toBe(202);
    await limited.close();
  });

  test('without mail is answered alike, does nothing, and says so in the log', async () => {
    const silent = await openWorld({ clock });
    const rows = await countRows(silent);
    expect((await ask('owner@demo.test', silent)).statusCode).toBe(202);
    expect(silent.logs()).toContain('PORTICO_SMTP_URL is not set');
    expect(silent.logs()).not.toContain('owner@demo.test');
    expect(await countRows(silent)).toEqual(rows);
    const config = await silent.app.inject('/web/v1/auth/config');
    expect(config.json().data.hasPasswordReset).toBe(false);
    await silent.close();
  });

  test('is finished before the service ends', async () => {
    const ending = await openWorld({ clock, database: world.database, env: mailEnv });
    await ask('owner@demo.test', ending);
    await ending.close();
    expect(await waitingMails(world)).toHaveLength(1);
  });
});

describe('a link', () => {
  test('sets the password once, and ends every sign-in at once', async () => {
    const [token, open] = [await newLink(), await tokenOf(world, ownerId)];
    expect(await codeAfter(confirm(token))).toBe('2000');
    const me = await portalCall(world, open, { method: 'GET', url: '/web/v1/auth/me' });
    expect(me.json().code).toBe('4010');
    await signIn(world, 'owner@demo.test', 'another password');
    expect(await codeAfter(confirm(token))).toBe('4040');
  });

  test('is used once of four at a time', async () => {
    const token = await newLink();
    const codes = await Promise.all(
      [1, 2, 3, 4].map((each) => codeAfter(confirm(token, `password ${each}`))),
    );
    expect(codes.sort()).toEqual(['2000', '4040', '4040', '4040']);
  });

  test('is dead alike when it expired, was replaced, is of a disabled account, or never was', async () => {
    const expired = await newLink(ownerId, 1000);
    clock.advance(1);
    const answers = [await confirm(expired)];
    const replaced = await newLink();
    await newLink();
    answers.push(await confirm(replaced));
    const disabled = await newLink('ACC_DEMO_VIEWER');
    await world.db.query(sql`update accounts set status = 'DISABLED' where biz_id = 'ACC_DEMO_VIEWER'`);
    answers.push(await confirm(disabled), await confirm('x'), await confirm('0'.repeat(43)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set(answers.map((answer) => answer.json().message)).size).toBe(1);
  });

  test('dies with a change of password', async () => {
    const [token, open] = [await newLink(), await tokenOf(world, ownerId)];
    const body = { currentPassword: 'portico-demo', newPassword: 'another password' };
    expect(await codeAfter(portalCall(world, open, { url: '/web/v1/account/password', body }))).toBe('2000');
    expect(await codeAfter(confirm(token))).toBe('4040');
  });

  test('leaves the second factor as it is', async () => {
    const { secret } = await addFactor(world, await tokenOf(world, ownerId));
    expect(await codeAfter(confirm(await newLink()))).toBe('2000');
    const body = { email: 'owner@demo.test', password: 'another password' };
    const logIn = (more: object) =>
      portalCall(world, undefined, { url: '/web/v1/auth/login', body: { ...body, ...more } });
    expect((await logIn({})).json().code).toBe('4018');
    expect((await logIn({ code: codeOf(world, secret) })).json().code).toBe('2000');
    await dropFactor(world);
  });

  test('is not used up by a password that is refused', async () => {
    const token = await newLink();
    expect(await codeAfter(confirm(token, 'short'))).toBe('4000');
    expect(await codeAfter(confirm(token))).toBe('2000');
  });

  test('is kept as a hash, written down without itself, and swept when it has expired', async () => {
    const token = await newLink();
    const rows = await world.db.query<{ hash: string }>(
      sql`select encode(token_hash, 'escape') as hash from password_resets`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.hash).not.toContain(token);
    await sweepPasswordResets(world.db, clock.now());
    expect(await world.db.query(sql`select 1 from password_resets`)).toHaveLength(1);
    await sweepPasswordResets(world.db, clock.now() + resetLifeMs.mailed);
    expect(await world.db.query(sql`select 1 from password_resets`)).toEqual([]);
  });
});
