import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../test/database.ts';
import {
  addFactor,
  codeOf,
  dropFactor,
  type Factor,
  factorUrl,
  ownerId,
} from '../../../test/support/own-account.ts';
import { createStillClock, openWorld, portalCall, tokenOf, type World } from '../../../test/world.ts';
import { sql } from '../../db/sql.ts';

const clock = createStillClock();
const masterKey = Buffer.alloc(32, 7);
let database: TestDatabase;
/** Two instances on one database. */
let world: World;
let second: World;
let token: string;
beforeAll(async () => {
  database = await createDatabase();
  world = await openWorld({ clock, database, masterKey });
  second = await openWorld({ clock, database, masterKey });
  token = await tokenOf(world, ownerId);
});
afterAll(async () => {
  await world.close();
  await second.close();
  await database.drop();
});
beforeEach(async () => {
  await dropFactor(world);
  clock.advance(90);
  token = await tokenOf(world, ownerId);
});

const logIn = (code?: string, password = 'portico-demo', on = world) =>
  portalCall(on, undefined, {
    url: '/web/v1/auth/login',
    body: { email: 'owner@demo.test', password, ...(code !== undefined && { code }) },
  });
const codeAfter = async (answer: Promise<{ json(): { code: string } }>) => (await answer).json().code;
const start = () => portalCall(world, token, { url: factorUrl });
const confirm = (code: string, on = world) =>
  portalCall(on, token, { url: `${factorUrl}/confirm`, body: { code } });
const remove = (code: string, on = world) =>
  portalCall(on, token, { method: 'DELETE', url: factorUrl, body: { code } });
const records = async (action: string) =>
  world.db.query<{ subject_id: string }>(sql`select subject_id from audit_waiting where action = ${action}`);

