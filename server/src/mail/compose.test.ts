import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { composeMail } from './compose.ts';
import { type Content, locales, type MailKinds } from './kinds.ts';

const origin = 'https://portal.example';
const from = { name: 'Acme Portal', address: 'portal@acme.example' };
const at = '2026-11-16T00:40:00.000Z';
const invitation: MailKinds['invitation'] = {
  inviterName: 'Ada Owner',
  workspaceName: 'Acme Workspace',
  institutionName: 'Acme Bank',
  role: 'MEMBER',
  url: `${origin}/invitation#t0ken`,
  expiresAt: at,
};
const values: MailKinds = {
  invitation,
  'password-reset': { url: `${origin}/reset-password#t0ken`, expiresAt: at },
  'password-changed': { at, ipAddress: '2001:db8::7' },
  'second-factor-changed': { isOn: true, at, ipAddress: null },
  event: {
    eventType: 'transfer.completed',
    eventId: 'EVT_7',
    subjectId: 'TRF_01',
    workspaceId: 'WS_ACME',
    mode: 'LIVE',
    at,
    url: `${origin}/`,
  },
  'channel-disabled': {
    channelName: 'Hooks',
    workspaceName: 'Acme Workspace',
    reason: 'FAILED',
    at,
    url: `${origin}/`,
  },
};
const contents = locales.flatMap(
  (locale) =>
    Object.entries(values).map(
      ([kind, given]) => ({ to: 'ada@acme.example', locale, kind, values: given }) as Content,
    ), // one of each
);

async function arrive(content: Content) {
  const bytes = await composeMail({ id: '01MAIL', content, from, origin, nowMs: Date.parse(at) });
  const { subject = '', text = '', html = '', headers, ...mail } = await PostalMime.parse(bytes);
  return { subject, text, html, headers, ...mail, head: bytes.toString().split('\r\n\r\n')[0] };
}

const invite = (named: Partial<MailKinds['invitation']>) =>
  arrive({ to: 'ada@acme.example', locale: 'en', kind: 'invitation', values: { ...invitation, ...named } });

describe.each(contents)('a mail of kind $kind in $locale', (content) => {
  it('says the same as text and as a page, from whom and to whom it should, under the id of its row', async () => {
    const { subject, text, html, headers, ...mail } = await arrive(content);
    expect(mail.from).toMatchObject(from);
    expect(mail.to).toMatchObject([{ address: 'ada@acme.example' }]);
    expect(mail.messageId).toBe('<01MAIL@acme.example>');
    expect(new Set(headers.map(({ key }) => key))).toEqual(
      new Set([
        ...['from', 'to', 'subject', 'message-id', 'date', 'mime-version', 'content-type'],
        ...['content-language', 'auto-submitted'],
      ]),
    );
    const written = html.replace(/<(style|title)>.*?<\/\1>/gs, '').replace(/<[^>]*>/g, ' ');
    for (const line of text.split('\n').filter((said) => !/^(-- )?$/.test(said)))
      expect(written).toContain(line.replace(/:$/, ''));
    expect(subject.length).toBeGreaterThan(5);
    expect(text).toContain('UTC');
    expect(html).toContain(`lang="${content.locale}"`);
    expect(/\p{Script=Han}/u.test(subject + text)).toBe(content.locale === 'zh-CN');
  });

  it('loads nothing from elsewhere, and links to the portal alone', async () => {
    const { html } = await arrive(content);
    expect(html).not.toMatch(/<(img|script|link|iframe|object|form)|url\(|@import|\ssrc=/i);
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link);
    const url = 'url' in content.values ? content.values.url : undefined;
    expect(links).toEqual(url === undefined ? [] : [url, url]);
  });
});

describe('what people are called', () => {
  it('is escaped in a page, and stands as it is in the text', async () => {
    const name = `<img src=x onerror="alert(1)">&'`;
    const { html, text, subject } = await invite({
      inviterName: name,
      workspaceName: '</p><script>1</script>',
    });
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;');
    expect(html).not.toMatch(/<img|<script|<\/p><s/);
    expect(text).toContain(name);
    expect(subject).toContain(name);
  });

  it.each(['\r\n', '\n', '\r', '\u0085', '\u2028', '\v\f\0'])(
    'begins no line, and so no header: %j',
    async (line) => {
      const { headers, head, subject, bcc, text } = await invite({
        inviterName: `Eve${line}Bcc: victim@acme.example${line}${line}You won`,
        workspaceName: `W${line}X-Evil: 1`,
      });
      expect(bcc).toBeUndefined();
      expect(headers.map(({ key }) => key)).not.toContain('x-evil');
      expect(head).not.toMatch(/^(bcc|x-evil|you won)/im);
      expect(subject).not.toMatch(/\p{Cc}/u);
      expect(text).not.toMatch(/^(bcc|x-evil|you won)/im);
    },
  );

  it('cannot turn the text around, hide in it, or push it away', async () => {
    const { subject, text } = await invite({
      inviterName: '\u202Eevil\u2066\u200F\u061C\u200B\uFEFF\u{E0041}',
      workspaceName: 'long '.repeat(10_000),
    });
    expect(subject).toMatch(/^evil invites you/);
    expect(subject + text).not.toMatch(/\p{Cf}/u);
    expect(text.length).toBeLessThan(1500);
  });

  it('may be in any script', async () => {
    const { subject, text } = await invite({ inviterName: 'Зоя 王 😀', workspaceName: 'שלום' });
    expect(subject).toBe('Зоя 王 😀 invites you to שלום');
    expect(text).toContain('Зоя 王 😀 invites you to join the workspace שלום of Acme Bank as a member.');
  });
});

describe('a link', () => {
  it('is one piece of ASCII, and a page', async () => {
    const { html } = await invite({ url: `${origin}/invitation#a"><b>\n` });
    expect(html).toContain(`href="${origin}/invitation#a%22%3E%3Cb%3E"`);
    await expect(async () => invite({ url: 'javascript:alert(1)' })).rejects.toThrow('no page');
  });
});

describe('a time', () => {
  it('is told in the language of the reader, in UTC', async () => {
    const reset = (locale: Content['locale']) =>
      arrive({ to: 'a@b.example', locale, kind: 'password-reset', values: values['password-reset'] });
    expect((await reset('en')).text).toContain('16 November 2026 at 00:40 UTC');
    expect((await reset('zh-CN')).text).toContain('2026年11月16日 00:40 UTC');
  });
});
