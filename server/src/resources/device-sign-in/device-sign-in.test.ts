import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStillClock, openWorld, portalCall, tokenOf, type World } from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';
import { sweep } from '../../sweep.ts';

const clock = createStillClock();
const env = {
  PORTICO_TRUSTED_PROXIES: '127.0.0.1',
  PORTICO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
};
let world: World;
/** Another instance on the same database. */
let twin: World;
beforeAll(async () => {
  world = await openWorld({ clock, env });
  twin = await openWorld({ clock, env, database: world.database });
});
afterAll(async () => {
  await twin.close();
  await world.close();
});

type Headers = Record<string, string>;
type Device = { deviceCode: string; userCode: string; verificationUri: string };

const post = (path: string, body: object, token?: string, headers: Headers = {}, on = world) =>
  portalCall(on, token, { url: `/web/v1/auth/device${path}`, body, headers });

/** From an address of its own, so that no share is used up. */
let addresses = 0;
const nextAddress = () => {
  addresses += 1;
  return { 'x-forwarded-for': `198.51.${addresses >> 8}.${addresses & 255}` };
};
const start = async (body: object = {}, headers: Headers = nextAddress()): Promise<Device> =>
  (await post('', body, undefined, headers)).json().data;
const poll = ({ deviceCode }: { deviceCode: string }, headers: Headers = {}, on = world) =>
  post('/token', { deviceCode }, undefined, headers, on);
const pollCode = async (device: { deviceCode: string }) => (await poll(device)).json().code;
const confirm = (userCode: string, token: string) => post('/confirm', { userCode }, token);
const ownerToken = () => tokenOf(world, 'ACC_DEMO_OWNER');
const count = async (table: 'sign_ins' | 'device_codes') => {
  const [row] = await world.db.query<{ count: number }>(
    table === 'sign_ins'
      ? sql`select count(*) as count from sign_ins`
      : sql`select count(*) as count from device_codes`,
  );
  return row?.count ?? 0;
};
const records = (action: string) =>
  world.db.query<{ actor_id: string; subject_id: string; changes: string }>(
    sql`select actor_id, subject_id, changes from audit_waiting where action = ${action} order by id`,
  );

