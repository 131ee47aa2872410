import { describe, expect, it } from 'vitest';
import { deviceText } from '../src/pages/account/device-text.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('the name of a device', () => {
  it.each([
    ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    [
      'Chrome on Windows',
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36`,
    ],
    [
      'Edge on Windows',
      `Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
    ],
    ['Chrome on Android', `Mozilla/5.0 (Linux; Android 15) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`],
    [
      'Safari on macOS',
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18.0 Safari/605.1.15`,
    ],
    [
      'Safari on iPhone',
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webkit} Version/18.0 Safari/604.1`,
    ],
  ])('is %s', (name, userAgent) => {
    expect(deviceText(userAgent)).toBe(name);
  });

  it('is what a program calls itself, where that is no browser', () => {
    expect(deviceText('portico-cli/0.1.0 node/20.19.0')).toBe('portico-cli/0.1.0 node/20.19.0');
    expect(deviceText('Your own laptop')).toBe('Your own laptop');
  });

  it('is unknown where nothing was said', () => {
    expect([deviceText(null), deviceText('')]).toEqual(['Unknown device', 'Unknown device']);
  });
});
