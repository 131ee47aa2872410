import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionSuite } from '../../../test/suites/collection.ts';
import { addMember, invitationsUrl, inviteTo, lookup } from '../../../test/support/people.ts';
import { openWorld, portalCall, signIn, tokenOf, type World } from '../../../test/world.ts';
import { InvitationRecord } from '../../auth/portal/invitation-record.ts';
import { endedInvitationsMax, sweepInvitations } from '../../auth/portal/invitations.ts';
import { sql } from '../../db/sql.ts';
import { invitations } from './collection.ts';

const filled = new WeakMap<World, Promise<string>>();

async function fill(world: World): Promise<string> {
  await world.db.query(sql`
    insert into invitations (id, workspace_id, email, role, token_hash, invited_by, status, created_at, expires_at)
    select 'INV_' || n || w.id, w.id, (array['Zoë', 'adam', '张伟'])[1 + n % 3] || n || '@demo.test',
      (array['OWNER', 'MEMBER', 'VIEWER'])[1 + n % 3]::workspace_role, sha256((n || w.biz_id)::bytea), case when n % 2 = 0 then 1 end,
      (array['PENDING', 'ACCEPTED', 'REVOKED'])[1 + n % 3]::invitation_status, '2024-01-01Z'::timestamptz + (n / 3) * interval '1 day',
      case when n % 2 = 0 then now() + n * interval '1 day' else now() - n * interval '1 day' end
    from generate_series(1, 60) n, workspaces w`);
  return tokenOf(world, 'ACC_DEMO_OWNER');
}

collectionSuite({
  name: 'the invitations of a workspace',
  shape: 'flat',
  fields: Object.keys(InvitationRecord.properties),
  sortable: Object.keys(invitations.sortable),
  defaultSort: 'createdAt,desc',
  id: 'invitationId',
  total: async () => 60,
  async get(world, query, noMatch) {
    const token = filled.get(world) ?? fill(world);
    filled.set(world, token);
    if (noMatch)
      await world.db.query(sql`update invitations set status = 'REVOKED' where status = 'ACCEPTED'`);
    const filter = noMatch ? `${query === '' ? '?' : '&'}status=ACCEPTED` : '';
    return portalCall(world, await token, { method: 'GET', url: `${invitationsUrl}${query}${filter}` });
  },
});