describe('a device', () => {
  it('is told what to show and how to poll; neither code is in the database', async () => {
    const device = await start();
    expect(device).toEqual({
      deviceCode: expect.stringMatching(/^[0-9A-Za-z]{43}$/),
      userCode: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verificationUri: 'http://127.0.0.1:8080/device',
      verificationUriComplete: `http://127.0.0.1:8080/device#${device.userCode}`,
      expiresIn: 600,
      interval: 5,
    });
    const rows = JSON.stringify(await world.db.query(sql`select d::text as row from device_codes d`));
    for (const code of [device.deviceCode, device.userCode, device.userCode.replace('-', '')])
      expect(rows).not.toContain(code);
  });

  it('waits with 409 4090 and Retry-After, and has tokens once it is confirmed, once', async () => {
    const asked = { 'x-forwarded-for': '203.0.113.9', 'user-agent': 'asks/1' };
    const device = await start({ clientName: 'portico on laptop' }, asked);
    const waiting = await poll(device);
    expect([waiting.statusCode, waiting.json().code, waiting.headers['retry-after']]).toEqual([
      409,
      '4090',
      '5',
    ]);
    const token = await ownerToken();
    const answer = await confirm(device.userCode, token);
    expect(answer.json().data).toEqual({
      clientName: 'portico on laptop',
      ipAddress: '203.0.113.9',
      userAgent: 'asks/1',
      requestedAt: new Date(clock.now()).toISOString(),
      expiresAt: new Date(clock.now() + 600_000).toISOString(),
    });
    const polls = { 'x-forwarded-for': '203.0.113.10', 'user-agent': 'polls/1' };
    const { data } = (await poll(device, polls)).json();
    expect(data).toMatchObject({ tokenType: 'Bearer', refreshToken: expect.stringMatching(/^rt_/) });
    const me = await portalCall(world, data.accessToken, { method: 'GET', url: '/web/v1/auth/me' });
    expect(me.json().data.account.bizId).toBe('ACC_DEMO_OWNER');
    const [signIn] = await world.db.query(
      sql`select ip_address, user_agent from sign_ins where id = ${claimOf(data.accessToken, 'sid')}`,
    );
    expect(signIn).toEqual({ ip_address: '203.0.113.10', user_agent: 'polls/1' });
    expect(await pollCode(device)).toBe('4040');
    expect((await confirm(device.userCode, token)).json().code).toBe('4040');
    const [record] = await records('account.device-confirmed');
    expect(record).toMatchObject({ actor_id: 'ACC_DEMO_OWNER', subject_id: 'ACC_DEMO_OWNER' });
    expect(JSON.parse(record?.changes ?? '{}')).toMatchObject({
      ipAddress: { from: null, to: '203.0.113.9' },
    });
    expect(await records('account.signed-in')).toMatchObject([{ subject_id: 'ACC_DEMO_OWNER' }]);
  });

  it('that is denied is told so with 403 4030, and nobody can confirm it after', async () => {
    const device = await start();
    expect((await post('/deny', { userCode: device.userCode }, await ownerToken())).statusCode).toBe(200);
    for (const _again of [1, 2]) expect(await pollCode(device)).toBe('4030');
    expect((await confirm(device.userCode, await ownerToken())).json().code).toBe('4040');
    expect((await records('account.device-denied')).length).toBe(1);
  });

  it('has ten minutes, confirmed or not, and is forgotten after', async () => {
    const [open, confirmed] = [await start(), await start()];
    await confirm(confirmed.userCode, await ownerToken());
    clock.advance(599);
    expect(await pollCode(open)).toBe('4090');
    clock.advance(1);
    const token = await ownerToken();
    for (const device of [open, confirmed]) {
      expect(await pollCode(device)).toBe('4040');
      for (const path of ['/lookup', '/confirm', '/deny'])
        expect((await post(path, { userCode: device.userCode }, token)).json().code).toBe('4040');
    }
    await sweep(world.services, world.db);
    expect(await count('device_codes')).toBe(0);
  });

  it('has the base path in its link', async () => {
    const based = await openWorld({
      database: world.database,
      env: { ...env, PORTICO_PUBLIC_URL: 'https://portal.example', PORTICO_BASE_PATH: '/partner' },
    });
    const answer = await portalCall(based, undefined, { url: '/partner/web/v1/auth/device', body: {} });
    expect(answer.json().data.verificationUriComplete).toMatch(
      /^https:\/\/portal\.example\/partner\/device#[A-Z]{4}-/,
    );
    await based.close();
  });

  it.each([
    ['empty', ''],
    ['longer than 64', 'x'.repeat(65)],
    ['a line feed', 'a\nb'],
    ['an escape', 'a\u001b[31m'],
    ['a letter that turns the line', 'a\u202eb'],
    ['a letter nobody sees', 'a\u200bb'],
    ['a line separator', 'a\u2028b'],
    ['half a letter', 'a\ud83d'],
    ['a number', 7],
  ])('may not have a name that is %s', async (_what, clientName) => {
    const answer = await post('', { clientName }, undefined, nextAddress());
    expect([answer.statusCode, answer.json().code]).toEqual([400, '4000']);
    expect(answer.json().message).toContain('clientName');
  });

  it('may have any other name', async () => {
    const clientName = `漢字 😀 "<b>" ${'é'.repeat(50)}`;
    const { userCode } = await start({ clientName });
    expect((await post('/lookup', { userCode }, await ownerToken())).json().data.clientName).toBe(clientName);
  });
});

function claimOf(token: string, claim: string): string {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())[claim];
}

