import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { breakOff } from './support/loopback.ts';
import {
  begin,
  callbackUrl,
  comeBack,
  cookieOf,
  cookiesOf,
  locationOf,
  settingOf,
  startUrl,
} from './support/oidc-browser.ts';
import { client, type OpenIdProvider, startOpenIdProvider } from './support/openid-provider.ts';
import { addMember, inviteTo, lookup } from './support/people.ts';
import { openWorld, portalCall, tokenOf, type World } from './world.ts';

const publicUrl = 'http://portal.example:8080';
let provider: OpenIdProvider;
let world: World;
let owner: string;

beforeAll(async () => {
  provider = await startOpenIdProvider([`${publicUrl}${callbackUrl}`]);
  world = await openWorld({ env: { PORTICO_PUBLIC_URL: publicUrl, ...settingOf(provider.issuer, client) } });
  owner = await tokenOf(world, 'ACC_DEMO_OWNER');
});
afterAll(async () => {
  await world?.close();
  await provider?.stop();
});

const ask = (invitation: string, holder?: string) =>
  portalCall(world, holder, { url: startUrl, body: { invitation } });

/** Accepts at the provider, as whoever is signed in there, and as the holder of an access token. */
async function acceptThere(invitation: string, holder?: string) {
  const asked = await ask(invitation, holder);
  const { url } = asked.json().data;
  const cookie = cookiesOf(asked)[0]?.split(';')[0] ?? '';
  return { url, response: await comeBack(world, await provider.visit(url), cookie) };
}

const outcome = async (invitation: string, holder?: string) =>
  locationOf((await acceptThere(invitation, holder)).response);

const accountOf = async (email: string) =>
  world.db.query(sql`
    select a.biz_id as id, a.name, a.password_hash as password, a.locale, i.subject, m.role::text as role
    from accounts a left join account_identities i on i.account_id = a.id left join workspace_members m on m.account_id = a.id
    where a.email = ${email}`);

describe('an invitation that is accepted by OpenID Connect', () => {
  it('makes an account without a password that is bound to the person, and signs it in', async () => {
    const { token, invitationId } = await inviteTo(world, owner, 'ada@example.com');
    provider.become({
      sub: 'ada',
      email: 'ADA@example.com',
      email_verified: true,
      name: ' Ada\u202e\nLove\u0000lace ',
    });
    const { url, response } = await acceptThere(token);
    expect(locationOf(response)).toBe('/sign-in?oidc=done');
    expect(cookieOf(response, 'portico_refresh')).toMatch(/=rt_/);
    const [account, ...more] = await accountOf('ada@example.com');
    expect(more).toEqual([]);
    expect(account).toEqual({
      id: expect.stringMatching(/^ACC_/),
      name: 'Ada  Love lace',
      password: null,
      locale: 'en',
      subject: 'ada',
      role: 'MEMBER',
    });
    const records = await world.db.query<{ action: string }>(sql`
      select action, actor_id as actor, subject_id as subject, changes::json from audit_waiting
      where actor_id = ${String((account as { id: string }).id)} order by id`); // just seen
    expect(records).toEqual([
      expect.objectContaining({
        action: 'member.added',
        changes: expect.objectContaining({
          invitationId: { from: null, to: invitationId },
          issuer: { from: null, to: provider.issuer },
          subject: { from: null, to: 'ada' },
        }),
      }),
      expect.objectContaining({ action: 'account.signed-in' }),
    ]);
    for (const text of [url, world.logs()]) expect(text).not.toContain(token);
  });

  it('works once, and not for who is a member already', async () => {
    const { token } = await inviteTo(world, owner, 'once@example.com');
    provider.become({ sub: 'once', email: 'once@example.com' });
    expect(await outcome(token)).toBe('/sign-in?oidc=done');
    for (const dead of [token, 'unknown', ''.padEnd(128, 'x'), "' or 1=1 --"]) {
      const asked = await ask(dead);
      expect([asked.statusCode, asked.json().code, cookiesOf(asked)]).toEqual([404, '4040', []]);
    }
  });

  it('is taken by one of two who come back at once', async () => {
    const { token } = await inviteTo(world, owner, 'race@example.com');
    const began = await Promise.all([ask(token), ask(token)]);
    const ways: string[] = [];
    for (const [index, asked] of began.entries()) {
      provider.become({ sub: `race-${index}` });
      ways.push(await provider.visit(asked.json().data.url));
    }
    const answers = await Promise.all(
      began.map((asked, index) =>
        comeBack(world, ways[index] ?? '', cookiesOf(asked)[0]?.split(';')[0] ?? ''),
      ),
    );
    expect(answers.map(locationOf).sort()).toEqual(['/sign-in?oidc=done', '/sign-in?oidc=invitation']);
    expect(await accountOf('race@example.com')).toHaveLength(1);
  });

  it('is for who the provider tells no address of: the link is the proof', async () => {
    const { token } = await inviteTo(world, owner, 'quiet@example.com');
    provider.become({ sub: 'quiet' });
    expect(await outcome(token)).toBe('/sign-in?oidc=done');
    expect(await accountOf('quiet@example.com')).toEqual([expect.objectContaining({ name: 'quiet' })]);
  });

  it.each([
    ['another', { email: 'mallory@example.com', email_verified: true }],
    ['an unverified', { email: 'forwarded@example.com', email_verified: false }],
    ['an unverified, in words,', { email: 'forwarded@example.com', email_verified: 'false' }],
    ['an unreadable', { email: ['forwarded@example.com'] }],
  ])('is not for who the provider tells %s address of, and nothing is left of it', async (_kind, told) => {
    const { token } = await inviteTo(world, owner, 'forwarded@example.com');
    provider.become({ sub: 'mallory', ...told });
    expect(await outcome(token)).toBe('/sign-in?oidc=invitation');
    expect(await accountOf('forwarded@example.com')).toEqual([]);
    expect(await world.db.query(sql`select 1 from account_identities where subject = 'mallory'`)).toEqual([]);
  });

  it('binds nobody to an account that the address has', async () => {
    await world.db.query(
      sql`insert into accounts (biz_id, email, name) values ('ACC_TAKEN', 'taken@example.com', 'T')`,
    );
    const { token } = await inviteTo(world, owner, 'taken@example.com');
    provider.become({ sub: 'taker', email: 'taken@example.com', email_verified: true });
    expect(await outcome(token)).toBe('/sign-in?oidc=invitation');
    expect(await accountOf('taken@example.com')).toEqual([
      expect.objectContaining({ subject: null, role: null }),
    ]);
  });
});