describe('invitations', () => {
  let world: World;
  let owner: string;
  beforeAll(async () => {
    world = await openWorld();
    owner = await signIn(world);
  });
  afterAll(() => world.close());

  const create = (body: unknown, token = owner, headers = {}) =>
    portalCall(world, token, { url: invitationsUrl, body, headers });
  const revoke = (id: string, token = owner) =>
    portalCall(world, token, { url: `${invitationsUrl}/${id}/revoke` });
  const list = (query = '', token = owner) =>
    portalCall(world, token, { method: 'GET', url: `${invitationsUrl}${query}` });
  const told = async (answer: ReturnType<typeof create>) => {
    const { statusCode, ...rest } = await answer;
    return [statusCode, rest.json().code];
  };
  const statusOf = async (id: string) => {
    const { content } = (await list('?size=100')).json().data;
    return content.find(({ invitationId }: { invitationId: string }) => invitationId === id)?.status;
  };

  it('are made by an owner with a link that is shown once and kept as a hash', async () => {
    const answer = await create({ email: 'Ada@Example.com', role: 'MEMBER' });
    expect(answer.statusCode).toBe(201);
    const { data } = answer.json();
    expect(data).toEqual({
      invitationId: expect.stringMatching(/^INV_[0-9A-HJKMNP-TV-Z]{26}$/),
      email: 'Ada@Example.com',
      role: 'MEMBER',
      status: 'PENDING',
      expiresAt: expect.any(String),
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/invitation#[0-9A-Za-z]{43}$/),
    });
    const [row] = await world.db.query<{ days: number; created_at: string }>(sql`
      select extract(epoch from expires_at - created_at)::float8 / 86400 as days from invitations where id = ${data.invitationId}`);
    expect(row?.days).toBe(7);
    const token = data.url.split('#')[1];
    const everything = await world.db.query(
      sql`select i::text from invitations i union all select a::text from audit_waiting a`,
    );
    expect(JSON.stringify(everything)).not.toContain(token);
    expect(world.logs()).not.toContain(token);
    expect((await list()).body).not.toContain(token);
    const [record] = await world.db.query(sql`
      select action, subject_type, subject_id, changes::json as changes from audit_waiting order by id desc limit 1`);
    expect(record).toEqual({
      action: 'member.invited',
      subject_type: 'INVITATION',
      subject_id: data.invitationId,
      changes: {
        email: { from: null, to: 'Ada@Example.com' },
        role: { from: null, to: 'MEMBER' },
        expiresAt: { from: null, to: data.expiresAt },
      },
    });
  });

  it('are replayed without the link', async () => {
    const send = () =>
      create({ email: 'replay@demo.test', role: 'VIEWER' }, owner, { 'idempotency-key': 'r' });
    const first = await send();
    const second = await send();
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.json().data).toEqual({ ...first.json().data, url: null });
  });

  it('replace an earlier one for the same address in any capitals, which is written down', async () => {
    const first = await inviteTo(world, owner, 'twice@demo.test');
    const second = await inviteTo(world, owner, 'TWICE@demo.test', 'OWNER');
    expect((await lookup(world, first.token)).statusCode).toBe(404);
    expect((await lookup(world, second.token)).json().data).toMatchObject({
      email: 'TWICE@demo.test',
      role: 'OWNER',
    });
    expect(await statusOf(first.invitationId)).toBe('REVOKED');
    const [record] = await world.db.query<{ changes: object }>(
      sql`select changes::json as changes from audit_waiting order by id desc limit 1`,
    );
    expect(record?.changes).toMatchObject({ replaces: { from: null, to: first.invitationId } });
    const [left] = await world.db.query(sql`
      select count(*) as count from invitations where lower(email) = 'twice@demo.test' and status = 'PENDING'`);
    expect(left).toEqual({ count: 1 });
  });

  it('leave one link when twenty are asked for the same address at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create({ email: 'crowd@demo.test', role: 'VIEWER' })),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
    const works = await Promise.all(
      answers.map((answer) => lookup(world, answer.json().data.url.split('#')[1])),
    );
    expect(works.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  it('are refused for who is a member already, in any capitals, with 409 4090', async () => {
    for (const email of ['viewer@demo.test', 'VIEWER@Demo.Test', 'owner@demo.test'])
      expect(await told(create({ email, role: 'OWNER' }))).toEqual([409, '4090']);
    expect(await told(create({ email: 'outsider@demo.test', role: 'VIEWER' }))).toEqual([201, '2000']);
  });

  it('are refused what is no e-mail address, and take what is one, beyond ASCII too', async () => {
    const local = 'x'.repeat(64);
    const wrong = [
      ...[
        '',
        ' ',
        'a',
        '@',
        'a@',
        '@b',
        'a@b@c',
        'a b@c',
        'a@b c',
        'a@b\n',
        'a\t@b',
        'a\0@b',
        'a\u007f@b',
        '\ud83d@b',
      ],
      ...[
        'a@b\r\nBcc: c@d',
        '<a@b>',
        'A <a@b>',
        'a@b,c@d',
        'a@b;c@d',
        '"a"@b',
        'a\u202e@b',
        'a\u200b@b',
        'a\ufeff@b',
        'a\u00a0@b',
      ],
      ...[`${'x'.repeat(65)}@b.test`, `${local}@${'y'.repeat(256)}`, `a@${'y'.repeat(320)}`],
      ...[null, 7, {}, ['a@b.test']],
    ];
    for (const email of wrong)
      expect([email, ...(await told(create({ email, role: 'VIEWER' })))]).toEqual([email, 400, '4000']);
    for (const email of [
      'jürgen@bücher.example',
      '张伟@例子.公司',
      "o'brien+tag@x-y.test",
      `${local}@${'y'.repeat(189)}`,
    ]) {
      const answer = await create({ email, role: 'VIEWER' });
      expect([answer.statusCode, answer.json().data?.email]).toEqual([201, email]);
      await revoke(answer.json().data.invitationId);
    }
  });

  it('are refused roles in lower case or of nothing', async () => {
    for (const role of ['owner', 'Member', '', 'ADMIN', null, 1, undefined])
      expect([role, ...(await told(create({ email: 'a@b.test', role })))]).toEqual([role, 400, '4000']);
  });

  it('are the business of owners alone', async () => {
    for (const role of ['MEMBER', 'VIEWER']) {
      const token = await addMember(world, `ACC_${role}`, role);
      expect(await told(create({ email: 'a@b.test', role: 'OWNER' }, token))).toEqual([403, '4030']);
      expect(await told(list('', token))).toEqual([403, '4030']);
      expect(await told(revoke('INV_1', token))).toEqual([403, '4030']);
    }
    const outsider = await signIn(world, 'outsider@demo.test');
    const { invitationId, token } = await inviteTo(world, owner, 'mine@demo.test');
    expect(await told(revoke(invitationId, outsider))).toEqual([403, '4030']);
    const elsewhere = `/web/v1/workspaces/WS_OTHER/invitations/${invitationId}/revoke`;
    expect(await told(portalCall(world, outsider, { url: elsewhere }))).toEqual([404, '4040']);
    expect((await lookup(world, token)).statusCode).toBe(200);
  });

  it('are revoked once, by an owner, and then do not work', async () => {
    const { invitationId, token } = await inviteTo(world, owner, 'gone@demo.test');
    const answer = await revoke(invitationId);
    expect([answer.statusCode, answer.json().data.status]).toEqual([200, 'REVOKED']);
    expect(await told(revoke(invitationId))).toEqual([409, '4091']);
    expect(await told(revoke('INV_NOBODY'))).toEqual([404, '4040']);
    expect((await lookup(world, token)).statusCode).toBe(404);
    const [record] = await world.db.query(sql`
      select action, subject_type, subject_id, changes from audit_waiting order by id desc limit 1`);
    expect(record).toEqual({
      action: 'invitation.revoked',
      subject_type: 'INVITATION',
      subject_id: invitationId,
      changes: '{"status":{"from":"PENDING","to":"REVOKED"}}',
    });
  });

  it('tell the same of a link that is unknown, revoked, replaced or of another kind', async () => {
    const texts = new Set<string>();
    const { invitationId, token } = await inviteTo(world, owner, 'same@demo.test');
    await revoke(invitationId);
    for (const each of [token, '', 'x', 'x'.repeat(10_240), ' ', '__proto__', "' or 1=1 --", '\u{1f600}']) {
      const answer = await lookup(world, each);
      expect([answer.statusCode, answer.json().code]).toEqual([404, '4040']);
      texts.add(answer.json().message);
    }
    expect(texts.size).toBe(1);
    for (const each of ['a\0b', '\ud83d', null, 7, {}, ['x']])
      expect(await told(lookup(world, each))).toEqual([400, '4000']);
  });
});

describe('invitations in time and number', () => {
  it('expire after seven days, do not count then, and are forgotten after ninety more', async () => {
    const world = await openWorld();
    const owner = await signIn(world);
    const { invitationId, token } = await inviteTo(world, owner, 'late@demo.test');
    const find = async () =>
      (
        await portalCall(world, await tokenOf(world, 'ACC_DEMO_OWNER'), {
          method: 'GET',
          url: invitationsUrl,
        })
      ).json().data.content;
    world.clock.advance(7 * 86_400 - 60);
    expect((await lookup(world, token)).statusCode).toBe(200);
    world.clock.advance(61);
    expect((await lookup(world, token)).json().message).toBe((await lookup(world, 'x')).json().message);
    expect(await find()).toEqual([expect.objectContaining({ invitationId, status: 'EXPIRED' })]);
    const again = await tokenOf(world, 'ACC_DEMO_OWNER');
    const revoked = await portalCall(world, again, { url: `${invitationsUrl}/${invitationId}/revoke` });
    expect(revoked.json().code).toBe('4091');
    await inviteTo(world, again, 'late@demo.test');
    expect((await find()).map(({ status }: { status: string }) => status)).toEqual(['PENDING', 'EXPIRED']);
    world.clock.advance(89 * 86_400);
    await sweepInvitations(world.db, world.clock.now());
    expect(await find()).toHaveLength(2);
    world.clock.advance(2 * 86_400);
    await sweepInvitations(world.db, world.clock.now());
    expect(await find()).toHaveLength(1);
    await world.close();
  });

  it('are a hundred that wait in a workspace, also by those who ask at once, and so many that ended', async () => {
    const world = await openWorld();
    const owner = await signIn(world);
    const create = (email: string) =>
      portalCall(world, owner, { url: invitationsUrl, body: { email, role: 'VIEWER' } });
    await world.db.query(sql`
      insert into invitations (id, workspace_id, email, role, token_hash, status, created_at, expires_at)
      select 'INV_' || n, w.id, n || '@many.test', 'VIEWER', sha256(n::text::bytea), case when n <= 95 then 'PENDING' else 'REVOKED' end::invitation_status,
        now() - n * interval '1 second', now() + interval '1 day'
      from generate_series(1, 400) n, workspaces w where w.biz_id = 'WS_DEMO'`);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => create(`new${n}@demo.test`)));
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(5);
    const refused = answers.find(({ statusCode }) => statusCode !== 201);
    expect([refused?.statusCode, refused?.json().code]).toEqual([409, '4096']);
    expect((await create('1@many.test')).statusCode).toBe(201);
    for (let turn = 0; turn < 8; turn += 1) expect((await create('1@many.test')).statusCode).toBe(201);
    const [rows] = await world.db.query<{ count: number }>(sql`select count(*) as count from invitations`);
    expect(rows?.count).toBeLessThanOrEqual(100 + endedInvitationsMax);
    await world.close();
  });
});
