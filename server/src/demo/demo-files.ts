import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { zipOf } from './zip.ts';

/** As many as demo-world.sql has. */
const filesMax = 270;

/** Between a few and a hundred, by the number of the file alone. */
const lines = (n: number) => (n * 7919) % 97;

function pdf(n: number): Buffer {
  const text = `BT /F1 24 Tf 72 720 Td (Portico demo file ${n}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  const starts: number[] = [];
  let body = `%PDF-1.4\n${'% demo\n'.repeat(lines(n))}`;
  for (const [index, object] of objects.entries()) {
    starts.push(body.length);
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const entries = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return Buffer.from(
    `${body}xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
  );
}

function pngChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** One grey pixel, and a comment. The pixel is deflated by hand, as another zlib may write it otherwise. */
function png(n: number): Buffer {
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', Buffer.from('00000001000000010800000000', 'hex')),
    pngChunk('tEXt', Buffer.from(`Comment\0Portico demo file ${n} ${'.'.repeat(lines(n))}`, 'latin1')),
    pngChunk('IDAT', Buffer.from('7801010200fdff008000820081', 'hex')),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

const xml = '<?xml version="1.0" encoding="UTF-8"?>';
const office = 'http://schemas.openxmlformats.org';

function xlsx(n: number): Buffer {
  const rows = Array.from(
    { length: lines(n) + 1 },
    (_none, row) => `<row r="${row + 1}"><c><v>${n * row}</v></c></row>`,
  );
  const sheets = `${office}/spreadsheetml/2006/main`;
  const relations = (type: string, target: string) =>
    `${xml}<Relationships xmlns="${office}/package/2006/relationships"><Relationship Id="rId1" Type="${office}/officeDocument/2006/relationships/${type}" Target="${target}"/></Relationships>`;
  const part = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  return zipOf({
    '[Content_Types].xml': `${xml}<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${part}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${part}.worksheet+xml"/></Types>`,
    '_rels/.rels': relations('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `${xml}<workbook xmlns="${sheets}" xmlns:r="${office}/officeDocument/2006/relationships"><sheets><sheet name="Demo" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `${xml}<worksheet xmlns="${sheets}"><sheetData>${rows.join('')}</sheetData></worksheet>`,
  });
}

const csv = (n: number) => {
  const rows = Array.from(
    { length: lines(n) },
    (_none, row) => `${row + 1};Überweisung ${n}-${row};${row}.50;EUR\n`,
  );
  return Buffer.from(`number;reference;amount;currency\n${rows.join('')}`);
};

const svg = (n: number) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${`<circle cx="50" cy="50" r="${n % 50}"/>`.repeat(lines(n))}</svg>\n`,
  );

const txt = (n: number) => Buffer.from(`🙂 Portico demo file ${n}\n${'确认无误\n'.repeat(lines(n))}`);

/** By the number of the file, as demo-world.sql names them. */
const kinds = { '.pdf': pdf, '.csv': csv, '.png': png, '.xlsx': xlsx, '.svg': svg, '.txt': txt };
const extensions = ['.pdf', '.csv', '.pdf', '.png', '.xlsx', '.svg', '.txt'] as const;

const folderOf = (n: number) => (n > 250 ? 'ws_other' : n % 3 === 0 ? 'ws_demo_2' : 'ws_demo');

export type DemoFile = { n: number; key: string; content: Buffer; size: number; etag: string };

/** What is in each file of the demo world: the same every time. */
export function demoFiles(): DemoFile[] {
  return Array.from({ length: filesMax }, (_none, index) => {
    const n = index + 1;
    const extension = extensions[n % extensions.length] ?? '.txt';
    const key = `${folderOf(n)}/${String(n).padStart(10, '0')}${extension}`;
    const content = kinds[extension](n);
    const etag = createHash('sha256').update(content).digest('hex');
    return { n, key, content, size: content.length, etag };
  });
}
