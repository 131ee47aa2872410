/** Controls, and what turns the direction of a text or hides in it: a name never shows as another than it is. */
const deceiving = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** What separates folders, or means something to a shell or a file system. */
const separating = /[/\\:*?"<>|%]/g;

/** The name as a file of its own in the folder of downloads: no way to another folder, no hidden file. */
function safeName(filename: string): string {
  const plain = filename.replace(deceiving, '_').replace(separating, '_').trim();
  const shown = plain.replace(/^\.+/, (dots) => '_'.repeat(dots.length)).replace(/[. ]+$/, '');
  return shown === '' ? 'file' : shown;
}

/** RFC 8187: everything but letters, digits and a few marks is percent-encoded. */
function extended(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*!~]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** RFC 6266: always a download. Those who do not know `filename*` see `_` for what is not ASCII. */
export function contentDisposition(filename: string): string {
  const name = safeName(filename);
  const ascii = name.replace(/[^\x20-\x7e]/gu, '_');
  return ascii === name
    ? `attachment; filename="${ascii}"`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${extended(name)}`;
}
