import { describe, expect, it } from 'vitest';
import { savedName, visibleText } from '../src/ui/visible-text.ts';

describe('a name that someone gave', () => {
  it.each([
    ['invoice\u202efdp.exe', 'invoice[U+202E]fdp.exe'],
    ['a\u0000b\nc\td\u007f', 'a[U+0000]b[U+000A]c[U+0009]d[U+007F]'],
    ['\u2066a\u2069\u200f\u061c', '[U+2066]a[U+2069][U+200F][U+061C]'],
    ['a\u2028b\u2029', 'a[U+2028]b[U+2029]'],
    ['pay\u200bpal\ufeff\u00ad', 'pay[U+200B]pal[U+FEFF][U+00AD]'],
    ['half \ud83d', 'half [U+D83D]'],
  ])('shows what would hide in it: %j', (name, shown) => {
    expect(visibleText(name)).toBe(shown);
  });

  it.each([
    '../../etc/passwd',
    'Übersicht – 請求書.pdf',
    '\u{1f469}\u200d\u{1f680}.png',
    'חשבונית.pdf',
    '<b>x</b>',
  ])('is otherwise as it was given: %s', (name) => {
    expect(visibleText(name)).toBe(name);
  });

  it.each([
    ['../../etc/passwd', '___.._etc_passwd'],
    ['C:\\boot.ini', 'C__boot.ini'],
    ['.bashrc', '_bashrc'],
    ['invoice\u202efdp.exe', 'invoice_fdp.exe'],
    ['a\r\nb', 'a__b'],
    ['name. . ', 'name'],
    ['...', '___'],
    ['', 'file'],
    ['\u{1f469}\u200d\u{1f680}.png', '\u{1f469}\u200d\u{1f680}.png'],
  ])('is saved under a name that leads nowhere else: %j', (name, saved) => {
    expect(savedName(name)).toBe(saved);
  });
});
