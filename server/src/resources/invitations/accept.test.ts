import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRows } from '../../../test/hostile/ledger.ts';
import { addFactor } from '../../../test/support/own-account.ts';
import { accept, addMember, inviteTo, lookup, membersUrl } from '../../../test/support/people.ts';
import { createStillClock, openWorld, portalCall, signIn, tokenOf, type World } from '../../../test/world.ts';
import { membersPerWorkspaceMax } from '../../auth/portal/members.ts';
import { sql } from '../../db/sql.ts';

let world: World;
let owner: string;
beforeAll(async () => {
  world = await openWorld();
  owner = await signIn(world);
});
afterAll(() => world.close());

const person = { name: 'Ada Lovelace', password: 'correct horse' };
const told = async (answer: ReturnType<typeof accept>) => {
  const { statusCode, ...rest } = await answer;
  return [statusCode, rest.json().code];
};
const accountsOf = (email: string) =>
  world.db.query<{ biz_id: string; email: string; name: string; locale: string }>(
    sql`select biz_id, email, name, locale from accounts where lower(email) = lower(${email}) order by id`,
  );

describe('someone without an account', () => {
  it('sees who invites whom to what, becomes a member of workspace and institution, and is signed in', async () => {
    const { token, invitationId } = await inviteTo(world, owner, 'Ada@Example.com');
    expect((await lookup(world, token)).json().data).toEqual({
      email: 'Ada@Example.com',
      role: 'MEMBER',
      workspaceName: 'Demo Workspace',
      institutionName: 'Demo Institution',
      inviterName: 'Demo Owner',
      expiresAt: expect.stringMatching(/Z$/),
      hasAccount: false,
    });
    const answer = await accept(world, { token, ...person, locale: 'zh-CN' });
    const { data } = answer.json();
    expect([answer.statusCode, data]).toEqual([
      200,
      {
        accountId: expect.stringMatching(/^ACC_[0-9A-HJKMNP-TV-Z]{26}$/),
        workspaceId: 'WS_DEMO',
        role: 'MEMBER',
        accessToken: expect.any(String),
        tokenType: 'Bearer',
        expiresIn: 900,
        refreshToken: expect.stringMatching(/^rt_/),
        refreshExpiresIn: 2_592_000,
      },
    ]);
    expect(await accountsOf('ada@example.com')).toEqual([
      { biz_id: data.accountId, email: 'Ada@Example.com', name: 'Ada Lovelace', locale: 'zh-CN' },
    ]);
    const me = await portalCall(world, data.accessToken, { method: 'GET', url: '/web/v1/auth/me' });
    expect(me.json().data).toMatchObject({
      institutions: [{ bizId: 'INST_DEMO' }],
      workspaces: [{ bizId: 'WS_DEMO', role: 'MEMBER' }],
    });
    expect(await signIn(world, 'ADA@example.com', person.password)).toEqual(expect.any(String));
    const records = await world.db.query(sql`
      select action, actor_id, actor_name, subject_type, subject_id, workspace_id, changes::json as changes from audit_waiting
      where actor_id = ${data.accountId} order by id limit 2`);
    expect(records).toEqual([
      {
        action: 'member.added',
        actor_id: data.accountId,
        actor_name: 'Ada Lovelace',
        subject_type: 'MEMBER',
        subject_id: data.accountId,
        workspace_id: 'WS_DEMO',
        changes: {
          email: { from: null, to: 'Ada@Example.com' },
          name: { from: null, to: 'Ada Lovelace' },
          role: { from: null, to: 'MEMBER' },
          invitationId: { from: null, to: invitationId },
        },
      },
      expect.objectContaining({ action: 'account.signed-in' }),
    ]);
    expect(await told(accept(world, { token, ...person }))).toEqual([404, '4040']);
    expect(await told(lookup(world, token))).toEqual([404, '4040']);
  });

  it('may keep the session in a cookie', async () => {
    const { token } = await inviteTo(world, owner, 'cookie@demo.test');
    const answer = await accept(world, { token, ...person, session: 'cookie' });
    expect(answer.json().data.refreshToken).toBeUndefined();
    expect(String(answer.headers['set-cookie'])).toMatch(/HttpOnly/);
  });

  it('is told which field is wrong, and the link goes on working', async () => {
    const { token } = await inviteTo(world, owner, 'wrong@demo.test');
    const rows = await countRows(world);
    const wrong: [string, object][] = [
      ['name', { name: undefined }],
      ['password', { password: undefined }],
      ['name', { name: ' ' }],
      ['name', { name: 'a\nb' }],
      ['name', { name: 'a\u0007b' }],
      ['name', { name: 'a\u202eb' }],
      ['name', { name: 'a\u2028b' }],
      ['name', { name: '\u{1f600}'.repeat(129) }],
      ['password', { password: '1234567' }],
      ['password', { password: '\u{1f600}'.repeat(7) }],
      ['password', { password: '\u{1f600}'.repeat(257) }],
      ['password', { password: 'half \ud83d pair' }],
      ['locale', { locale: 'de' }],
      ['session', { session: 'browser' }],
    ];
    for (const [field, body] of wrong) {
      const answer = await accept(world, { token, ...person, ...body });
      expect([field, answer.statusCode, answer.json().code]).toEqual([field, 400, '4000']);
      expect(answer.json().message).toContain(field);
    }
    expect(await countRows(world)).toEqual(rows);
    const good = { name: '👩‍🚀 Nuñez', password: '\u{1f600}'.repeat(8) };
    expect(await told(accept(world, { token, ...good }))).toEqual([200, '2000']);
    expect(await signIn(world, 'wrong@demo.test', good.password)).toEqual(expect.any(String));
  });

  it('is one of twenty who accept the same link at once', async () => {
    const { token } = await inviteTo(world, owner, 'race@demo.test');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => accept(world, { token, ...person, name: `Racer ${n}` })),
    );
    const codes = answers.map((answer) => answer.json().code);
    expect(codes.filter((code) => code === '2000')).toHaveLength(1);
    // Passwords are hashed in turn: who waited too long on a busy machine is told to come back.
    expect(codes.filter((code) => !['2000', '4040', '4090', '4290', '5030'].includes(code))).toEqual([]);
    expect(await accountsOf('race@demo.test')).toHaveLength(1);
  });

  it('who was invited to two workspaces and accepts both at once has one account', async () => {
    const outsider = await signIn(world, 'outsider@demo.test');
    const links = [
      await inviteTo(world, owner, 'two@demo.test'),
      await inviteTo(world, outsider, 'TWO@demo.test', 'VIEWER', '/web/v1/workspaces/WS_OTHER/invitations'),
    ];
    const answers = await Promise.all(links.map(({ token }) => accept(world, { token, ...person })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect(await accountsOf('two@demo.test')).toHaveLength(1);
    const first = answers.find(({ statusCode }) => statusCode === 200)?.json().data;
    const other = links[first.workspaceId === 'WS_DEMO' ? 1 : 0];
    expect(await told(accept(world, { token: other?.token }, first.accessToken))).toEqual([200, '2000']);
  });

  it('and a link that was revoked at the same time leave a member or a revoked link, never both', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const email = `both${turn}@demo.test`;
      const { token, invitationId } = await inviteTo(world, owner, email);
      const [accepted, revoked] = await Promise.all([
        accept(world, { token, ...person }),
        portalCall(world, owner, { url: `/web/v1/workspaces/WS_DEMO/invitations/${invitationId}/revoke` }),
      ]);
      const outcome = [accepted.statusCode, revoked.statusCode, (await accountsOf(email)).length];
      expect([
        [200, 409, 1],
        [404, 200, 0],
      ]).toContainEqual(outcome);
    }
  });
});

