import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code; // of what the system refused

async function makeOne(folder: string): Promise<string | undefined> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return folder;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(folder)).isDirectory()) return undefined;
    throw error;
  }
}

/**
 * Makes the folder and those above it, and gives the topmost that is new. By hand: where a folder cannot be made and the system says
 * that it is not there, as below /proc, mkdir of Node with `recursive` tries for ever.
 */
export async function makeFolder(folder: string): Promise<string | undefined> {
  try {
    return await makeOne(folder);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
  }
  const first = await makeFolder(dirname(folder));
  const own = await makeOne(folder);
  return first ?? own;
}
