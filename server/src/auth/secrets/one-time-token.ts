import { createHash } from 'node:crypto';
import { randomBase62 } from './key-material.ts';

/** What a link carries that works once. Of it the database has the hash alone. */
export const newOneTimeToken = () => randomBase62();

export const hashOfOneTimeToken = (token: string) => createHash('sha256').update(token).digest();
