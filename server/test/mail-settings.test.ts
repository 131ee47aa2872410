import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../src/config.ts';

const from = 'Acme Portal <portal@acme.example>';
const load = (PORTICO_SMTP_URL: string, PORTICO_MAIL_FROM = from) =>
  loadConfig({ PORTICO_SMTP_URL, PORTICO_MAIL_FROM });

const refused = (url: string, sender?: string) => {
  try {
    load(url, sender);
    return 'accepted';
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
};

describe('the settings of mail', () => {
  it('are off by default', () => {
    expect(loadConfig({})).toMatchObject({ smtp: undefined, mailFrom: undefined });
  });

  it('insist on TLS, unless the server is on this machine', () => {
    const plain = { isSecure: false, mayBePlain: true };
    expect(load('smtp://127.0.0.1:2525').smtp).toEqual({ host: '127.0.0.1', port: 2525, ...plain });
    expect(load('smtp://[::1]').smtp).toEqual({ host: '::1', port: 587, ...plain });
    expect(load('smtp://localhost').smtp).toMatchObject(plain);
    for (const host of ['mail.example', '127.1', 'localhost.example', '10.0.0.1', '[fe80::1]'])
      expect(load(`smtp://${host}`).smtp).toMatchObject({ isSecure: false, mayBePlain: false });
    expect(load('smtps://127.0.0.1').smtp).toEqual({
      ...{ host: '127.0.0.1', port: 465 },
      ...{ isSecure: true, mayBePlain: false },
    });
  });

  it('have user and password in the URL, percent-encoded', () => {
    expect(load('smtp://a%40b:p%3A%2F%20%C3%BC@mail.example').smtp?.auth).toEqual({
      user: 'a@b',
      password: 'p:/ ü',
    });
  });

  it.each([
    'smtp://user@mail.example',
    'smtp://:s3cret@mail.example',
    'smtp://u:s3cret%zz@mail.example',
    'smtp://u:s3cret@mail.example/path',
    'smtp://u:s3cret@mail.example?tls=off',
    'smtp://u:s3cret@mail.example#x',
    'smtp:u:s3cret',
    'http://u:s3cret@mail.example',
    's3cret',
  ])('refuse %s in one line, without its password', (url) => {
    expect(refused(url)).toMatch(/^PORTICO_SMTP_URL: must [^\n]*$/);
    expect(refused(url)).not.toContain('s3cret');
  });

  it('name who mails are from, with or without a name', () => {
    const readFrom = (text: string) => load('smtp://localhost', text).mailFrom;
    expect(readFrom(from)).toEqual({ name: 'Acme Portal', address: 'portal@acme.example' });
    expect(readFrom('"Acme, Portal" <portal@acme.example>')?.name).toBe('Acme, Portal');
    expect(readFrom('门户 <portal@acme.example>')?.name).toBe('门户');
    expect(readFrom('portal@acme.example')).toEqual({ name: '', address: 'portal@acme.example' });
  });

  it.each([
    'Acme',
    'Acme <>',
    'Acme <a@b> <c@d>',
    'a@b, c@d',
    'A\r\nBcc: x <a@b>',
    'A\u202Eb <a@b>',
    '"A" B <a@b>',
  ])('refuse to be from %j', (sender) => {
    expect(refused('smtp://localhost', sender)).toMatch(/^PORTICO_MAIL_FROM: must be an address/);
  });

  it('want a sender beside a server', () => {
    expect(refused('smtp://localhost', '')).toBe('PORTICO_MAIL_FROM: must be set when PORTICO_SMTP_URL is');
  });
});