describe('someone who is signed in to an account', () => {
  const own = (id: string) => `${id.toLowerCase()}@demo.test`;
  const identitiesOf = (id: string) =>
    world.db.query(sql`
      select i.subject from account_identities i join accounts a on a.id = i.account_id where a.biz_id = ${id}`);

  it('is bound to it by what is for its address, and signs in there from then on', async () => {
    const holder = await addMember(world, 'ACC_OWN', 'VIEWER', 'WS_OTHER');
    const { token, invitationId } = await inviteTo(world, owner, own('ACC_OWN').toUpperCase());
    provider.become({ sub: 'own', email: own('ACC_OWN') });
    expect(await outcome(token, holder)).toBe('/sign-in?oidc=done');
    expect(await identitiesOf('ACC_OWN')).toEqual([{ subject: 'own' }]);
    const [record] = await world.db.query(sql`
      select subject_id as id, changes::json from audit_waiting where action = 'member.added' order by id desc limit 1`);
    expect(record).toEqual({
      id: 'ACC_OWN',
      changes: {
        invitationId: { from: null, to: invitationId },
        issuer: { from: null, to: provider.issuer },
        subject: { from: null, to: 'own' },
        role: { from: null, to: 'MEMBER' },
      },
    });
    const { location, cookie } = await begin(world);
    const back = await comeBack(world, await provider.visit(location), cookie);
    expect(locationOf(back)).toBe('/sign-in?oidc=done');
    const more = await inviteTo(
      world,
      await addMember(world, 'ACC_DEMO_OWNER', 'OWNER', 'WS_DEMO_2'),
      own('ACC_OWN'),
      'VIEWER',
      '/web/v1/workspaces/WS_DEMO_2/invitations',
    );
    expect(await outcome(more.token, holder)).toBe('/sign-in?oidc=done');
    expect(await identitiesOf('ACC_OWN')).toEqual([{ subject: 'own' }]);
  });

  it('is bound to nothing by what is for another, as who is bound elsewhere, or as who has another address', async () => {
    const holder = await addMember(world, 'ACC_NOT', 'VIEWER', 'WS_OTHER');
    const others = await inviteTo(world, owner, 'not-theirs@example.com');
    provider.become({ sub: 'not', email: own('ACC_NOT') });
    expect(await outcome(others.token, holder)).toBe('/sign-in?oidc=invitation');
    const { token } = await inviteTo(world, owner, own('ACC_NOT'));
    for (const person of [
      { sub: 'own' },
      { sub: 'not', email: own('ACC_OWN') },
      { sub: 'not', email: own('ACC_NOT'), email_verified: false },
    ]) {
      provider.become(person);
      expect(await outcome(token, holder)).toBe('/sign-in?oidc=invitation');
    }
    expect(await identitiesOf('ACC_NOT')).toEqual([]);
    expect((await lookup(world, token)).statusCode).toBe(200);
  });

  it('is bound to nothing once that sign-in has ended, though the browser comes back', async () => {
    const holder = await addMember(world, 'ACC_ENDED', 'VIEWER', 'WS_OTHER');
    const { token } = await inviteTo(world, owner, own('ACC_ENDED'));
    provider.become({ sub: 'ended', email: own('ACC_ENDED') });
    const asked = await ask(token, holder);
    const way = await provider.visit(asked.json().data.url);
    await portalCall(world, holder, { url: '/web/v1/auth/logout-everywhere' });
    const back = await comeBack(world, way, cookiesOf(asked)[0]?.split(';')[0] ?? '');
    expect(locationOf(back)).toBe('/sign-in?oidc=unknown');
    expect(await identitiesOf('ACC_ENDED')).toEqual([]);
    expect((await ask(token, holder)).statusCode).toBe(401);
    expect((await ask(token, `${owner.slice(0, -3)}`)).statusCode).toBe(401);
  });
});

