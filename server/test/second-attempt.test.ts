import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addFactor, codeOf, dropFactor, type Factor, ownerId } from './support/own-account.ts';
import { type SiteverifyServer, startSiteverify } from './support/siteverify-server.ts';
import { createClock, openWorld, portalCall, tokenOf, type World } from './world.ts';

const clock = createClock();
let siteverify: SiteverifyServer;
let world: World;
let factor: Factor;
let number = 0;
beforeAll(async () => {
  siteverify = await startSiteverify();
  siteverify.solvedAt(clock.now);
  world = await openWorld({
    clock,
    env: {
      PORTICO_TURNSTILE_SECRET: 'a-real-secret',
      PORTICO_TURNSTILE_VERIFY_URL: siteverify.url,
      PORTICO_LIMIT_SIGN_IN: '100/100',
    },
  });
});
afterAll(async () => {
  await world.close();
  await siteverify.close();
});
beforeEach(async () => {
  number += 1;
  clock.advance(90);
  await dropFactor(world);
  factor = await addFactor(world, await tokenOf(world, ownerId));
});

const logIn = async (challenge: string, more: object = {}) => {
  const body = { email: 'owner@demo.test', password: 'portico-demo', ...more };
  const headers = { 'x-turnstile-token': challenge };
  return (await portalCall(world, undefined, { url: '/web/v1/auth/login', body, headers })).json();
};

describe('the challenge of a sign-in with a second factor', () => {
  test('serves the attempt with the code too, and a wrong code between', async () => {
    const challenge = `solved-${number}`;
    expect((await logIn(challenge)).code).toBe('4018');
    expect((await logIn(challenge, { code: '000000' })).code).toBe('4018');
    expect((await logIn(challenge, { code: codeOf(world, factor.secret) })).code).toBe('2000');
  });

  test('serves no other account, known or not, and tells not which it is', async () => {
    const challenge = `solved-${number}`;
    await logIn(challenge);
    const answers = await Promise.all(
      ['viewer@demo.test', 'nobody@demo.test'].map((email) => logIn(challenge, { email })),
    );
    expect(answers.map(({ code }) => code)).toEqual(['4030', '4030']);
    expect(answers[0].message).toBe(answers[1].message);
  });

  test('is spent by an attempt with a wrong password: guessing takes a challenge each time', async () => {
    const challenge = `solved-${number}`;
    expect((await logIn(challenge, { password: 'wrong' })).code).toBe('4017');
    expect((await logIn(challenge)).code).toBe('4030');
    expect((await logIn(challenge, { password: 'wrong' })).code).toBe('4030');
  });

  test('serves for five minutes', async () => {
    const challenge = `solved-${number}`;
    await logIn(challenge);
    clock.advance(301);
    expect((await logIn(challenge, { code: codeOf(world, factor.secret) })).code).toBe('4030');
  });

  test('does not serve a reset of the password', async () => {
    const challenge = `solved-${number}`;
    await logIn(challenge);
    const url = '/web/v1/auth/password-reset';
    const headers = { 'x-turnstile-token': challenge };
    const answer = await portalCall(world, undefined, { url, body: { email: 'owner@demo.test' }, headers });
    expect(answer.json().code).toBe('4030');
  });
});