describe('a user code', () => {
  it('may be typed small, without its dash, and with spaces', async () => {
    const token = await ownerToken();
    const { userCode } = await start();
    const bare = userCode.replace('-', '');
    for (const typed of [
      userCode,
      bare,
      bare.toLowerCase(),
      ` ${bare.slice(0, 4)} ${bare.slice(4)} `,
      [...bare].join('-'),
    ])
      expect([typed, (await post('/lookup', { userCode: typed }, token)).statusCode]).toEqual([typed, 200]);
  });

  it('of another shape is 400 4000, also in letters that only look or fold like ours', async () => {
    const token = await ownerToken();
    const wrong = [
      '',
      '-',
      'BCDF',
      'BCDF-GHJKL',
      'BCDF-GHJ1',
      'ſſſſ-ſſſſ',
      'ßß-ßß',
      'ВСDF-GHJK',
      'BCDF‐GHJK',
      'ＢＣＤＦ-ＧＨＪＫ',
      'BCDF\u00a0GHJK',
      `${' '.repeat(30)}BCDFGHJK`,
    ];
    for (const userCode of wrong)
      for (const path of ['/lookup', '/confirm', '/deny']) {
        const answer = await post(path, { userCode }, token);
        expect([userCode, answer.json().code]).toEqual([userCode, '4000']);
      }
  });

  it('is shown and decided with an access token alone', async () => {
    const { userCode, deviceCode } = await start();
    for (const path of ['/lookup', '/confirm', '/deny'])
      expect((await post(path, { userCode })).json().code).toBe('4010');
    expect(await pollCode({ deviceCode })).toBe('4090');
  });

  it('and the device code are not taken for each other', async () => {
    const { userCode, deviceCode } = await start();
    await confirm(userCode, await ownerToken());
    for (const code of [
      userCode,
      userCode.replace('-', ''),
      `${deviceCode} `,
      deviceCode.slice(1),
      deviceCode.toLowerCase(),
    ])
      expect(await pollCode({ deviceCode: code })).toBe('4040');
    expect(await pollCode({ deviceCode })).toBe('2000');
  });
});

describe('a confirmation', () => {
  const endings: [string, (signIn: string) => Promise<unknown>][] = [
    [
      'its sign-in ended',
      (id) => world.db.query(sql`update sign_ins set revoked_at = now() where id = ${id}`),
    ],
    ['its sign-in was deleted', (id) => world.db.query(sql`delete from sign_ins where id = ${id}`)],
    [
      'its account was disabled',
      () => world.db.query(sql`update accounts set status = 'DISABLED' where biz_id = 'ACC_DEMO_VIEWER'`),
    ],
  ];
  it.each(endings)('is worth nothing when %s before the tokens were fetched', async (_what, end) => {
    const token = await tokenOf(world, 'ACC_DEMO_VIEWER');
    const device = await start();
    expect((await confirm(device.userCode, token)).statusCode).toBe(200);
    await end(claimOf(token, 'sid'));
    const before = await count('sign_ins');
    expect(await pollCode(device)).toBe('4040');
    expect(await count('sign_ins')).toBe(before);
    await world.db.query(sql`update accounts set status = 'ACTIVE'`);
  });

  it('is refused to an account that was disabled, and to a sign-in that has ended', async () => {
    const device = await start();
    const token = await tokenOf(world, 'ACC_DEMO_VIEWER');
    await world.db.query(sql`update accounts set status = 'DISABLED' where biz_id = 'ACC_DEMO_VIEWER'`);
    expect((await confirm(device.userCode, token)).json().code).toBe('4010');
    await world.db.query(sql`update accounts set status = 'ACTIVE'`);
    await portalCall(world, token, { url: '/web/v1/auth/logout-everywhere' });
    expect((await confirm(device.userCode, token)).json().code).toBe('4010');
    expect(await pollCode(device)).toBe('4090');
  });

  it('is one of one account, whoever else confirms or denies at the same moment', async () => {
    const tokens = [await ownerToken(), await tokenOf(world, 'ACC_DEMO_VIEWER')];
    for (let round = 0; round < 10; round += 1) {
      const device = await start();
      const body = { userCode: device.userCode };
      const answers = await Promise.all(
        tokens.flatMap((token, index) => [
          post('/confirm', body, token, {}, index === 0 ? world : twin),
          post('/deny', body, token, {}, index === 0 ? twin : world),
        ]),
      );
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404, 404, 404]);
    }
  });

  it('yields one sign-in when two instances are polled many times at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const device = await start();
      await confirm(device.userCode, await ownerToken());
      const before = await count('sign_ins');
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_none, index) => poll(device, {}, index % 2 === 0 ? world : twin)),
      );
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([
        200, 404, 404, 404, 404, 404, 404, 404,
      ]);
      expect(await count('sign_ins')).toBe(before + 1);
    }
  });
});