describe('who is bound to an account', () => {
  beforeAll(async () => {
    await world.db.query(
      sql`insert into accounts (biz_id, email, name) values ('ACC_BOUND', 'bound@example.com', 'B')`,
    );
    await world.db.query(sql`
      insert into account_identities (issuer, subject, account_id)
      select ${provider.issuer}, 'bound', id from accounts where biz_id = 'ACC_BOUND'`);
  });

  it('accepts into it what is for its address, and nothing else', async () => {
    provider.become({ sub: 'bound', email: 'elsewhere@example.com' });
    const other = await inviteTo(world, owner, 'other@example.com');
    expect(await outcome(other.token)).toBe('/sign-in?oidc=invitation');
    const own = await inviteTo(world, owner, 'Bound@example.com', 'VIEWER');
    expect(await outcome(own.token)).toBe('/sign-in?oidc=done');
    expect(await accountOf('bound@example.com')).toEqual([
      expect.objectContaining({ id: 'ACC_BOUND', subject: 'bound', role: 'VIEWER' }),
    ]);
  });

  it('accepts nothing once it is disabled', async () => {
    await world.db.query(
      sql`delete from workspace_members m using accounts a where a.id = m.account_id and a.biz_id = 'ACC_BOUND'`,
    );
    const { token } = await inviteTo(world, owner, 'bound@example.com');
    await world.db.query(sql`update accounts set status = 'DISABLED' where biz_id = 'ACC_BOUND'`);
    expect(await outcome(token)).toBe('/sign-in?oidc=unknown');
    expect(await accountOf('bound@example.com')).toEqual([expect.objectContaining({ role: null })]);
  });
});

describe('the start with an invitation', () => {
  it('wants one, in the body, and tells when the provider is away', async () => {
    const nothing = await portalCall(world, undefined, { url: startUrl, body: {} });
    expect([nothing.statusCode, nothing.json().message]).toEqual([400, 'invitation is required']);
    const { token } = await inviteTo(world, owner, 'away@example.com');
    provider.answerWith(breakOff);
    const late = await openWorld({ env: settingOf(provider.issuer, client), database: world.database });
    const away = await portalCall(late, undefined, { url: startUrl, body: { invitation: token } });
    expect([away.statusCode, away.json().code, away.headers['retry-after']]).toEqual([503, '5030', '5']);
    expect(cookiesOf(away)).toEqual([]);
    await late.close();
    provider.answerWith(undefined);
  });
});
