import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from '../../src/db/sql.ts';
import { type Key, signatureHeaders, type World } from '../world.ts';

export const boundary = 'a-boundary';

type Part = { name: string; filename?: string; data: string | Buffer };

/** A form as browsers write it. */
export function formOf(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, filename, data }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`,
    data,
    '\r\n',
  ]);
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece as string))); // takes Buffers too
}

export const formHeaders = { 'content-type': `multipart/form-data; boundary=${boundary}` };

export const demoFields = { institutionBizId: 'INST_DEMO', workspaceBizId: 'WS_DEMO', fileCategory: '8' };

export const fieldParts = (fields: object): Part[] =>
  Object.entries(fields).map(([name, data]) => ({ name, data }));

/** The form of one upload. */
export const uploadForm = (data: string | Buffer, filename = 'a.txt', fields: object = demoFields) =>
  formOf([...fieldParts(fields), { name: 'file', filename, data }]);

/** An upload on the portal. */
export const upload = (
  world: World,
  token: string,
  data: string | Buffer,
  { filename, fields, headers }: { filename?: string; fields?: object; headers?: object } = {},
) =>
  world.app.inject({
    method: 'POST',
    url: '/web/v1/files',
    headers: { authorization: `Bearer ${token}`, ...formHeaders, ...headers },
    payload: uploadForm(data, filename, fields),
  });

export const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

type SignedUpload = { query?: string; headers?: Record<string, string>; states?: string };

/** An upload by a key, with the hash stated or not. */
export function signedUpload(
  world: World,
  key: Key,
  data: Buffer,
  { query = 'filename=a.bin&fileCategory=8', headers, states }: SignedUpload = {},
) {
  const call = { method: 'POST' as const, url: `/api/v1/files?${query}`, bytes: data, statedHash: states };
  return world.app.inject({
    method: 'POST',
    url: call.url,
    headers: {
      ...signatureHeaders(world, key, call),
      ...(states === undefined ? {} : { 'x-content-sha256': states }),
      ...headers,
    },
    payload: data,
  });
}

const filesBelow = (folder: string): string[] => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
};

/** All that there is of files beyond the demo world: records, and bytes wherever they are. */
export async function leftOf(world: World): Promise<{ records: number; bytes: number }> {
  const [row] = await world.db.query<{ count: number }>(
    sql`select count(*) as count from files where bucket <> 'portico-demo'`,
  );
  return { records: row?.count ?? 0, bytes: filesBelow(world.services.config.files.folder).length };
}