describe('adding a second factor', () => {
  it('changes nothing about signing in until a code confirms it', async () => {
    const { secret, otpauthUri } = (await start()).json().data;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(otpauthUri).toBe(
      `otpauth://totp/Portico:owner%40demo.test?issuer=Portico&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
    expect(await codeAfter(logIn())).toBe('2000');
    expect(await codeAfter(confirm('000000'))).toBe('4018');
    expect(await codeAfter(confirm(codeOf(world, secret, 2)))).toBe('4018');
    const shown = codeOf(world, secret);
    const { recoveryCodes } = (await confirm(`${shown.slice(0, 3)} ${shown.slice(3)}`)).json().data;
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes)
      expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/);
    expect(await codeAfter(logIn())).toBe('4018');
  });

  it('keeps neither the secret nor the recovery codes as they are', async () => {
    const { secret, recoveryCodes } = await addFactor(world, token);
    const rows = await world.db.query<{ text: string }>(sql`
      select encode(sealed, 'escape') as text from second_factors
      union all select encode(code_hash, 'escape') from recovery_codes
      union all select changes from audit_waiting union all select answer::text from idempotency_keys`);
    const all = rows.map(({ text }) => text).join('\n');
    for (const hidden of [secret, ...recoveryCodes]) expect(all).not.toContain(hidden);
  });

  it('begun anew puts a new secret in the place of the one before', async () => {
    const begin = async (): Promise<string> => (await start()).json().data.secret;
    let [first, next] = [await begin(), await begin()];
    // One pair in 300,000 has a code in common.
    while ([-1, 0, 1].some((steps) => codeOf(world, next, steps) === codeOf(world, first)))
      [first, next] = [next, await begin()];
    expect(await codeAfter(confirm(codeOf(world, first)))).toBe('4018');
    expect(await codeAfter(confirm(codeOf(world, next)))).toBe('2000');
  });

  it('is refused while there is one, and confirming while none waits, with 4091', async () => {
    expect(await codeAfter(confirm('123456'))).toBe('4091');
    const { secret } = await addFactor(world, token);
    expect(await codeAfter(start())).toBe('4091');
    expect(await codeAfter(confirm(codeOf(world, secret)))).toBe('4091');
  });

  it('is confirmed once of two at a time', async () => {
    const { secret } = (await start()).json().data;
    const code = codeOf(world, secret);
    const codes = await Promise.all([codeAfter(confirm(code)), codeAfter(confirm(code, second))]);
    expect(codes.sort()).toEqual(['2000', '4091']);
    expect(await world.db.query(sql`select 1 from recovery_codes`)).toHaveLength(10);
  });
});

describe('a sign-in with a second factor', () => {
  let factor: Factor;
  beforeEach(async () => {
    factor = await addFactor(world, token);
  });

  it('wants a code once the password is right, and tells nothing of it before', async () => {
    const wrong = await logIn(undefined, 'wrong');
    expect([wrong.statusCode, wrong.json().code]).toEqual([401, '4017']);
    expect(await codeAfter(logIn(codeOf(world, factor.secret), 'wrong'))).toBe('4017');
    const missing = await logIn();
    expect([missing.statusCode, missing.json().code]).toEqual([401, '4018']);
    expect(await codeAfter(logIn(codeOf(world, factor.secret)))).toBe('2000');
  });

  it('takes the code of the step before, this one and the next, and no other', async () => {
    expect(await codeAfter(logIn(codeOf(world, factor.secret, -2)))).toBe('4018');
    expect(await codeAfter(logIn(codeOf(world, factor.secret, 2)))).toBe('4018');
    expect(await codeAfter(logIn(codeOf(world, factor.secret, 0)))).toBe('2000');
    expect(await codeAfter(logIn(codeOf(world, factor.secret, 1)))).toBe('2000');
  });

  it('takes a code once, the one that confirmed included, and none of an earlier step after a later one', async () => {
    expect(await codeAfter(logIn(codeOf(world, factor.secret, -1)))).toBe('4018');
    expect(await codeAfter(logIn(codeOf(world, factor.secret, 1)))).toBe('2000');
    expect(await codeAfter(logIn(codeOf(world, factor.secret, 1)))).toBe('4018');
    expect(await codeAfter(logIn(codeOf(world, factor.secret, 0)))).toBe('4018');
  });

  it('takes a code once of four attempts at a time, on two instances', async () => {
    const code = codeOf(world, factor.secret);
    const answers = [world, second, world, second].map((on) => codeAfter(logIn(code, 'portico-demo', on)));
    expect((await Promise.all(answers)).sort()).toEqual(['2000', '4018', '4018', '4018']);
  });

  it('takes each recovery code once, however it is typed', async () => {
    const [first = '', next = ''] = factor.recoveryCodes;
    expect(await codeAfter(logIn(first.toLowerCase().replaceAll('-', ' ')))).toBe('2000');
    expect(await codeAfter(logIn(first))).toBe('4018');
    const typed = next.replaceAll('0', 'o').replaceAll('1', 'l');
    const answers = [world, second].map((on) => codeAfter(logIn(typed, 'portico-demo', on)));
    expect((await Promise.all(answers)).sort()).toEqual(['2000', '4018']);
  });

  it.each(['12345', '1234567', '１２３４５６', 'x', '٠١٢٣٤٥', "' or 1=1"])(
    'refuses %j with 4018',
    async (code) => {
      expect(await codeAfter(logIn(code))).toBe('4018');
    },
  );

  it('refuses a code that is blank or long with 4000, whatever the account', async () => {
    for (const code of ['', ' ', 'x'.repeat(65)]) expect(await codeAfter(logIn(code))).toBe('4000');
  });

  it('writes down codes that were refused', async () => {
    expect((await records('account.second-factor-refused')).at(-1)).toEqual({ subject_id: ownerId });
  });

  it('judges few wrong codes, ever fewer, over all instances at once', async () => {
    const guess = async (on: World) => codeAfter(logIn('000000', 'portico-demo', on));
    const guesses = [world, second, world, second, world, second, world, second].map(guess);
    const codes = await Promise.all(guesses);
    expect(codes.filter((code) => code === '4018')).toHaveLength(5);
    const refused = await logIn(codeOf(world, factor.secret));
    expect([refused.json().code, refused.headers['retry-after']]).toEqual(['4290', '2']);
    const judged: number[] = [];
    for (let seconds = 0; seconds <= 3600; ) {
      const [row] = await world.db.query<{ wait: number }>(sql`
        select ceil(extract(epoch from next_attempt_at) - ${clock.now() / 1000}::float8)::float8 as wait from second_factors`);
      clock.advance(row?.wait ?? 0);
      seconds += row?.wait ?? 0;
      expect(await guess(second)).toBe('4018');
      judged.push(seconds);
    }
    expect(judged.filter((at) => at <= 60)).toHaveLength(4);
    expect(judged.length).toBeLessThan(13);
  });

  it('lets the owner in while someone guesses: by a recovery code at once, by a code when it is time', async () => {
    for (let attempt = 0; attempt < 9; attempt += 1) {
      await logIn('000000');
      clock.advance(3);
    }
    expect(await codeAfter(logIn('000000'))).toBe('4290');
    expect(await codeAfter(logIn(factor.recoveryCodes[0]))).toBe('2000');
    clock.advance(900);
    expect(await codeAfter(logIn(codeOf(world, factor.secret)))).toBe('2000');
    expect(await codeAfter(logIn('000000'))).toBe('4018');
  });

  it('is wanted also by a sign-in that was under way when it was confirmed', async () => {
    await dropFactor(world);
    const { secret } = (await start()).json().data;
    const signIns = sql`select 1 from sign_ins`;
    const before = await world.db.query(signIns);
    const underway = await second.db.transaction(async (tx) => {
      await tx.query(sql`select 1 from accounts where biz_id = ${ownerId} for no key update`);
      const late = codeAfter(logIn());
      await expect
        .poll(() =>
          second.db.query(sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
        )
        .toHaveLength(1);
      await tx.query(sql`update second_factors set confirmed_at = now()`);
      return { late };
    });
    expect(await underway.late).toBe('4018');
    expect(await world.db.query(signIns)).toHaveLength(before.length);
    expect(await codeAfter(logIn(codeOf(world, secret)))).toBe('2000');
  });

  it('does not count an attempt without a code', async () => {
    for (let attempt = 0; attempt < 8; attempt += 1) expect(await codeAfter(logIn())).toBe('4018');
    expect(await codeAfter(logIn(codeOf(world, factor.secret)))).toBe('2000');
  });
});

describe('removing a second factor', () => {
  it('takes a code or a recovery code, and ends the recovery codes too', async () => {
    for (const by of ['secret', 'recovery'] as const) {
      const { secret, recoveryCodes } = await addFactor(world, token);
      expect(await codeAfter(remove('000000'))).toBe('4018');
      const code = by === 'secret' ? codeOf(world, secret) : (recoveryCodes[3] ?? '');
      expect((await remove(code)).json()).toMatchObject({ code: '2000', data: null });
      expect(await codeAfter(logIn())).toBe('2000');
      expect(await world.db.query(sql`select 1 from recovery_codes`)).toEqual([]);
    }
  });

  it('is 4040 where there is none, or one that was never confirmed', async () => {
    expect(await codeAfter(remove('123456'))).toBe('4040');
    const { secret } = (await start()).json().data;
    expect(await codeAfter(remove(codeOf(world, secret)))).toBe('4040');
  });

  it('shares the limit of wrong codes with the sign-in', async () => {
    await addFactor(world, token);
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await codeAfter(remove('000000'))).toBe('4018');
    expect(await codeAfter(remove('000000'))).toBe('4290');
    expect(await codeAfter(logIn('000000'))).toBe('4290');
  });

  it('is shown by the account', async () => {
    const has = async () =>
      (await portalCall(world, token, { method: 'GET', url: '/web/v1/account' })).json().data.hasSecondFactor;
    expect(await has()).toBe(false);
    await addFactor(world, token);
    expect(await has()).toBe(true);
  });
});

it('its secret goes on working under a new master key', async () => {
  const { secret } = await addFactor(world, token);
  const next = Buffer.alloc(32, 8);
  const rotated = await openWorld({
    clock,
    database,
    masterKey: next,
    env: { PORTICO_MASTER_KEY_PREVIOUS: masterKey.toString('base64') },
  });
  expect(await codeAfter(logIn(codeOf(world, secret), 'portico-demo', rotated))).toBe('2000');
  await rotated.close();
});
