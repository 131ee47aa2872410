import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import {
  lastRecord,
  newcomer,
  recorded,
  refusal,
  rowsOf,
  run,
  toolsOf,
} from '../../test/support/operator.ts';
import { openWorld, tokenOf, type World } from '../../test/world.ts';
import { sql } from '../db/sql.ts';
import type { TaskName } from './tasks.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await world.close();
});

describe('an account', () => {
  it('is added without a password, with a link that sets one, and shown by id and by address', async () => {
    const answer = await run(world, 'addAccount', {
      email: 'Ada@Acme.test',
      name: 'Ada Lovelace',
      locale: 'zh-CN',
    });
    const { url, expiresAt, ...account } = answer;
    expect(url).toMatch(/^https:\/\/portal\.test\/reset-password#[0-9A-Za-z]{43}$/);
    expect(Date.parse(String(expiresAt))).toBeGreaterThan(world.clock.now());
    expect(account).toEqual({
      accountId: expect.stringMatching(/^ACC_[0-9A-Z]{26}$/),
      email: 'Ada@Acme.test',
      name: 'Ada Lovelace',
      status: 'ACTIVE',
      locale: 'zh-CN',
      hasPassword: false,
      hasSecondFactor: false,
      isOperator: false,
      lastSignInAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/),
    });
    const changes = {
      email: { from: null, to: 'Ada@Acme.test' },
      name: { from: null, to: 'Ada Lovelace' },
      locale: { from: null, to: 'zh-CN' },
      status: { from: null, to: 'ACTIVE' },
    };
    expect(await lastRecord(world)).toEqual(
      recorded('account.created', String(account['accountId']), changes),
    );
    expect(JSON.stringify(await lastRecord(world))).not.toContain(String(url).split('#')[1]);
    const shown = { ...account, workspaces: [], identities: [], openSignIns: 0 };
    expect(await run(world, 'showAccount', { account: 'ADA@acme.test' })).toEqual(shown);
    expect(await run(world, 'showAccount', { account: account['accountId'] })).toEqual(shown);
    expect(await rowsOf(world, 'accounts')).toContainEqual(account);
    const again = { email: 'ADA@ACME.test', name: 'x' };
    expect(await refusal(world, 'addAccount', again)).toMatch(/^4090 there is an account with the address/);
  });

  it('is bound to what an issuer calls the person, once, and only then may lose its password', async () => {
    const { accountId, email } = await newcomer(world);
    const stranger = await newcomer(world);
    const outside = { issuer: 'https://id.acme.test', subject: ' 42 ☃' };
    expect(await refusal(world, 'removePassword', { account: email })).toBe(
      '4091 the account has no password',
    );
    await world.db.query(sql`update accounts set password_hash = 'x' where biz_id = ${accountId}`);
    expect(await refusal(world, 'removePassword', { account: email })).toContain('bind it first');
    expect(await run(world, 'bindAccount', { account: email, ...outside })).toEqual({
      accountId,
      ...outside,
    });
    expect(await lastRecord(world)).toMatchObject({ action: 'account.bound', subjectId: accountId });
    for (const account of [email, stranger.email])
      expect(await refusal(world, 'bindAccount', { account, ...outside })).toContain(
        'bound to an account already',
      );
    expect(await run(world, 'showAccount', { account: email })).toMatchObject({ identities: [outside] });
    await tokenOf(world, accountId);
    expect(await run(world, 'removePassword', { account: email })).toMatchObject({ hasPassword: false });
    expect(await lastRecord(world)).toEqual(
      recorded('account.password-removed', accountId, {
        password: { from: '(secret)', to: null },
        signIns: { from: 1, to: 0 },
      }),
    );
    expect(await refusal(world, 'unbindAccount', { account: stranger.email, ...outside })).toContain('4040 ');
    await run(world, 'unbindAccount', { account: email, ...outside });
    expect(await run(world, 'showAccount', { account: email })).toMatchObject({
      identities: [],
      openSignIns: 0,
    });
  });

  it('gets a link that sets a new password, or a mail where one can be sent', async () => {
    const { accountId, email } = await newcomer(world);
    const { url, ...rest } = await run(world, 'resetPassword', { account: email });
    expect(url).toMatch(/^https:\/\/portal\.test\/reset-password#[0-9A-Za-z]{43}$/);
    expect(rest).toEqual({ accountId, email, expiresAt: expect.any(String) });
    expect(await lastRecord(world)).toMatchObject({ action: 'account.password-reset-requested' });
    await expect(run(world, 'resetPassword', { account: email, mail: true })).rejects.toThrow(
      'PORTICO_SMTP_URL',
    );
    expect(
      await run(world, 'resetPassword', { account: email, mail: true }, toolsOf(world).mailing),
    ).toMatchObject({
      url: null,
    });
    const [waiting] = await world.db.query<{ count: number }>(sql`select count(*) as count from mails`);
    expect(waiting?.count).toBe(1);
  });

  test.each<[TaskName, object, string]>([
    ['addAccount', { email: 'nobody', name: 'x' }, '4000 email must be an e-mail address'],
    ['addAccount', { email: 'a@b\r\nBcc: c@d', name: 'x' }, '4000 email must be an e-mail address'],
    ['addAccount', { name: 'x' }, '4000 email is required'],
    ['addAccount', { email: 'a@b.test', name: 'x', locale: 'de' }, '4000 locale must be one of en, zh-CN'],
    ['showAccount', { account: 'ACC_NOBODY' }, '4040 there is no account ACC_NOBODY'],
    ['disableAccount', { account: 'nobody@acme.test' }, '4040 there is no account nobody@acme.test'],
    [
      'bindAccount',
      { account: 'ACC_NOBODY', issuer: 'x', subject: 'x'.repeat(1025) },
      '4000 subject must have at most',
    ],
    ['resetPassword', { account: 'ACC_NOBODY' }, '4040 '],
  ])('refuses %s %j', async (name, given, expected) => {
    expect(await refusal(world, name, given)).toContain(expected);
  });

  it('is listed once, however many there are', async () => {
    await world.db.query(sql`
      insert into accounts (biz_id, email, name)
      select 'ACC_MANY_' || n, 'many' || n || '@acme.test', 'Many' from generate_series(1, 2500) n`);
    const ids = (await rowsOf(world, 'accounts')).map(({ accountId }) => String(accountId));
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(ids.filter((id) => id.startsWith('ACC_MANY_'))).toHaveLength(2500);
  });
});
