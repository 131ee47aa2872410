import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { nearestLocale, setLocale } from '../src/words/locale.ts';
import { plural, words } from '../src/words/words.ts';

afterEach(() => setLocale('en'));

describe('words', () => {
  const texts = words({
    hello: ['Hello', '你好'],
    rows: [(count: number) => plural(count, 'row', 'rows'), (count) => `${count} 行`],
  });

  it('are those of the language at the time they are read', () => {
    expect([texts.hello, texts.rows(1), texts.rows(2)]).toEqual(['Hello', '1 row', '2 rows']);
    setLocale('zh-CN');
    expect([texts.hello, texts.rows(1)]).toEqual(['你好', '1 行']);
  });

  it.each([
    [['zh-TW', 'en'], 'zh-CN'],
    [['de-AT', 'zh'], 'zh-CN'],
    [['de', 'fr'], 'en'],
    [[], 'en'],
    [['en-GB', 'zh-CN'], 'en'],
  ])('of a browser that asks for %j are in %s', (wanted, found) => {
    expect(nearestLocale(wanted)).toBe(found);
  });
});

/** Names and signs that are the same in both languages. */
const isSame = (text: string) => !/[a-z]{3}/.test(text);

const parts = readdirSync(new URL('../src/words/', import.meta.url)).filter(
  (name) => name !== 'words.ts' && name !== 'locale.ts',
);

describe.each(parts)('the catalogue of %s', (part) => {
  it('says everything in Chinese, too', async () => {
    const module: Record<string, Record<string, unknown>> = await import(
      /* @vite-ignore */ `../src/words/${part}`
    );
    setLocale('zh-CN');
    const texts = Object.values(module).flatMap((each) => Object.entries(each));
    const left = texts.filter(
      ([, text]) => typeof text === 'string' && !/\p{Script=Han}/u.test(text) && !isSame(text),
    );
    expect(left).toEqual([]);
  });
});
