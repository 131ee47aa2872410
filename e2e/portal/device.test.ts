import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { fillSignIn, heading, openPortal, type Portal } from './harness.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await openPortal();
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

const post = async (path: string, payload: object) =>
  (await portal.world().app.inject({ method: 'POST', url: `/web/v1/auth/${path}`, payload })).json();

it('a program is signed in by who follows its link, signs in, and looks at who asks', async () => {
  const { data } = await post('device', { clientName: 'portico on build-7' });
  const { page } = await portal.visit();
  await page.goto(`/device#${data.userCode}`);
  await heading(page, 'Sign in').waitFor();
  await fillSignIn(page);
  await heading(page, 'Sign in a device').waitFor();
  expect(await page.getByRole('textbox', { name: 'Code' }).inputValue()).toBe(data.userCode);
  await page.getByRole('button', { name: 'Look it up' }).click();
  await page.getByText('portico on build-7').waitFor();
  await page.getByText('owner@demo.test', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Sign it in' }).click();
  await page.getByText('The device is signed in').waitFor();
  const tokens = await post('device/token', { deviceCode: data.deviceCode });
  expect(tokens.data.accessToken).toEqual(expect.any(String));
});

it('a program that nobody here started is refused, and a code that nobody was given is told of', async () => {
  const { data } = await post('device', {});
  const { page, expectNoise } = await portal.enter({ path: '/device', name: 'Sign in a device' });
  expectNoise(/status of 404/);
  const code = page.getByRole('textbox', { name: 'Code' });
  await code.fill('BBBB-BBBB');
  await page.getByRole('button', { name: 'Look it up' }).click();
  await page.getByText('There is no such code').waitFor();
  await code.fill(data.userCode.toLowerCase());
  await page.getByRole('button', { name: 'Look it up' }).click();
  await page.getByRole('button', { name: 'That was not me' }).click();
  await page.getByText('The device was refused').waitFor();
  expect((await post('device/token', { deviceCode: data.deviceCode })).code).toBe('4030');
});
