import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountUrl, ownerId, restorePassword } from '../../../test/support/own-account.ts';
import { createClock, openWorld, portalCall, signIn, tokenOf, type World } from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';

let world: World;
let token: string;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await restorePassword(world);
  token = await tokenOf(world, ownerId);
});

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', body?: object, by = token) =>
  portalCall(world, by, { method, url: `${accountUrl}${path}`, ...(body && { body }) });
const codeOf = async (answer: ReturnType<typeof call>) => (await answer).json().code;
const codeAfter = (by: string) => codeOf(call('GET', '', undefined, by));

describe('the own account', () => {
  it('is shown with what the owner may know of it, and no more', async () => {
    expect((await call('GET')).json().data).toEqual({
      accountId: ownerId,
      email: 'owner@demo.test',
      name: 'Demo Owner',
      locale: 'en',
      hasSecondFactor: false,
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
  });

  it('changes what is sent, and leaves the rest', async () => {
    expect((await call('PATCH', '', { locale: 'zh-CN' })).json().data).toMatchObject({
      name: 'Demo Owner',
      locale: 'zh-CN',
    });
    expect((await call('PATCH', '', { name: '林 é 👩‍👩‍👧', locale: 'en' })).json().data).toMatchObject({
      name: '林 é 👩‍👩‍👧',
      locale: 'en',
    });
    const [record] = await world.db.query<{ changes: string }>(
      sql`select changes from audit_waiting where action = 'account.changed' order by id desc limit 1`,
    );
    expect(JSON.parse(record?.changes ?? '')).toEqual({
      name: { from: 'Demo Owner', to: '林 é 👩‍👩‍👧' },
      locale: { from: 'zh-CN', to: 'en' },
    });
  });

  it.each([
    { name: '' },
    { name: ' ' },
    { name: 'a\nb' },
    { name: 'a\u0007' },
    { name: '\ud800' },
    { name: 'x'.repeat(129) },
    { locale: 'de' },
    { locale: 'EN' },
  ])('refuses %j with 4000', async (body) => {
    expect(await codeOf(call('PATCH', '', body))).toBe('4000');
  });
});

describe('a change of password', () => {
  const change = (currentPassword: string, newPassword: string, by = token) =>
    call('POST', '/password', { currentPassword, newPassword }, by);

  it('ends every other sign-in at once, and keeps the one that made it', async () => {
    const other = await signIn(world);
    expect((await change('portico-demo', 'pässwörd 密码 🔑')).json()).toMatchObject({
      code: '2000',
      data: null,
    });
    expect([await codeAfter(token), await codeAfter(other)]).toEqual(['2000', '4010']);
    await expect(signIn(world)).rejects.toThrow('4017');
    expect(await codeAfter(await signIn(world, 'owner@demo.test', 'pässwörd 密码 🔑'))).toBe('2000');
  });

  it('takes a password as it was typed: another normal form is another password', async () => {
    await change('portico-demo', 'caf\u00e9 caf\u00e9');
    await expect(signIn(world, 'owner@demo.test', 'cafe\u0301 cafe\u0301')).rejects.toThrow('4017');
  });

  it('is refused with a wrong current password, and for an account without one, with 4017', async () => {
    expect(await codeOf(change('wrong', 'another password'))).toBe('4017');
    await world.db.query(sql`update accounts set password_hash = null where biz_id = ${ownerId}`);
    expect(await codeOf(change('portico-demo', 'another password'))).toBe('4017');
    expect(await codeAfter(token)).toBe('2000');
  });

  it.each([
    ['7 code points', '🔑'.repeat(7), '4000'],
    ['257 code points', '🔑'.repeat(257), '4000'],
    ['half a surrogate pair', `portico\ud800`, '4000'],
    ['NUL', 'portico\u0000demo', '4000'],
  ])('refuses a new password with %s', async (_what, newPassword, code) => {
    expect(await codeOf(change('portico-demo', newPassword))).toBe(code);
  });

  it('takes 256 code points of four bytes each', async () => {
    expect(await codeOf(change('portico-demo', '🔑'.repeat(256)))).toBe('2000');
  });

  it('is done once of two at a time, which verified the same password', async () => {
    const two = await Promise.all([tokenOf(world, ownerId), tokenOf(world, ownerId)]);
    const codes = await Promise.all(
      two.map((by, index) => codeOf(change('portico-demo', `password number ${index}`, by))),
    );
    // The second finds its sign-in ended, or the password changed.
    expect(codes.filter((code) => code === '2000')).toHaveLength(1);
    expect(['4010', '4017']).toContain(codes.find((code) => code !== '2000'));
  });

  it('leaves no sign-in that began with the old password, however close', async () => {
    const attempts = Array.from({ length: 4 }, () => signIn(world).catch(() => undefined));
    await change('portico-demo', 'another password');
    const opened = (await Promise.all(attempts)).filter((by) => by !== undefined);
    expect(await Promise.all(opened.map(codeAfter))).toEqual(opened.map(() => '4010'));
  });

  it('waits for no write of another session, nor that for it: neither is the end of the other', async () => {
    const others = await Promise.all(Array.from({ length: 6 }, () => tokenOf(world, ownerId)));
    const url = '/web/v1/workspaces/WS_DEMO/api-keys';
    const writes = others.map((by) => portalCall(world, by, { url, body: { name: 'x' } }));
    const changed = await change('portico-demo', 'another password');
    expect(changed.statusCode).toBe(200);
    for (const write of await Promise.all(writes)) expect([201, 401]).toContain(write.statusCode);
  });

  it('counts guesses of the current one with failed sign-ins, from that address on', async () => {
    const limited = await openWorld({ env: { PORTICO_LIMIT_SIGN_IN: '2/2' }, clock: createClock() });
    const by = await tokenOf(limited, ownerId);
    const guess = async (currentPassword: string) => {
      const body = { currentPassword, newPassword: 'another password' };
      return (await portalCall(limited, by, { url: `${accountUrl}/password`, body })).json().code;
    };
    expect([await guess('wrong'), await guess('wrong'), await guess('portico-demo')]).toEqual([
      '4017',
      '4017',
      '4290',
    ]);
    await expect(signIn(limited)).rejects.toThrow('4290');
    await limited.close();
  });
});

describe('sessions', () => {
  const list = async (by = token) => (await call('GET', '/sessions', undefined, by)).json().data.content;

  it('are listed with where they are from, and which is this one', async () => {
    const headers = { 'user-agent': 'Browser\u00e9 1.0' };
    const body = { email: 'owner@demo.test', password: 'portico-demo' };
    const answer = await portalCall(world, undefined, { url: '/web/v1/auth/login', body, headers });
    const { accessToken } = answer.json().data;
    const sessions = await list(accessToken);
    expect(sessions.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([
      {
        sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        createdAt: expect.any(String),
        lastSeenAt: expect.any(String),
        ipAddress: '127.0.0.1',
        userAgent: 'Browser 1.0',
        isCurrent: true,
      },
    ]);
  });

  it('end one by one, with their access tokens, and are gone from the list', async () => {
    const other = await tokenOf(world, ownerId);
    const { sessionId } = (await list(other)).find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    const ended = await call('DELETE', `/sessions/${sessionId}`);
    expect(ended.json()).toMatchObject({ code: '2000', data: null });
    expect([await codeAfter(other), await codeAfter(token)]).toEqual(['4010', '2000']);
    expect((await list()).map((each: { sessionId: string }) => each.sessionId)).not.toContain(sessionId);
    expect(await codeOf(call('DELETE', `/sessions/${sessionId}`))).toBe('4040');
  });

  it('of another account, or of none, are not there: 4040, and stay open', async () => {
    const viewer = await tokenOf(world, 'ACC_DEMO_VIEWER');
    const [own] = await list(viewer);
    for (const id of [
      own.sessionId,
      '00000000-0000-4000-8000-000000000000',
      'x',
      '%00',
      '%27',
      '%F0%9F%94%91',
    ])
      expect([id, await codeOf(call('DELETE', `/sessions/${id}`))]).toEqual([
        id,
        id === '%00' ? expect.stringMatching(/^40[04]0$/) : '4040',
      ]);
    expect(await codeAfter(viewer)).toBe('2000');
  });

  it('may end themselves', async () => {
    const { sessionId } = (await list()).find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    expect(await codeOf(call('DELETE', `/sessions/${sessionId}`))).toBe('2000');
    expect(await codeAfter(token)).toBe('4010');
  });

  it('that have expired are not listed', async () => {
    await world.db.query(sql`update sign_ins set expires_at = now() - interval '1 minute'`);
    expect(await list()).toEqual([]);
  });
});
