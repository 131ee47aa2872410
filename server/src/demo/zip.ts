import { crc32 } from 'node:zlib';

/** The first of January 1980, where its calendar begins. */
const date = 0x21;

function header(signature: number, name: Buffer, data: Buffer): Buffer {
  const isLocal = signature === 0x04034b50;
  const bytes = Buffer.alloc(isLocal ? 30 : 46);
  bytes.writeUInt32LE(signature);
  const at = isLocal ? 4 : 6;
  bytes.writeUInt16LE(20, at - (isLocal ? 0 : 2));
  bytes.writeUInt16LE(20, at);
  bytes.writeUInt16LE(date, at + 8);
  bytes.writeUInt32LE(crc32(data), at + 10);
  bytes.writeUInt32LE(data.length, at + 14);
  bytes.writeUInt32LE(data.length, at + 18);
  bytes.writeUInt16LE(name.length, at + 22);
  return bytes;
}

/** An archive whose entries are stored as they are, so that the same entries make the same bytes everywhere. */
export function zipOf(entries: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = [];
  const index: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(entries)) {
    const [name, data] = [Buffer.from(path), Buffer.from(text)];
    const local = header(0x04034b50, name, data);
    const central = header(0x02014b50, name, data);
    central.writeUInt32LE(offset, 42);
    parts.push(local, name, data);
    index.push(central, name);
    offset += local.length + name.length + data.length;
  }
  const end = Buffer.alloc(22);
  const count = Object.keys(entries).length;
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(Buffer.concat(index).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...index, end]);
}
