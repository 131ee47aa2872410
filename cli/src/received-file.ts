import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Download } from '@portico/sdk';
import { wrongUsage } from './failure.ts';

type Wishes = { output: string | undefined; force: boolean; fallback: string };

const nameBytesMax = 200;

/** What someone else wrote, made the name of a file in this folder: its last part, without what steers a terminal or hides it. */
export function safeName(given: string, fallback: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .replace(/[\p{Cc}\p{Cf}\p{Bidi_Control}\u2028\u2029]/gu, '')
    .replace(/^[\s.-]+/, '')
    .trimEnd();
  let name = '';
  for (const character of plain) {
    if (Buffer.byteLength(name + character) > nameBytesMax) break;
    name += character;
  }
  return name === '' ? fallback.replace(/[^\w-]/g, '_') : name;
}

function targetOf({ filename = '' }: Download, { output, fallback }: Wishes): string {
  if (output === undefined) return safeName(filename, fallback);
  const isFolder = statSync(output, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? join(output, safeName(filename, fallback)) : output;
}

const taken = (path: string) =>
  wrongUsage(`${path} is there already: --force writes over it, --output names another`);

/** In one step, and over nothing unless told so: also not over what has appeared meanwhile. */
function place(draft: string, path: string, force: boolean): void {
  try {
    if (force) renameSync(draft, path);
    else linkSync(draft, path);
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'EEXIST' ? taken(path) : error;
  }
}

const readable = ({ stream }: Download) => Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]); // the same stream, by another description

/** Undefined when it went to standard output. */
export async function keepDownload(
  begin: () => Promise<Download>,
  wishes: Wishes,
): Promise<{ path: string; size: number; etag: string | null } | undefined> {
  const { output, force } = wishes;
  if (
    output !== undefined &&
    output !== '-' &&
    !force &&
    statSync(output, { throwIfNoEntry: false })?.isFile()
  )
    throw taken(output);
  const download = await begin();
  if (output === '-') {
    await pipeline(readable(download), process.stdout, { end: false });
    return undefined;
  }
  const path = targetOf(download, wishes);
  if (!force && existsSync(path)) {
    await download.stream.cancel();
    throw taken(path);
  }
  const draft = `${path}.${randomBytes(6).toString('hex')}.part`;
  // It is there before anything is read: made while what is read fails, it would be left behind.
  const file = await open(draft, 'wx').catch(async (error: unknown) => {
    await download.stream.cancel();
    throw error;
  });
  try {
    await pipeline(readable(download), file.createWriteStream());
    const { size } = statSync(draft);
    place(draft, path, force);
    return { path, size, etag: download.etag ?? null };
  } finally {
    rmSync(draft, { force: true });
  }
}
