import { readdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { setLocale } from '../../portal/src/words/locale.ts';
import { sql } from '../../server/src/db/sql.ts';
import { portalPaths } from '../../server/src/resources/portal/routes.ts';
import { createKey } from '../../server/test/world.ts';
import { fillSignIn, heading, openPortal, type Portal, settled } from './harness.ts';

let portal: Portal;
let english: string[];

const speak = (email: string, to: string) =>
  portal.world().db.query(sql`update accounts set locale = ${to} where email = ${email}`);

type Catalogue = Record<string, Record<string, unknown>>;
const folder = new URL('../../portal/src/words/', import.meta.url);

/** Every text of the catalogue in a language, by where it stands. */
async function textsOf(locale: 'en' | 'zh-CN'): Promise<Map<string, unknown>> {
  const files = readdirSync(folder).filter((name) => name !== 'words.ts' && name !== 'locale.ts');
  const parts: Catalogue[] = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ new URL(file, folder).href)),
  );
  setLocale(locale);
  const found = parts.flatMap((part, at) =>
    Object.entries(part).flatMap(([name, texts]) =>
      Object.entries(texts).map(([key, text]) => [`${files[at]} ${name} ${key}`, text] as const),
    ),
  );
  setLocale('en');
  return new Map(found);
}

/** What is said otherwise in Chinese; but for names that records have. */
async function englishOnly(): Promise<string[]> {
  const [en, zh] = [await textsOf('en'), await textsOf('zh-CN')];
  const chinese = new Set(zh.values());
  const rows = await portal.world().db.query<{ name: string }>(sql`
    select type_name as name from channel_types union select name from accounts`);
  const names = new Set(rows.map(({ name }) => name));
  return [...en.values()].filter(
    (text): text is string => typeof text === 'string' && !chinese.has(text) && !names.has(text),
  );
}

beforeAll(async () => {
  portal = await openPortal();
  await createKey(portal.world(), { name: '测试', mode: 1 });
  english = await englishOnly();
});
afterEach(async () => expect(await portal.endVisits()).toEqual([]));
afterAll(() => portal.close());

/** Texts that people see or hear, and that are in English: of the catalogue, or a whole sentence of no catalogue. */
function leftIn(page: Page): Promise<string[]> {
  return page.evaluate((known) => {
    const texts = new Set(known);
    // What is meant to be read as it is: code, and what is marked as English.
    const isMeant = (element: Element) => element.closest('code, pre, [lang="en"]') !== null;
    const isSentence = (text: string) =>
      /[a-z] [a-z]+ [a-z]+ [a-z]+/.test(text) && !/\p{Script=Han}/u.test(text);
    const seen: string[] = [];
    const look = (element: Element | null, text: string | null) => {
      const said = text?.trim() ?? '';
      if (element === null || isMeant(element) || !element.checkVisibility()) return;
      if (texts.has(said) || isSentence(said)) seen.push(said);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) look(walker.currentNode.parentElement, walker.currentNode.nodeValue);
    for (const element of document.querySelectorAll('[aria-label], [placeholder], [alt]'))
      for (const name of ['aria-label', 'placeholder', 'alt']) look(element, element.getAttribute(name));
    return [...new Set(seen)];
  }, english);
}

const insidePaths = portalPaths.filter(
  (path) => !['/', '/sign-in', '/invitation', '/reset-password'].includes(path),
);

describe('in Chinese', () => {
  beforeAll(() => speak('owner@demo.test', 'zh-CN'));

  it('the account is spoken to, whatever the browser asks for; numbers and times are told so, too', async () => {
    const { page } = await portal.visit();
    await page.goto('/files');
    expect(await page.evaluate(() => [navigator.language, document.documentElement.lang])).toEqual([
      'en-US',
      'en',
    ]);
    await fillSignIn(page);
    await heading(page, '文件').waitFor();
    await settled(page);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-CN');
    const times = await page.locator('time').allInnerTexts();
    expect(times.length).toBeGreaterThan(0);
    expect(times.filter((text) => !/[年月日前后刚]/.test(text))).toEqual([]);
    // Signed out, one is still spoken to as before.
    await page.getByRole('button', { name: '退出登录', exact: true }).click();
    await heading(page, '登录').waitFor();
    expect(await leftIn(page)).toEqual([]);
  });

  it.each(insidePaths)('%s has no text in English, nor has what its first row opens', async (path) => {
    const { page } = await enterInChinese(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled(page);
    expect(await leftIn(page)).toEqual([]);
    const first = page.getByRole('row').nth(1).getByRole('button').first();
    if ((await first.count()) === 0) return;
    await first.click();
    await page.getByRole('dialog').or(page.getByRole('menu')).first().waitFor();
    await settled(page);
    expect(await leftIn(page)).toEqual([]);
  });

  it('who is not signed in is spoken to as they choose, until an account says otherwise', async () => {
    const { page, expectNoise } = await portal.visit();
    expectNoise(/status of 401/);
    await page.goto('/sign-in');
    await page.getByRole('button', { name: '中文' }).click();
    await heading(page, '登录').waitFor();
    await page.getByText('验证通过').waitFor();
    expect(await leftIn(page)).toEqual([]);
    for (const path of ['/invitation', '/reset-password']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1, name: /\p{Script=Han}/u }).waitFor();
      expect(await leftIn(page)).toEqual([]);
    }
    await page.goto('/files');
    await page.getByRole('textbox', { name: '邮箱' }).fill('viewer@demo.test');
    await page.getByRole('textbox', { name: '密码' }).fill('wrong');
    await page.getByRole('button', { name: '登录', exact: true }).click();
    await page.getByRole('alert').getByText('邮箱或密码错误。').waitFor();
    await page.getByRole('textbox', { name: '密码' }).fill('portico-demo');
    await page.getByRole('button', { name: '登录', exact: true }).click();
    await heading(page, 'Files').waitFor();
  });
});

/** The owner, signed in once for all pages. */
async function enterInChinese(path: string) {
  const entered = await portal.enter({ path: '/account', name: '我的账户', email: 'owner@demo.test' });
  await entered.page.goto(path);
  return entered;
}
