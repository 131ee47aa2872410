import { describe, expect, it } from 'vitest';
import { contentDisposition } from './disposition.ts';
import { parseRange } from './range.ts';
import { sniff } from './sniff.ts';

describe('Content-Disposition', () => {
  it('shows a name as it is where that is safe', () => {
    expect(contentDisposition('report 2026.pdf')).toBe('attachment; filename="report 2026.pdf"');
    expect(contentDisposition('rés.pdf')).toBe(
      'attachment; filename="r_s.pdf"; filename*=UTF-8\'\'r%C3%A9s.pdf',
    );
    expect(contentDisposition('📄(1).txt')).toBe(
      'attachment; filename="_(1).txt"; filename*=UTF-8\'\'%F0%9F%93%84%281%29.txt',
    );
  });

  it('lets no name leave its folder, hide, end the header or read backwards', () => {
    const names: [string, string][] = [
      ['../../etc/passwd', '___.._etc_passwd'],
      ['..\\x', '___x'],
      ['.bashrc', '_bashrc'],
      ['a"; filename="b.exe', 'a_; filename=_b.exe'],
      ['a\r\nSet-Cookie: x', 'a__Set-Cookie_ x'],
      ['evil\u202efdp.exe', 'evil_fdp.exe'],
      ['a\u200b\u0000b', 'a__b'],
      ['%41.txt', '_41.txt'],
      ['trailing. . ', 'trailing'],
      ['\ud800', '_'],
      ['   ', 'file'],
    ];
    for (const [given, shown] of names)
      expect(contentDisposition(given), JSON.stringify(given)).toBe(`attachment; filename="${shown}"`);
    const long = contentDisposition('ü'.repeat(127));
    expect(long).toMatch(/^[\x20-\x7e]+$/);
  });
});

describe('Range', () => {
  it('is one range of bytes, its end inclusive and cut at the end of the file', () => {
    expect(parseRange('bytes=0-0', 10)).toEqual({ start: 0, end: 0 });
    expect(parseRange('bytes=3-', 10)).toEqual({ start: 3, end: 9 });
    expect(parseRange('Bytes= 3-999 ', 10)).toEqual({ start: 3, end: 9 });
    expect(parseRange('bytes=-4', 10)).toEqual({ start: 6, end: 9 });
    expect(parseRange('bytes=-400', 10)).toEqual({ start: 0, end: 9 });
  });

  it('is ignored where it is several, none, or not understood', () => {
    for (const header of [
      undefined,
      '',
      'bytes=',
      'bytes=-',
      'bytes=0-1,3-4',
      'bytes=5-3',
      'items=0-1',
      'bytes=a-b',
      'bytes=1e3-',
    ])
      expect(parseRange(header, 10), header).toBe('whole');
  });

  it('cannot be served beyond the end', () => {
    for (const header of ['bytes=10-', 'bytes=10-11', 'bytes=-0', 'bytes=999999999999999-'])
      expect(parseRange(header, 10), header).toBe('unsatisfiable');
    expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable');
    expect(parseRange('bytes=-1', 0)).toBe('unsatisfiable');
  });
});

describe('the type of a file', () => {
  it('is what its bytes show', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex');
    expect(await sniff(png)).toBe('image/png');
    expect(await sniff(Buffer.from('%PDF-1.7\n%\xe2\xe3\n', 'latin1'))).toBe('application/pdf');
    expect(await sniff(Buffer.from('Grüße\tan alle\r\n'))).toBe('text/plain');
    expect(await sniff(Buffer.from('ü').subarray(0, 1))).toBe('text/plain');
    expect(await sniff(Buffer.from([0, 1, 2, 3]))).toBe('application/octet-stream');
    expect(await sniff(Buffer.alloc(0))).toBe('application/octet-stream');
  });

  it('is text for all that a browser would run', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const text of ['<!doctype html><script>alert(1)</script>', svg, `<?xml version="1.0"?>${svg}`])
      expect(await sniff(Buffer.from(text))).toBe('text/plain');
    expect(await sniff(Buffer.from(`\ufeff<?xml version="1.0" encoding="utf-8"?>${svg}`))).toBe('text/plain');
  });

  it('is found for what no parser gets through', async () => {
    const heads = [
      'PK\x03\x04',
      '\x1f\x8b\x08',
      'RIFF',
      'OggS',
      '\x30\x26\xb2\x75\x8e\x66\xcf\x11',
      'ftyp',
      'II*\0',
      '\xff\xd8\xff',
    ];
    for (const head of heads)
      expect(await sniff(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(60_000, 0xff)]))).toMatch(
        /\//,
      );
  });
});
