import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { waitingMails } from '../../test/support/mails.ts';
import { lastRecord, newcomer, recorded, refusal, run, toolsOf } from '../../test/support/operator.ts';
import { addFactor, ownerId } from '../../test/support/own-account.ts';
import { openWorld, portalCall, tokenOf, type World } from '../../test/world.ts';
import { sql } from '../db/sql.ts';

let world: World;
let other: World;
beforeAll(async () => {
  world = await openWorld();
  other = await openWorld({ database: world.database, clock: world.clock });
});
afterAll(async () => {
  await other.close();
  await world.close();
});

describe('an account', () => {
  it('gets another address, name or language, and what is left out stays', async () => {
    const { accountId, email } = await newcomer(world);
    const { url } = await run(world, 'resetPassword', { account: email });
    expect(await run(world, 'changeAccount', { account: email, name: 'Ada King' })).toMatchObject({
      accountId,
      email,
      name: 'Ada King',
      locale: 'en',
    });
    const [open] = await world.db.query<{ count: number }>(sql`
      select count(*) as count from password_resets r join accounts a on a.id = r.account_id where a.biz_id = ${accountId}`);
    expect(open?.count).toBe(1);
    const given = { account: accountId, email: `New.${email}`, locale: 'zh-CN' };
    expect(await run(world, 'changeAccount', given)).toMatchObject({
      email: `New.${email}`,
      name: 'Ada King',
      locale: 'zh-CN',
    });
    expect(await lastRecord(world)).toEqual(
      recorded('account.changed', accountId, {
        email: { from: email, to: `New.${email}` },
        locale: { from: 'en', to: 'zh-CN' },
      }),
    );
    const body = { token: String(url).split('#')[1], newPassword: 'sent to who had the address' };
    const reset = await portalCall(world, undefined, { url: '/web/v1/auth/password-reset/confirm', body });
    expect(reset.json().code).toBe('4040');
    const capitals = `NEW.${email}`;
    expect(await run(world, 'changeAccount', { account: accountId, email: capitals })).toMatchObject({
      email: capitals,
    });
  });

  it('never gets the address of another, also not two at once', async () => {
    const [one, two] = [await newcomer(world), await newcomer(world)];
    expect(await refusal(world, 'changeAccount', { account: one.email, email: 'OWNER@demo.test' })).toBe(
      '4090 there is another account with the address OWNER@demo.test',
    );
    for (let round = 0; round < 10; round++) {
      const email = `wanted-${round}@acme.test`;
      const done = await Promise.allSettled([
        run(world, 'changeAccount', { account: one.accountId, email }),
        run(other, 'changeAccount', { account: two.accountId, email: email.toUpperCase() }),
      ]);
      expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      for (const each of done)
        if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: '4090' });
    }
  });

  test.each<[object, string]>([
    [{}, '4000 nothing to change'],
    [{ email: 'nobody' }, '4000 email must be an e-mail address'],
    [{ email: `${'x'.repeat(250)}@acme.test` }, '4000 email must'],
    [{ name: '\u0000' }, '4000 name must'],
    [{ name: ' ' }, '4000 name must not be blank'],
    [{ name: 'x'.repeat(129) }, '4000 name must have at most 128 characters'],
    [{ locale: 'EN' }, '4000 locale must be one of en, zh-CN'],
  ])('is not changed by %j', async (given, expected) => {
    const account = 'ACC_DEMO_OUTSIDER';
    const before = await run(world, 'showAccount', { account });
    expect(await refusal(world, 'changeAccount', { account, ...given })).toContain(expected);
    expect(await run(world, 'showAccount', { account })).toEqual(before);
  });
});

describe('a second factor', () => {
  const account = 'owner@demo.test';
  const logIn = async (code?: string) => {
    const body = { email: account, password: 'portico-demo', ...(code === undefined ? {} : { code }) };
    return (await portalCall(world, undefined, { url: '/web/v1/auth/login', body })).json().code;
  };

  it('that was lost is removed: then the password is enough, no code of it works, and the account is told', async () => {
    const token = await tokenOf(world, ownerId);
    const { recoveryCodes } = await addFactor(world, token);
    expect(await logIn()).toBe('4018');
    const answer = await run(world, 'removeSecondFactor', { account }, toolsOf(world).mailing);
    expect(answer).toMatchObject({ accountId: ownerId, hasSecondFactor: false });
    const changes = { hasSecondFactor: { from: true, to: false } };
    expect(await lastRecord(world)).toEqual(recorded('account.second-factor-removed', ownerId, changes));
    expect(await waitingMails(world)).toMatchObject([
      { to: account, kind: 'second-factor-changed', values: { isOn: false, ipAddress: null } },
    ]);
    expect(await logIn()).toBe('2000');
    const [left] = await world.db.query<{ count: number }>(sql`select count(*) as count from recovery_codes`);
    expect([recoveryCodes.length, left?.count]).toEqual([10, 0]);
    const none = '4091 the account has no second factor';
    expect(await refusal(world, 'removeSecondFactor', { account })).toBe(none);
  });
});

describe('mails that wait', () => {
  it('are thrown away, all of them, which is written down', async () => {
    const { mailing } = toolsOf(world);
    await run(world, 'discardMails');
    for (const account of ['owner@demo.test', 'outsider@demo.test'])
      await run(world, 'resetPassword', { account, mail: true }, mailing);
    expect(await run(world, 'discardMails')).toEqual({ discarded: 2 });
    const changes = { waiting: { from: 2, to: 0 } };
    expect(await lastRecord(world)).toEqual(recorded('mail.discarded', 'ALL', changes));
    expect(await waitingMails(world)).toEqual([]);
  });
});
