import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { setLocale } from '../src/words/locale.ts';
import { shippedText } from '../src/words/shipped-types.ts';

const migration = (name: string) =>
  readFileSync(new URL(`../../server/src/db/migrations/${name}`, import.meta.url), 'utf8');

/** What the catalogue of channel types says: names and descriptions of types, and of what they are configured with. */
const types = [...migration('0004-channel-types.sql').matchAll(/^ {2}\(\d+, '\w+', '(.+?)', '(.+?)', /gm)];
const fields = [...migration('0022-events.sql').matchAll(/"(?:label|title|description)": "(.+?)"/g)];
const isOwnName = (text: string) => /^(Webhook|Slack|Microsoft Teams|WhatsApp|Telegram)$/.test(text);

afterEach(() => setLocale('en'));

describe('the catalogue of channel types', () => {
  it('is read in Chinese as it is shipped, but for names', () => {
    setLocale('zh-CN');
    const texts = [...types, ...fields].flatMap(([, ...found]) => found);
    expect(types).toHaveLength(13);
    expect(texts.filter((text) => !isOwnName(text) && shippedText(text) === text)).toEqual([]);
  });

  it('is read as it was written where an operator wrote it, and in English', () => {
    expect(shippedText('Signing secret')).toBe('Signing secret');
    setLocale('zh-CN');
    expect(['Our own channel', 'constructor', '__proto__', ''].map(shippedText)).toEqual([
      'Our own channel',
      'constructor',
      '__proto__',
      '',
    ]);
  });
});