describe('someone with an account', () => {
  it('signs in and accepts with the link alone, which signs nobody in anew', async () => {
    const { token } = await inviteTo(world, owner, 'Outsider@demo.test', 'VIEWER');
    expect((await lookup(world, token)).json().data.hasAccount).toBe(true);
    const outsider = await signIn(world, 'outsider@demo.test');
    const before = (await countRows(world))['sign_ins'];
    const answer = await accept(world, { token, name: 'Not Read', password: 'not read either' }, outsider);
    expect([answer.statusCode, answer.json().data]).toEqual([
      200,
      { accountId: 'ACC_DEMO_OUTSIDER', workspaceId: 'WS_DEMO', role: 'VIEWER' },
    ]);
    expect((await countRows(world))['sign_ins']).toBe(before);
    expect((await accountsOf('outsider@demo.test'))[0]?.name).toBe('Demo Outsider');
    expect((await portalCall(world, outsider, { method: 'GET', url: membersUrl })).statusCode).toBe(200);
    expect(await told(accept(world, { token }, outsider))).toEqual([404, '4040']);
  });

  it('is refused without the access token, whatever else is sent, and nothing is changed', async () => {
    await addMember(world, 'ACC_G', 'VIEWER', 'WS_OTHER');
    const { token } = await inviteTo(world, owner, 'acc_g@demo.test', 'OWNER');
    const rows = await countRows(world);
    const hash = () => world.db.query(sql`select password_hash from accounts where biz_id = 'ACC_G'`);
    const before = await hash();
    for (const body of [{ token, ...person }, { token }])
      expect(await told(accept(world, body))).toEqual([409, '4090']);
    expect(await countRows(world)).toEqual(rows);
    expect(await hash()).toEqual(before);
    expect((await lookup(world, token)).statusCode).toBe(200);
  });

  it('is refused with the link of another address with 403 4030, and the link goes on working', async () => {
    const { token } = await inviteTo(world, owner, 'not-me@demo.test');
    const viewer = await signIn(world, 'viewer@demo.test');
    for (const body of [{ token }, { token, ...person }])
      expect(await told(accept(world, body, viewer))).toEqual([403, '4030']);
    expect((await lookup(world, token)).statusCode).toBe(200);
  });

  it('is refused when disabled, signed out, or with a token that is none: 401 4010', async () => {
    const member = await addMember(world, 'ACC_H', 'VIEWER', 'WS_OTHER');
    const { token } = await inviteTo(world, owner, 'acc_h@demo.test');
    await world.db.query(sql`update accounts set status = 'DISABLED' where biz_id = 'ACC_H'`);
    expect(await told(accept(world, { token }, member))).toEqual([401, '4010']);
    expect(await told(accept(world, { token, ...person }))).toEqual([409, '4090']);
    await world.db.query(sql`update accounts set status = 'ACTIVE' where biz_id = 'ACC_H'`);
    await portalCall(world, member, { url: '/web/v1/auth/logout-everywhere' });
    expect(await told(accept(world, { token }, member))).toEqual([401, '4010']);
    const fresh = await inviteTo(world, owner, 'fresh@demo.test');
    for (const authorization of [
      '',
      'Bearer',
      'Bearer x.y.z',
      'Basic YTpi',
      `Bearer ${owner.slice(0, -3)}`,
    ]) {
      const call = {
        url: '/web/v1/invitations/accept',
        body: { token: fresh.token, ...person },
        headers: { authorization },
      };
      expect([authorization, ...(await told(portalCall(world, undefined, call)))]).toEqual([
        authorization,
        401,
        '4010',
      ]);
    }
  });

  it('and a second factor needs that for the sign-in, and nothing more to accept; the link is no way around it', async () => {
    const { token } = await inviteTo(world, owner, 'acc_j@demo.test');
    const signedIn = await addMember(world, 'ACC_J', 'VIEWER', 'WS_OTHER');
    await addFactor(world, signedIn);
    expect(await told(accept(world, { token, ...person, code: '000000' }))).toEqual([409, '4090']);
    expect(await told(accept(world, { token }, signedIn))).toEqual([200, '2000']);
  });

  it('who is a member already by then is told so, and keeps the role', async () => {
    const { token } = await inviteTo(world, owner, 'acc_i@demo.test', 'VIEWER');
    const member = await addMember(world, 'ACC_I', 'MEMBER');
    expect(await told(accept(world, { token }, member))).toEqual([409, '4090']);
    const { content } = (
      await portalCall(world, owner, { method: 'GET', url: `${membersUrl}?size=100` })
    ).json().data;
    expect(content.find(({ accountId }: { accountId: string }) => accountId === 'ACC_I').role).toBe('MEMBER');
  });

  it('who was removed comes back by a new invitation alone', async () => {
    const { token } = await inviteTo(world, owner, 'back@demo.test', 'OWNER');
    const { accessToken, accountId } = (await accept(world, { token, ...person })).json().data;
    const remove = { method: 'DELETE' as const, url: `${membersUrl}/${accountId}` };
    expect((await portalCall(world, owner, remove)).statusCode).toBe(200);
    expect(await told(accept(world, { token }, accessToken))).toEqual([404, '4040']);
    const again = await inviteTo(world, owner, 'back@demo.test', 'VIEWER');
    expect((await accept(world, { token: again.token }, accessToken)).json().data.role).toBe('VIEWER');
  });
});

