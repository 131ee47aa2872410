import type { Message } from './wording/wording.ts';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

const font =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei',sans-serif";
const small = 'font-size:14px;line-height:1.5;color:#52606d';

/** Styles stand in the tags, as many readers drop all others; the dark ones are for those that know them. */
const dark = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page { background: #14181d !important; }
    .card { background: #1e242b !important; border-color: #38424d !important; }
    .text { color: #e8edf2 !important; }
    .soft { color: #a7b3bf !important; }
    .link { color: #8ab8ff !important; }
  }`;

function buttonOf({ label, url }: { label: string; url: string }, linkHint: string): string {
  const link = escapeHtml(url);
  return `
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:24px 0"><tr>
<td bgcolor="#1d5fd1" style="border-radius:8px"><a href="${link}" style="display:inline-block;padding:12px 24px;${font};font-size:16px;font-weight:600;color:#ffffff;text-decoration:none;border-radius:8px">${escapeHtml(label)}</a></td>
</tr></table>
<p class="soft" style="margin:0 0 16px;${small}">${escapeHtml(linkHint)}<br>
<a class="link" href="${link}" style="color:#1d5fd1;word-break:break-all">${link}</a></p>`;
}

type Page = { message: Message; language: string; linkHint: string; footer: string };

/** One page without anything from elsewhere: no pictures, fonts or scripts, so that opening it tells nobody. */
export function htmlOf({ message, language, linkHint, footer }: Page): string {
  const { subject, heading, paragraphs, button, notes } = message;
  const lines = (texts: readonly string[], kind: string, style: string) =>
    texts
      .map((text) => `<p class="${kind}" style="margin:0 0 16px;${style}">${escapeHtml(text)}</p>`)
      .join('\n');
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${dark}
</style>
</head>
<body class="page" style="margin:0;padding:32px 16px;background:#f3f5f7;${font}">
<div class="card" style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #dde3e9;border-radius:12px">
<h1 class="text" style="margin:0 0 16px;font-size:22px;line-height:1.3;color:#1f2933;overflow-wrap:anywhere">${escapeHtml(heading)}</h1>
${lines(paragraphs, 'text', 'font-size:16px;line-height:1.5;color:#1f2933;overflow-wrap:anywhere')}${button === undefined ? '' : buttonOf(button, linkHint)}
${lines(notes, 'soft', small)}
</div>
<p class="soft" style="max-width:560px;margin:16px auto 0;text-align:center;font-size:13px;color:#52606d">${escapeHtml(footer)}</p>
</body>
</html>
`;
}
