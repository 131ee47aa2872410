import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { readUploadForm } from './multipart.ts';

const boundary = 'XbX';
const type = `multipart/form-data; boundary=${boundary}`;
const limits = { idleMs: 5000, fieldsMax: 4, fieldBytesMax: 16 };

const field = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (content: string, head = 'name="file"; filename="a.txt"') =>
  `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\nContent-Type: text/html\r\n\r\n${content}\r\n`;
const end = `--${boundary}--\r\n`;

/** In pieces of a few bytes, as the network may cut it anywhere. */
function sent(body: string | Buffer, cut = 7): Readable {
  const bytes = Buffer.from(body as string, 'utf8');
  const pieces = Array.from({ length: Math.ceil(bytes.length / cut) }, (_, n) =>
    bytes.subarray(n * cut, (n + 1) * cut),
  );
  return Readable.from(pieces, { objectMode: false });
}

async function read(body: string | Buffer, { contentType = type, cut = 7 } = {}) {
  const form = await readUploadForm(sent(body, cut), contentType, limits);
  const content = await buffer(form.file);
  await form.finished();
  return { fields: Object.fromEntries(form.fields), filename: form.filename, content: content.toString() };
}

const refused = (body: string | Buffer, message: RegExp, options = {}) =>
  expect(read(body, options)).rejects.toMatchObject({
    code: '4000',
    message: expect.stringMatching(message),
  });

describe('a form that uploads a file', () => {
  it('that goes on for ever with blanks, before or after its file, is refused', async () => {
    const blanks = ' '.repeat(100_000);
    for (const body of [`${blanks}\r\n${file('x')}${end}`, `${file('x')}${end}${blanks}`])
      await refused(body, /outside of its parts/, { cut: 1000 });
    expect((await read(`  \r\n${file('x')}${end} \r\n `)).content).toBe('x');
  });

  it('is read field by field and then as a stream, wherever it was cut', async () => {
    const body = field('a', '1') + field('b', 'zwölf') + file('line\r\n--\r\n-- \r\n') + end;
    for (const cut of [1, 2, 3, 5, 7, 11, 64, 1000]) {
      expect(await read(body, { cut })).toEqual({
        fields: { a: '1', b: 'zwölf' },
        filename: 'a.txt',
        content: 'line\r\n--\r\n-- \r\n',
      });
    }
  });

  it('may be quoted, padded, empty, and end without a line break', async () => {
    const contentType = 'Multipart/Form-Data; charset=utf-8; Boundary="XbX"';
    const padded = file('').replace('--XbX\r\n', '\r\n--XbX \t\r\n');
    expect(await read(`${padded}--XbX--`, { contentType })).toMatchObject({ content: '' });
  });

  it('has a boundary only where a line is nothing else', async () => {
    const lines = ['--XbXY', '--XbX-', '--XbX--Y', '--XbX Y', ' --XbX', '--Xb', '\n--XbX'];
    for (const line of lines) {
      const content = `before\r\n${line}\r\nafter`;
      for (const cut of [1, 4, 1000])
        expect(await read(file(content) + end, { cut })).toMatchObject({ content });
    }
    expect(await read(`${file('x--XbX\n--XbX--')}${end}`)).toMatchObject({ content: 'x--XbX\n--XbX--' });
  });

  it('names its file in UTF-8, with quotes as browsers and curl write them', async () => {
    const names: [string, string][] = [
      ['r\u00e9sum\u00e9 \u{1f4c4}.pdf', 'r\u00e9sum\u00e9 \u{1f4c4}.pdf'],
      ['a%22b.txt', 'a"b.txt'],
      ['a\\"b.txt', 'a"b.txt'],
      ['../../etc/passwd', '../../etc/passwd'],
      ['a%0d%0ab', 'a\r\nb'],
      ['a; filename=b', 'a; filename=b'],
    ];
    for (const [written, name] of names)
      expect(await read(file('x', `name="file"; filename="${written}"`) + end)).toMatchObject({
        filename: name,
      });
  });
});

describe('a form that is no upload of one file', () => {
  it('is refused when its parts are too many, out of order, doubled or missing', async () => {
    await refused(
      Array.from({ length: 1000 }, (_, n) => field(`f${n}`, 'x')).join('') + file('x') + end,
      /more than 4 fields/,
    );
    await refused(file('x') + field('a', '1') + end, /field a stands after the file/);
    await refused(file('x') + file('y') + end, /more than one file/);
    await refused(field('a', '1') + end, /has no file/);
    await refused(field('a', '1') + field('a', '2') + file('x') + end, /field a twice/);
    await refused(field('a', 'x'.repeat(17)) + file('x') + end, /at most 16 bytes/);
    await refused(file('x', 'name="other"; filename="a"') + end, /must be called file/);
    await refused(file('x', 'name="file"') + end, /has no name/);
    await refused(file('x', 'name="file"; filename=""') + end, /has no name/);
    await refused(end, /has no file/);
  });

  it('is refused when it breaks off anywhere', async () => {
    const whole = field('a', '1') + file('content') + end;
    for (let length = 0; length < whole.length - 2; length += 1)
      await refused(whole.slice(0, length), /broke off|no head|outside of its parts/);
  });

  it('is refused when its names or fields are not UTF-8', async () => {
    const wrong = (text: string) => Buffer.from(text, 'latin1');
    await refused(wrong(file('x', 'name="file"; filename="\xe9.txt"') + end), /must be UTF-8/);
    await refused(wrong(field('a', '\xe9') + file('x') + end), /must be UTF-8/);
  });

  it('is refused without a boundary, or with one that none may have', async () => {
    const body = file('x') + end;
    await refused(body, /names no boundary/, { contentType: 'multipart/form-data' });
    await refused(body, /multipart\/form-data/, { contentType: 'application/json' });
    for (const strange of ['""', '"a\tb"', `"${'x'.repeat(71)}"`, '"ends "', '"\u00e9"'])
      await refused(body, /1 to 70/, { contentType: `multipart/form-data; boundary=${strange}` });
    await refused(body, /multipart\/form-data/, { contentType: `${type}; boundary=other` });
  });

  it('is refused when its heads are endless, encoded or none', async () => {
    const head = (text: string) => `--XbX\r\n${text}\r\n\r\nx\r\n${end}`;
    await refused(head(`X: ${'x'.repeat(9000)}`), /head of more than/);
    await refused(head('Content-Disposition: attachment; name="file"'), /Content-Disposition/);
    await refused(head('Content-Type: text/plain'), /Content-Disposition/);
    await refused(head('\r\nContent-Disposition: form-data; name="file"'), /no valid head/);
    await refused(head('Content-Disposition: form-data; name="a"; name="b"'), /Content-Disposition/);
    await refused(
      head('Content-Disposition: form-data; name="a"\r\ncontent-disposition: form-data'),
      /twice/,
    );
    await refused(head('Content-Disposition: form-data; name="file"; filename*=UTF-8\'\'x'), /filename\*/);
    await refused(
      head('Content-Transfer-Encoding: base64\r\nContent-Disposition: form-data; name="a"'),
      /encoded/,
    );
    await refused(head(`Content-Disposition: form-data; name="${'n'.repeat(65)}"`), /name of a part/);
  });

  it('is refused when it has bytes outside of its parts', async () => {
    await refused(`preamble\r\n${file('x')}${end}`, /outside of its parts/);
    await refused(`${file('x')}${end}epilogue`, /outside of its parts/);
  });
});