describe('links', () => {
  it('are limited by address, those that work and others, without a word to who is elsewhere', async () => {
    const limited = await openWorld({
      clock: createStillClock(),
      env: { PORTICO_LIMIT_SIGN_IN: '5/5', PORTICO_TRUSTED_PROXIES: '127.0.0.1/32' },
    });
    const from = (address: string, path: string) =>
      portalCall(limited, undefined, {
        url: `/web/v1/invitations/${path}`,
        body: { token: 'x' },
        headers: { 'x-forwarded-for': address },
      });
    const tries = await Promise.all(
      Array.from({ length: 70 }, (_, n) => from('203.0.113.7', n % 2 === 0 ? 'lookup' : 'accept')),
    );
    const refused = tries.filter(({ statusCode }) => statusCode === 429);
    expect(refused).toHaveLength(10);
    expect(refused[0]?.headers['retry-after']).toEqual(expect.any(String));
    expect((await from('203.0.113.8', 'lookup')).statusCode).toBe(404);
    await limited.close();
  });

  it('let nobody into a workspace that has as many members as it may have: 409 4096', async () => {
    const full = await openWorld();
    const its = await tokenOf(full, 'ACC_DEMO_OWNER');
    const { token } = await inviteTo(full, its, 'last@demo.test');
    await full.db.query(sql`
      with added as (
        insert into accounts (biz_id, email, name) select 'ACC_' || n, n || '@many.test', 'n'
        from generate_series(3, ${membersPerWorkspaceMax}::int) n returning id)
      insert into workspace_members (account_id, workspace_id, role) select a.id, w.id, 'VIEWER' from added a, workspaces w where w.biz_id = 'WS_DEMO'`);
    const rows = await countRows(full);
    expect((await accept(full, { token, ...person })).json().code).toBe('4096');
    const more = {
      url: '/web/v1/workspaces/WS_DEMO/invitations',
      body: { email: 'a@b.test', role: 'VIEWER' },
    };
    expect((await portalCall(full, its, more)).json().code).toBe('4096');
    expect(await countRows(full)).toEqual(rows);
    await full.close();
  });
});
